"""Embedding models of the bot's as embeddings of LlamaIndex."""

from __future__ import annotations

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from ..meaning import Embedder, TextKind


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
