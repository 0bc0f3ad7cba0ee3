"""Keeps a folder's passages in any vector store of LlamaIndex, and searches them there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Final

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)

from ...retrieval.known_file import KnownFile
from ...retrieval.language import detect, is_stop_word
from ...retrieval.likeness import measure_scale
from ...retrieval.passage import Passage
from ...retrieval.words import split_words
from ..errors import SourceError
from .embedding import LlamaIndexEmbedder
from .passage_node import (
    FIRST,
    KEY,
    StoredPassage,
    key_of,
    read_node,
    read_stored_file,
    within,
    write_embedded_text,
    write_nodes,
)
from .store_failure import name_place

_MOST_NODES: Final = 1_000_000
"""Told to a store whose client would list fewer nodes by itself, as Qdrant's does with 9,999."""
CANDIDATES: Final = 30
"""At most this many passages are found by meaning, and as many by words."""


class FilterIgnored(SourceError):  # noqa: N818 - it is what the store did
    """The store found a passage outside the documents to which the search was restricted."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that a store has found; ``likeness`` is None where only its words were compared."""

    stored: StoredPassage
    likeness: float | None


class DocumentStore:
    """A vector store of LlamaIndex with a folder's passages, and the embedding of their vectors.

    ``open_store`` gets the number of dimensions, and returns the store. ``place`` says where that is, for
    the log, such as ``PostgreSQL at db.example:5432, table documents``. ``words`` says whether the store
    searches by words beside vectors. ``read_cosine`` turns the store's similarity into a cosine. All methods
    block. They raise :class:`StoreFailed`.
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
        self._embedding = embedding
        self._embedding_place = f"the embedding {embedding.model_name}"
        self._words = words
        self._read_cosine = read_cosine
        with name_place(self._embedding_place):
            dimensions = len(embedding.get_text_embedding("dimensions"))
            self._scale = measure_scale(LlamaIndexEmbedder(embedding))
        with name_place(place):
            self._store = open_store(dimensions)
            # A server that is down, or that has vectors of another size, is noticed at the start.
            self._store.query(VectorStoreQuery(query_embedding=[1.0] * dimensions, similarity_top_k=1))

    def list_files(self) -> dict[str, KnownFile]:
        """The records of all documents by path, without those that have to be stored again."""
        with name_place(self.place):
            nodes = self._get_nodes(FIRST)
            found = [read_stored_file(node, self._embedding.model_name) for node in nodes]
        return {file.path: file for file in found if file}

    def put(self, documents: Sequence[tuple[KnownFile, Sequence[Passage]]]) -> int:
        """Store documents in place of what was stored of them; return how many passages were embedded.

        A passage whose text was stored already keeps its vector, where the store returns vectors.
        """
        nodes: list[TextNode] = []
        texts: list[str] = []
        for file, passages in documents:
            nodes += write_nodes(file, passages, self._embedding.model_name)
            texts += map(write_embedded_text, passages)
        stored = self._find_stored([key_of(file.path) for file, _ in documents])
        vectors = self._find_vectors(stored)
        missing = list(dict.fromkeys(text for text in texts if text not in vectors))
        with name_place(self._embedding_place):
            vectors |= zip(missing, self._embedding.get_text_embedding_batch(missing), strict=True)
        for node, text in zip(nodes, texts, strict=True):
            node.embedding = vectors[text]
        # What is stored first is deleted first, so that a run that broke off leaves nothing twice.
        keys = {node.metadata.get(KEY) for node in stored}
        self.remove([file.path for file, _ in documents if key_of(file.path) in keys])
        with name_place(self.place):
            if nodes:
                self._store.add(nodes)
        return len(missing)

    def remove(self, paths: Sequence[str]) -> None:
        """Remove all passages of these documents."""
        with name_place(self.place):
            for path in paths:
                self._store.delete(key_of(path))

    def find(self, question: str, paths: Collection[str] | None = None) -> list[FoundPassage]:
        """The passages that come nearest to the question, in the documents at ``paths`` or, for None, in all.

        The store itself applies this restriction, before it ranks. Raises :class:`FilterIgnored` if it
        does not.
        """
        if paths is not None and not paths:
            return []  # several stores take an empty filter for none
        keys = None if paths is None else frozenset(map(key_of, paths))
        filters = None if keys is None else within(sorted(keys))
        with name_place(self._embedding_place):
            vector = self._embedding.get_query_embedding(question)
        with name_place(self.place):
            found = self._ask(VectorStoreQuery(vector, CANDIDATES, filters=filters))
            if self._words:
                by_words = VectorStoreQuery(
                    query_str=_find_words(question),
                    similarity_top_k=CANDIDATES,
                    mode=VectorStoreQueryMode.SPARSE,
                    filters=filters,
                )
                found += [replace(one, likeness=None) for one in self._ask(by_words)]
        if keys is not None and not {one.stored.key for one in found}.issubset(keys):
            raise FilterIgnored(f"{self.place}: it ignores the filter of documents")
        places = {(one.stored.key, one.stored.passage.start): one for one in reversed(found)}
        return list(reversed(places.values()))

    def _ask(self, query: VectorStoreQuery) -> list[FoundPassage]:
        result = self._store.query(query)
        nodes: Sequence[BaseNode] = result.nodes or ()
        scores = result.similarities or [0.0] * len(nodes)
        return [
            FoundPassage(read_node(node), (self._read_cosine(score) - self._scale.mean) * self._scale.factor)
            for node, score in zip(nodes, scores, strict=True)
        ]

    def _find_stored(self, keys: Sequence[str]) -> list[BaseNode]:
        """The nodes that are stored of the documents with these keys."""
        if not keys:
            return []
        with name_place(self.place):
            return self._get_nodes(within(keys))

    def _get_nodes(self, filters: MetadataFilters) -> list[BaseNode]:
        """All nodes that the filters find."""
        get: Any = self._store.get_nodes
        limit = {"limit": _MOST_NODES} if "limit" in signature(get).parameters else {}
        # Chroma's method has no default for its first argument.
        nodes: list[BaseNode] = get(None, filters, **limit)
        return nodes

    def _find_vectors(self, nodes: Sequence[BaseNode]) -> dict[str, list[float]]:
        """The vectors that the store returned, by the texts that they were made from."""
        with name_place(self.place):
            stored = [(read_node(node), node.embedding) for node in nodes]
        return {
            write_embedded_text(one.passage): [float(number) for number in vector]
            for one, vector in stored
            if vector is not None and one.model == self._embedding.model_name
        }


def _find_words(question: str) -> str:
    """The question without its stop words, which nearly every passage has."""
    language = detect(question, quorum=0.2)
    words = split_words(question)
    return " ".join(word for word in words if not (language and is_stop_word(word, language))) or question
