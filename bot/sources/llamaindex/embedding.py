"""Embeddings of LlamaIndex as embedding models of the bot's, and the other way round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from ...retrieval.embedder import Embedder, Vectors, normalize


class EmbedderEmbedding(BaseEmbedding):
    """Embeds with ``embedder``, which blocks. Its errors are raised as they are."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(model_name=embedder.model, embed_batch_size=64)
        self._embedder = embedder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._embedder.embed(texts).tolist()
        return vectors

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class LlamaIndexEmbedder:
    """An ``embedding`` of LlamaIndex as an :class:`Embedder`. Its errors are raised as they are."""

    def __init__(self, embedding: BaseEmbedding) -> None:
        self.model = embedding.model_name
        self._embedding = embedding

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a unit vector for each text."""
        return normalize(np.array(self._embedding.get_text_embedding_batch(list(texts)), np.float32))
