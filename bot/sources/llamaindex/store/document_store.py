"""Writes a folder's passages into any vector store of LlamaIndex, and finds them there."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from inspect import signature
from typing import Any, Final

import numpy as np
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import BaseNode, QueryBundle, TextNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)

from ....retrieval.index import FoundPassages, Listing, list_documents
from ....retrieval.meaning import TextKind, Vectors, measure_scale, normalize
from ....retrieval.passages import FileReading, KnownFile, read_record
from ....retrieval.reading import Skipped
from ....retrieval.words import detect, is_stop_word, split_words
from .failure import StoreError, name_place
from .nodes import FIRST, ForeignNodeError, StoredPassage, key_of, read_file, read_node, within, write_nodes

_MOST_NODES: Final = 1_000_000
"""Told to a store whose client would list fewer nodes by itself, as Qdrant's does with 9,999."""
CANDIDATES: Final = 30
"""At most this many passages are found by meaning, and as many by words."""
_INTERVAL: Final = 30.0
"""The least seconds between two listings of the documents for those who ask."""
_SHARE: Final = 20
"""Listings of a large store take one part in so many of the time."""


class DocumentStore:
    """A vector store of LlamaIndex with a folder's passages, and the embedding of their vectors.

    ``open_store`` gets the number of dimensions, and returns the store. ``place`` says where that is, for
    the log, such as ``PostgreSQL at db.example:5432, table documents``. ``words`` says whether the store
    searches by words beside vectors. ``read_cosine`` turns the store's similarity into a cosine.

    It is the ``IndexStore`` of an update. All methods block. They raise :class:`StoreError`.
    """

    def __init__(
        self,
        open_store: Callable[[int], BasePydanticVectorStore],
        embedding: BaseEmbedding,
        *,
        place: str,
        words: bool = False,
        read_cosine: Callable[[float], float] = float,
    ) -> None:
        self.place = place
        self.embedding = embedding
        self.embedding_place = f"the embedding {embedding.model_name}"
        self._words = words
        self._read_cosine = read_cosine
        self.changes = Counter[str]()
        """The numbers of documents that were ``stored`` and ``removed``, and of passages ``embedded``."""
        self.pause = 0.0
        """The least seconds after a listing before the next one, by how long it took."""
        self._listing: Listing | None = None
        self._due = 0.0
        """When the documents are to be listed again, on the monotonic clock."""
        with name_place(self.embedding_place):
            dimensions = len(embedding.get_text_embedding("dimensions"))
            self._scale = measure_scale(self._embed)
        with name_place(place):
            self.vectors = open_store(dimensions)
            # A server that is down, or that has vectors of another size, is noticed at the start.
            self.vectors.query(VectorStoreQuery(query_embedding=[1.0] * dimensions, similarity_top_k=1))
            self._index = VectorStoreIndex.from_vector_store(self.vectors, embedding)

    def _embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        if kind is TextKind.QUESTION:
            return normalize(np.array(list(map(self.embedding.get_query_embedding, texts)), np.float32))
        return normalize(np.array(self.embedding.get_text_embedding_batch(list(texts)), np.float32))

    def list_files(self) -> dict[str, KnownFile]:
        """The records of all documents by path, without those that have to be stored again."""
        begun = time.monotonic()
        with name_place(self.place):
            found = [read_file(node, self.embedding.model_name) for node in self._get_nodes(FIRST)]
        self.pause = _SHARE * (time.monotonic() - begun)
        return {file.path: file for file in found if file}

    @property
    def listing(self) -> Listing:
        """All documents as they were listed last, which is done from time to time."""
        if self._listing is None or time.monotonic() >= self._due:
            self._due = time.monotonic() + _INTERVAL  # meanwhile, others have what was listed before
            try:
                self._listing = list_documents(self.list_files())
            except StoreError:
                self._due = 0.0  # without a new listing nobody knows the labels
                raise
            self._due = time.monotonic() + max(_INTERVAL, self.pause)
        return self._listing

    def put(self, readings: Sequence[FileReading]) -> None:
        """Store the passages of documents that were read in place of what was stored of them.

        A passage whose text was stored already keeps its vector, where the store returns vectors. The first
        node of a document, by which it is listed, is the last: what breaks off before it is stored again.
        """
        model = self.embedding.model_name
        new = {
            one.record.path: write_nodes(
                one.record, [read_record(two).passage for two in one.passages], model
            )
            for one in readings
            if one.passages is not None
        }
        if not new:
            return
        with name_place(self.place):
            # Also those of another version or model, or of a run that broke off.
            old = self._get_nodes(within(new))
        nodes = [node for found in new.values() for node in reversed(found)]
        self._embed_nodes(nodes, dict(self._list_vectors(old)))
        self._delete({node.ref_doc_id for node in old if node.ref_doc_id})
        with name_place(self.place):
            self._index.insert_nodes(nodes)
        self.changes["stored"] += sum(map(bool, new.values()))

    def relabel(self, records: Sequence[KnownFile]) -> None:
        """Remove documents, which are read again at once: a label is stored with the passages."""
        self._delete(key_of(one.path) for one in records)

    def remove(self, paths: Sequence[str], skipped: Sequence[Skipped] = ()) -> None:
        """Remove documents, unless they lie below a folder that can't be opened, and is ``skipped``."""
        closed = tuple(one.path for one in skipped if one.path.endswith("/"))
        gone = [path for path in paths if not path.startswith(closed)]
        self._delete(map(key_of, gone))
        self.changes["removed"] += len(gone)

    def _delete(self, keys: Iterable[str]) -> None:
        with name_place(self.place):
            for key in keys:
                self._index.delete_ref_doc(key)

    def _list_vectors(self, nodes: Iterable[BaseNode]) -> Iterator[tuple[str, list[float]]]:
        """The texts of nodes and their vectors; a node of another version or model has none."""
        for node in nodes:
            with suppress(ForeignNodeError):
                stored = read_node(node)
                if node.embedding is not None and stored.model == self.embedding.model_name:
                    yield stored.embedded_text, [float(number) for number in node.embedding]

    def _embed_nodes(self, nodes: Sequence[TextNode], vectors: dict[str, list[float]]) -> None:
        """Give each node its vector, from ``vectors`` by its text or a new one."""
        texts = [read_node(node).embedded_text for node in nodes]
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        with name_place(self.embedding_place):
            vectors |= zip(missing, self.embedding.get_text_embedding_batch(missing), strict=True)
        for node, text in zip(nodes, texts, strict=True):
            node.embedding = vectors[text]
        self.changes["embedded"] += len(missing)

    def _get_nodes(self, filters: MetadataFilters) -> list[BaseNode]:
        get: Any = self.vectors.get_nodes
        limit = {"limit": _MOST_NODES} if "limit" in signature(get).parameters else {}
        # Chroma's method has no default for its first argument.
        nodes: list[BaseNode] = get(None, filters, **limit)
        return nodes

    def find(self, question: str, listing: Listing) -> FoundPassages:
        """The passages that come nearest to the question in the documents of ``listing``.

        The store itself restricts the search to these, before it ranks. One that does not is an error. It
        was decided by its label whether a document may be seen and quoted. So one that is new, or has
        another label than it was listed with, is left out, and the documents are listed again.
        """
        known, is_whole = listing.known, listing is self._listing
        # Several stores take an empty filter for none.
        found = self._search(question, None if is_whole else within(known)) if known or is_whole else []
        if not (is_whole or all(one.passage.path in known for one, _ in found)):
            raise StoreError(self.place, "it ignores the filter of documents")
        current = [
            (one.passage, likeness)
            for one, likeness in found
            if (file := known.get(one.passage.path)) and tuple(file.labels) == one.labels
        ]
        if len(current) < len(found):
            self._due = 0.0
        places = {(passage.path, passage.start): (passage, one) for passage, one in reversed(current)}
        passages = list(reversed(places.values()))
        return FoundPassages(passages, listing.report().passages, listing.languages)

    def _search(
        self, question: str, filters: MetadataFilters | None
    ) -> list[tuple[StoredPassage, float | None]]:
        """The nearest passages, each with its likeness; None where only its words were compared."""
        with name_place(self.embedding_place):
            centered = self._scale.center(self._embed([question], TextKind.QUESTION)[0])
        vector, length = normalize(centered).tolist(), float(np.linalg.norm(centered))
        with name_place(self.place):
            nearest = self._retrieve(QueryBundle(question, embedding=vector), filters)
            by_meaning = [(one, self._scale.read(cosine * length)) for one, cosine in nearest]
            if not self._words:
                return [*by_meaning]
            by_words = QueryBundle(_find_words(question), embedding=vector)
            others = self._retrieve(by_words, filters, VectorStoreQueryMode.SPARSE)
        return [*by_meaning, *((one, None) for one, _ in others)]

    def _retrieve(
        self,
        query: QueryBundle,
        filters: MetadataFilters | None,
        mode: VectorStoreQueryMode = VectorStoreQueryMode.DEFAULT,
    ) -> list[tuple[StoredPassage, float]]:
        retriever = self._index.as_retriever(
            similarity_top_k=CANDIDATES, filters=filters, vector_store_query_mode=mode
        )
        return [
            (read_node(one.node), self._read_cosine(one.score or 0.0)) for one in retriever.retrieve(query)
        ]


def _find_words(question: str) -> str:
    """The question without its stop words, which nearly every passage has."""
    language = detect(question, quorum=0.2)
    words = split_words(question)
    return " ".join(word for word in words if not (language and is_stop_word(word, language))) or question
