"""An OpenAI-compatible embedding model on a real socket: its vectors, and its failures in plain sentences."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from bot.config.language_model import EmbeddingOptions, read_embedding_options
from bot.retrieval.meaning.embedder import EmbedderError, TextKind
from bot.sources.embedders import OpenAIEmbedder

from ..web_server import serving_routes


class EmbeddingServer:
    """It embeds a text as its length, and notes what it was asked. ``reply`` replaces its response."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.reply: tuple[int, object] | None = None

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        self.keys.append(request.headers.get("Authorization", ""))
        status, reply = self.reply or (200, None)
        data = [{"index": index, "embedding": [len(text), 1]} for index, text in enumerate(body["input"])]
        return web.json_response(reply or {"data": data[::-1]}, status=status)


@contextlib.asynccontextmanager
async def serving(server: EmbeddingServer, model: str = "bge-m3") -> AsyncIterator[OpenAIEmbedder]:
    async with serving_routes(web.post("/v1/embeddings", server.handle)) as url:
        embedder = OpenAIEmbedder(base_url=f"{url}/v1", model=model, api_key="sk-0")
        await embedder.open()
        try:
            yield embedder
        finally:
            await embedder.close()


async def test_texts_become_unit_vectors_in_their_order_and_in_batches() -> None:
    server = EmbeddingServer()
    async with serving(server) as embedder:
        texts = ["x" * number for number in range(1, 41)]
        vectors = await asyncio.to_thread(embedder.embed, texts)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[:, 0] / vectors[:, 1], range(1, 41))
    assert [len(body["input"]) for body in server.bodies] == [32, 8]
    assert {body["model"] for body in server.bodies} == {"bge-m3"}
    assert set(server.keys) == {"Bearer sk-0"}


@pytest.mark.parametrize(
    ("model", "question", "passage"),
    [
        ("bge-m3", "Why?", "Because."),
        ("text-embedding-3-small", "Why?", "Because."),
        ("jeffh/intfloat-multilingual-e5-large:f16", "query: Why?", "passage: Because."),
        ("intfloat/e5-base-v2", "query: Why?", "passage: Because."),
        (
            "multilingual-e5-large-instruct",
            "Instruct: Given a question, retrieve passages that answer the question\nQuery: Why?",
            "Because.",
        ),
        ("nomic-embed-text", "search_query: Why?", "search_document: Because."),
        ("nomic-embed-text-v2-moe:latest", "search_query: Why?", "search_document: Because."),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: Why?", "Because."),
        (
            "snowflake-arctic-embed:335m",
            "Represent this sentence for searching relevant passages: Why?",
            "Because.",
        ),
        ("snowflake-arctic-embed2", "query: Why?", "Because."),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: Why?", "Because."),
    ],
)
async def test_a_model_gets_what_it_wants_before_questions_and_passages(
    model: str, question: str, passage: str
) -> None:
    server = EmbeddingServer()
    async with serving(server, model) as embedder:
        await asyncio.to_thread(embedder.embed, ["Why?"], TextKind.QUESTION)
        await asyncio.to_thread(embedder.embed, ["Because."], TextKind.PASSAGE)
        assert (embedder.space == model) == (passage == "Because.")
    assert [body["input"] for body in server.bodies] == [[question], [passage]]
    assert {body["model"] for body in server.bodies} == {model}


@pytest.mark.parametrize(
    ("status", "reply", "sentence"),
    [
        (401, None, r"bge-m3: it refuses the key \(status 401\)"),
        (404, None, "the server has no embedding model bge-m3"),
        (400, None, "bge-m3: it answered with status 400"),
        (200, {"data": []}, "what bge-m3 sends are no embeddings"),
        (200, {"data": [{"index": 0, "embedding": "no"}]}, "what bge-m3 sends are no embeddings"),
        (200, {"data": [{"index": 0, "embedding": [None]}]}, "what bge-m3 sends are no embeddings"),
        (200, {"error": "no"}, "what bge-m3 sends are no embeddings"),
    ],
)
async def test_failures_are_said_in_plain_sentences(status: int, reply: object, sentence: str) -> None:
    server = EmbeddingServer()
    server.reply = (status, reply)
    async with serving(server) as embedder:
        with pytest.raises(EmbedderError, match=f"^{sentence}$"):
            await asyncio.to_thread(embedder.embed, ["text"])


async def test_a_closed_embedder_embeds_nothing() -> None:
    async with serving(EmbeddingServer()) as embedder:
        pass
    with pytest.raises(EmbedderError, match="not in use"):
        await asyncio.to_thread(embedder.embed, ["text"])


SETTINGS: list[tuple[dict[str, str], EmbeddingOptions | None, int]] = [
    ({}, EmbeddingOptions(), 0),
    ({"EMBEDDINGS": "false"}, None, 0),
    ({"EMBEDDINGS": "no", "OPENAI_EMBEDDING_MODEL": "m", "OPENAI_API_KEY": "k"}, None, 0),
    ({"OPENAI_EMBEDDING_MODEL": "m"}, EmbeddingOptions(model="m"), 1),
    ({"OPENAI_EMBEDDING_MODEL": "m", "OPENAI_API_KEY": "k"}, EmbeddingOptions(model="m", api_key="k"), 0),
    (
        {"OPENAI_EMBEDDING_MODEL": "m", "OPENAI_BASE_URL": "http://localhost:11434/v1"},
        EmbeddingOptions(model="m", base_url="http://localhost:11434/v1"),
        0,
    ),
    ({"OPENAI_EMBEDDING_MODEL": "m", "OPENAI_BASE_URL": "ftp://x"}, EmbeddingOptions(), 1),
]  # fmt: skip


@pytest.mark.parametrize(("given", "options", "faults"), SETTINGS)
def test_settings(given: dict[str, str], options: EmbeddingOptions | None, faults: int) -> None:
    found: list[str] = []
    assert read_embedding_options(given, found) == options
    assert len(found) == faults
