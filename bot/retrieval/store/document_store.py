"""A folder's passages in any vector store of LlamaIndex, as they are searched there.

A node of the store holds the text of a passage and, as JSON in its metadata, the rest. The first node of a
document also holds the record of the document. Nothing else is stored, so the nodes are the whole index.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from inspect import signature
from typing import Any, Final

import numpy as np
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import (
    BaseNode,
    MetadataMode,
    NodeRelationship,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)

from ...retrieval.meaning import TextKind, Vectors, measure_scale, normalize
from ...retrieval.passages import KnownFile, Passage, read_json, write_json
from ...retrieval.words import detect, is_stop_word, split_words
from ..errors import SourceError
from .store_failure import name_place

_MOST_NODES: Final = 1_000_000
"""Told to a store whose client would list fewer nodes by itself, as Qdrant's does with 9,999."""
CANDIDATES: Final = 30
"""At most this many passages are found by meaning, and as many by words."""

_KEY: Final = "document_key"
"""The metadata field with the document's key, by which a search is restricted to documents."""
_PART: Final = "part"
"""The metadata field with the number of the passage in its document, from 0."""
_PASSAGE: Final = "passage"
_FILE: Final = "file"
_FORMAT: Final = 2
"""The version of the stored form. Documents of another version are stored again."""

_FIRST: Final = MetadataFilters(filters=[MetadataFilter(key=_PART, value=0)])
"""Finds the first node of each document."""


class ForeignNodeError(ValueError):
    """A node in the store is no passage of a folder."""


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage from a store, and the labels of its document. ``model`` names the embedding of its vector."""

    passage: Passage
    labels: tuple[str, ...]
    model: str

    @property
    def embedded_text(self) -> str:
        """The text whose vector finds the passage: the passage below its title and headings."""
        above = dict.fromkeys(filter(None, (self.passage.title, *self.passage.headings)))
        return "\n".join((*above, "", self.passage.text)) if above else self.passage.text


FoundPassage = tuple[StoredPassage, float | None]
"""A passage, and the likeness of its meaning and the question's; None where only its words were compared."""


class FilterIgnored(SourceError):  # noqa: N818 - it is what the store did
    """The store found a passage outside the documents to which the search was restricted."""


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
        self.embedding = embedding
        self.embedding_place = f"the embedding {embedding.model_name}"
        self._words = words
        self._read_cosine = read_cosine
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
        with name_place(self.place):
            found = [_read_stored_file(node, self.embedding.model_name) for node in self._get_nodes(_FIRST)]
        return {file.path: file for file in found if file}

    def put(self, documents: Iterable[tuple[KnownFile, Sequence[Passage]]]) -> int:
        """Store documents in place of what was stored of them; return how many passages were embedded.

        A passage whose text was stored already keeps its vector, where the store returns vectors.
        """
        model = self.embedding.model_name
        new = {_key_of(file.path): _write_nodes(file, passages, model) for file, passages in documents}
        if not new:
            return 0
        with name_place(self.place):
            # Also those of another version or model, or of a run that broke off.
            nodes = self._get_nodes(_within(new))
        stored = [(_read_node(node), node.embedding) for node in nodes]
        vectors = {
            one.embedded_text: [float(number) for number in vector]
            for one, vector in stored
            if vector is not None and one.model == model
        }
        count = self._embed_nodes([node for found in new.values() for node in found], vectors)
        self._replace({node.ref_doc_id for node in nodes if node.ref_doc_id}, new.values())
        return count

    def remove(self, paths: Iterable[str]) -> None:
        """Remove documents."""
        self._replace(map(_key_of, paths), ())

    def _embed_nodes(self, nodes: Sequence[TextNode], vectors: dict[str, list[float]]) -> int:
        """Give each node its vector, from ``vectors`` by its text or a new one; return how many are new."""
        texts = [_read_node(node).embedded_text for node in nodes]
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        with name_place(self.embedding_place):
            vectors |= zip(missing, self.embedding.get_text_embedding_batch(missing), strict=True)
        for node, text in zip(nodes, texts, strict=True):
            node.embedding = vectors[text]
        return len(missing)

    def _replace(self, stored: Iterable[str], new: Iterable[Sequence[TextNode]]) -> None:
        """Put the nodes of ``new`` documents in place of the documents with the ``stored`` keys.

        The first node of a document, by which it is listed, is the last: what breaks off before it is stored
        again.
        """
        with name_place(self.place):
            for key in stored:
                self._index.delete_ref_doc(key)
            self._index.insert_nodes([node for nodes in new for node in reversed(nodes)])

    def _get_nodes(self, filters: MetadataFilters) -> list[BaseNode]:
        get: Any = self.vectors.get_nodes
        limit = {"limit": _MOST_NODES} if "limit" in signature(get).parameters else {}
        # Chroma's method has no default for its first argument.
        nodes: list[BaseNode] = get(None, filters, **limit)
        return nodes

    def find(self, question: str, paths: Collection[str] | None = None) -> list[FoundPassage]:
        """The passages that come nearest to the question, in the documents at ``paths`` or, for None, in all.

        The store itself applies this restriction, before it ranks. Raises :class:`FilterIgnored` if it
        does not.
        """
        if paths is not None and not paths:
            return []  # several stores take an empty filter for none
        filters = None if paths is None else _within(map(_key_of, paths))
        with name_place(self.embedding_place):
            centered = self._scale.center(self._embed([question], TextKind.QUESTION)[0])
        vector, length = normalize(centered).tolist(), float(np.linalg.norm(centered))
        with name_place(self.place):
            nearest = self._retrieve(QueryBundle(question, embedding=vector), filters)
            found: list[FoundPassage] = [
                (stored, self._scale.read(cosine * length)) for stored, cosine in nearest
            ]
            if self._words:
                by_words = QueryBundle(_find_words(question), embedding=vector)
                others = self._retrieve(by_words, filters, VectorStoreQueryMode.SPARSE)
                found += [(stored, None) for stored, _ in others]
        if paths is not None and not {stored.passage.path for stored, _ in found}.issubset(paths):
            raise FilterIgnored(f"{self.place}: it ignores the filter of documents")
        places = {(one[0].passage.path, one[0].passage.start): one for one in reversed(found)}
        return list(reversed(places.values()))

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
            (_read_node(one.node), self._read_cosine(one.score or 0.0)) for one in retriever.retrieve(query)
        ]


def _find_words(question: str) -> str:
    """The question without its stop words, which nearly every passage has."""
    language = detect(question, quorum=0.2)
    words = split_words(question)
    return " ".join(word for word in words if not (language and is_stop_word(word, language))) or question


def _key_of(path: str) -> str:
    """The key of a document: 32 hexadecimal digits.

    Several stores write the values of a filter into a query without escaping them. A path may hold quotes,
    so it never gets into a filter.
    """
    return hashlib.sha256(path.encode()).hexdigest()[:32]


def _within(keys: Iterable[str]) -> MetadataFilters:
    """The filter that restricts a search to the documents with these keys, of which there is at least one."""
    return MetadataFilters(filters=[MetadataFilter(key=_KEY, value=sorted(keys), operator=FilterOperator.IN)])


def _write_nodes(file: KnownFile, passages: Sequence[Passage], model: str) -> list[TextNode]:
    """The nodes of a document, without vectors."""
    described = json.dumps(asdict(file) | {"format": _FORMAT, "model": model}, ensure_ascii=False)
    nodes = [_write_node(file, number, passage, model) for number, passage in enumerate(passages)]
    for first in nodes[:1]:
        first.metadata[_FILE] = described
    return nodes


def _read_node(node: BaseNode) -> StoredPassage:
    """The passage of a node. Raises :class:`ForeignNodeError` where the node has none."""
    record = _read_metadata(node, _PASSAGE)
    try:
        passage = read_json(record | {"text": node.get_content(metadata_mode=MetadataMode.NONE)})
        return StoredPassage(passage, tuple(record["labels"]), record["model"])
    except (KeyError, TypeError, ValueError) as error:
        raise ForeignNodeError("a node of another version") from error


def _read_stored_file(node: BaseNode, model: str) -> KnownFile | None:
    """The record of a document from its first node; None for one of another version, or of another model."""
    record = _read_metadata(node, _FILE)
    if record.pop("format", None) != _FORMAT or record.pop("model") != model:
        return None
    record["labels"] = tuple(record["labels"])
    record["questions"] = [(rank, question) for rank, question in record["questions"]]
    return KnownFile(**record)


def _write_node(file: KnownFile, number: int, passage: Passage, model: str) -> TextNode:
    key = _key_of(file.path)
    # The node has the text.
    stored = write_json(passage) | {"text": "", "labels": list(file.labels), "model": model}
    metadata: dict[str, Any] = {
        _KEY: key,
        _PART: number,
        "file_name": file.path.rpartition("/")[2],
        _PASSAGE: json.dumps(stored, ensure_ascii=False),
    }
    if places := passage.find_places():
        metadata[passage.place_kind or "page"] = places[0]
    if passage.sheet:
        metadata["sheet"] = passage.sheet
    return TextNode(
        # Qdrant takes UUIDs only.
        id_=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{key}/{number}")),
        text=passage.text,
        metadata=metadata,
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=key)},
    )


def _read_metadata(node: BaseNode, name: str) -> dict[str, Any]:
    written = node.metadata.get(name)
    try:
        record = json.loads(written) if isinstance(written, str) else None
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise ForeignNodeError("a node that is no passage of a folder")
    return record
