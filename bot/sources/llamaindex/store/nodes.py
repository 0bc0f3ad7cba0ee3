"""Writes documents as nodes of LlamaIndex, and reads them back; makes their vectors with our models.

A node holds the text of a passage and, as JSON in its metadata, the rest. The first node of a document also
holds the record of the document. Nothing else is stored, so the nodes are the whole index.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters

from ....retrieval.meaning import Embedder, TextKind
from ....retrieval.passages import KnownFile, Passage, read_json, write_json

_KEY: Final = "document_key"
"""The metadata field with the document's key, by which a search is restricted to documents."""
_PART: Final = "part"
"""The metadata field with the number of the passage in its document, from 0."""
_PASSAGE: Final = "passage"
_FILE: Final = "file"
_FORMAT: Final = 3
"""The version of the stored form; count it up when files are read or split differently. Documents of
another version are stored again."""

FIRST: Final = MetadataFilters(filters=[MetadataFilter(key=_PART, value=0)])
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


def key_of(path: str) -> str:
    """The key of a document: 32 hexadecimal digits.

    Several stores write the values of a filter into a query without escaping them. A path may hold quotes,
    so it never gets into a filter.
    """
    return hashlib.sha256(path.encode()).hexdigest()[:32]


def within(paths: Iterable[str]) -> MetadataFilters:
    """The filter that restricts a search to the documents at these paths, of which there is at least one."""
    keys = sorted(map(key_of, paths))
    return MetadataFilters(filters=[MetadataFilter(key=_KEY, value=keys, operator=FilterOperator.IN)])


def write_nodes(file: KnownFile, passages: Sequence[Passage], model: str) -> list[TextNode]:
    """The nodes of a document, without vectors; ``model`` names the embedding of those."""
    nodes = [_write_node(file, number, passage, model) for number, passage in enumerate(passages)]
    for first in nodes[:1]:
        record = asdict(file) | {"format": _FORMAT, "model": model}
        first.metadata[_FILE] = json.dumps(record, ensure_ascii=False)
    return nodes


def _write_node(file: KnownFile, number: int, passage: Passage, model: str) -> TextNode:
    key = key_of(file.path)
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


def read_node(node: BaseNode) -> StoredPassage:
    """The passage of a node. Raises :class:`ForeignNodeError` where the node has none."""
    try:
        record = json.loads(node.metadata[_PASSAGE])
        passage = read_json(record | {"text": node.get_content(metadata_mode=MetadataMode.NONE)})
        return StoredPassage(passage, tuple(record["labels"]), record["model"])
    except (KeyError, TypeError, ValueError) as error:
        raise ForeignNodeError("no passage of a folder, or one of another version") from error


def read_file(node: BaseNode, model: str) -> KnownFile | None:
    """The record of a document from its first node; None for one of another version, or of another model.

    Raises :class:`ForeignNodeError` where the node has none.
    """
    try:
        record = json.loads(node.metadata[_FILE])
        is_current = (record.pop("format", None), record.pop("model", None)) == (_FORMAT, model)
        return KnownFile(**record) if is_current else None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ForeignNodeError("no document of a folder") from error


class EmbedderEmbedding(BaseEmbedding):
    """Embeds with ``embedder``, which blocks. Its errors are raised as they are."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(model_name=embedder.space, embed_batch_size=64)
        self._embedder = embedder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._embedder.embed(texts).tolist()
        return vectors

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        vector: list[float] = self._embedder.embed([query], TextKind.QUESTION)[0].tolist()
        return vector

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)
