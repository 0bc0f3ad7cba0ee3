"""A folder's passages in a vector store of LlamaIndex, which may not be installed."""

from __future__ import annotations

from .document_store import DocumentStore
from .failure import StoreError
from .nodes import EmbedderEmbedding
from .update import StoreReport, StoreUpdate

__all__ = ["DocumentStore", "EmbedderEmbedding", "StoreError", "StoreReport", "StoreUpdate"]
