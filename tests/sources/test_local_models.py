"""Models that run on this machine: what their servers say, over a real socket, and what is made of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

import app
from bot.app.settings import Settings
from bot.config.credentials import Credentials
from bot.config.env import SettingsError
from bot.config.language_model import LocalModelOptions
from bot.retrieval.meaning import Embedder
from bot.sources import local_models
from bot.sources.folder import FolderSource
from bot.sources.local_models import SERVERS, LocalModel, LocalModels, LocalServer, ModelUse, find_models
from citations.readers import text_of
from tests.bot.running import running
from tests.model_server import Handler, saying, sending, streaming
from tests.web_server import serving_routes

OLLAMA = {
    "models": [
        {"name": "gpt-oss:120b-cloud", "model": "gpt-oss:120b-cloud", "modified_at": "2026-02-03T23:47:00Z", "size": 384, "remote_model": "gpt-oss:120b", "remote_host": "https://ollama.com:443"},
        {"name": "mine:latest", "model": "mine:latest", "size": 340, "remote_model": "kimi-k2", "remote_host": "https://ollama.com:443"},
        {"name": "nomic-embed-text:latest", "model": "nomic-embed-text:latest", "size": 274302450, "digest": "0a109f422b47", "details": {"parent_model": "", "format": "gguf", "family": "nomic-bert", "families": ["nomic-bert"], "parameter_size": "137M", "quantization_level": "F16"}},
        {"name": "llama3.2:latest", "model": "llama3.2:latest", "modified_at": "2026-05-04T17:37:44.706015396-07:00", "size": 2019393189, "digest": "a80c4f17acd5", "details": {"parent_model": "", "format": "gguf", "family": "llama", "families": ["llama"], "parameter_size": "3.2B", "quantization_level": "Q4_K_M"}},
    ]
}  # fmt: skip
"""Three models by Ollama's documentation, and two that run on Ollama's own servers."""
NEW_OLLAMA = {
    "models": [
        {"name": "minutes:latest", "model": "minutes:latest", "capabilities": ["embedding"], "details": {"family": "bert"}},
        {"name": "qwen3:8b", "model": "qwen3:8b", "capabilities": ["completion", "tools", "thinking"], "details": {"context_length": 40960}},
    ]
}  # fmt: skip
LM_STUDIO = {
    "data": [
        {"id": "qwen/qwen3.5-9b", "object": "model", "owned_by": "organization_owner"},
        {"id": "text-embedding-nomic-embed-text-v1.5", "object": "model", "owned_by": "organization_owner"},
    ],
    "object": "list",
}
LLAMA_CPP = {
    "models": [{"name": "models/gemma-4-12B-it-Q8_0.gguf", "model": "models/gemma-4-12B-it-Q8_0.gguf", "type": "model", "capabilities": ["completion"], "details": {"format": "gguf", "family": ""}}],
    "object": "list",
    "data": [{"id": "models/gemma-4-12B-it-Q8_0.gguf", "aliases": [], "tags": [], "object": "model", "created": 1791322978, "owned_by": "llamacpp", "meta": {"vocab_type": 2, "n_vocab": 262144, "n_ctx_train": 262144, "n_params": 11907350576, "size": 12653822144}}],
}  # fmt: skip
GATEWAY = {
    "data": [{"id": "gpt-5", "object": "model", "created": 1677610602, "owned_by": "openai"}],
    "object": "list",
}
"""A gateway on this machine to models elsewhere, as LiteLLM lists them."""
LISTS: list[tuple[str, int, Handler, list[tuple[str, str]]]] = [
    ("Ollama", 0, saying(OLLAMA), [("nomic-embed-text", "meaning"), ("llama3.2", "writing")]),
    ("a newer Ollama", 0, saying(NEW_OLLAMA), [("minutes", "meaning"), ("qwen3:8b", "writing")]),
    ("LM Studio", 1, saying(LM_STUDIO), [("qwen3.5-9b", "writing"), ("text-embedding-nomic-embed-text-v1.5", "meaning")]),
    ("llama.cpp", 2, saying(LLAMA_CPP), [("gemma-4-12B-it-Q8_0", "writing")]),
    ("a reranker", 2, saying({"data": [{"id": "bge-reranker-v2-m3", "object": "model", "owned_by": "llamacpp"}]}), []),
    ("none yet", 0, saying({"models": []}), []),
    ("a gateway to models elsewhere", 2, saying(GATEWAY), []),
    ("the same in another place", 1, saying(GATEWAY), []),
    ("llama.cpp in Ollama's place", 0, saying(GATEWAY), []),
    ("a redirect", 0, saying({}, 307, {"Location": "http://192.0.2.1/api/tags"}), []),
    ("Open WebUI", 2, sending(b"<!doctype html><title>Open WebUI</title>", headers={"Content-Type": "text/html"}), []),
    ("another program", 2, saying({"data": [{"id": "4711"}, 7, {"owned_by": "llamacpp", "id": 7}, {"owned_by": 7, "id": "x"}]}), []),
    ("a list of another kind", 2, saying({"data": {"id": "x"}}), []),
    ("no object", 0, saying(["x"]), []),
    ("a key is needed", 1, saying({"error": "unauthorized"}, 401), []),
]  # fmt: skip
"""Who answers, at the place of Ollama, LM Studio or llama.cpp, what it says, and what is found."""
ANSWER = "Water ferns twice a week [1]."


@contextlib.asynccontextmanager
async def serving(
    monkeypatch: pytest.MonkeyPatch, listing: Handler, at: int = 0, seconds: float = 60
) -> AsyncIterator[list[str]]:
    """A program with models in the place of Ollama, LM Studio or llama.cpp; the paths that it is asked for."""
    asked: list[str] = []

    def noting(behave: Handler) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            asked.append(request.path)
            return await behave(request)

        return handle

    async def embed(request: web.Request) -> web.Response:
        texts = (await request.json())["input"]
        rows = [{"index": at, "embedding": [1.0, float(len(text))]} for at, text in enumerate(texts)]
        return web.json_response({"data": rows})

    routes = (
        web.get("/api/tags", noting(listing)),
        web.get("/v1/models", noting(listing)),
        web.post("/v1/chat/completions", noting(streaming(ANSWER))),
        web.post("/v1/embeddings", noting(embed)),
    )
    async with serving_routes(*routes) as url:
        nowhere = LocalServer("http://127.0.0.1:1", "/v1/models")
        monkeypatch.setattr(local_models, "SERVERS", (nowhere, replace(SERVERS[at], url=url)))
        monkeypatch.setattr(local_models, "_SECONDS", seconds)
        yield asked


@pytest.mark.parametrize(
    ("at", "listing", "found"), [one[1:] for one in LISTS], ids=[one[0] for one in LISTS]
)
async def test_what_runs_here_is_read_from_the_list_of_each_program(
    at: int, listing: Handler, found: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(monkeypatch, listing, at):
        assert [(one.title, one.use.value) for one in await find_models()] == found


async def test_a_program_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(_: web.Request) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError("the client has hung up")

    async with serving(monkeypatch, wait, seconds=0.3) as asked:
        assert await find_models() == []
        assert asked == ["/api/tags"]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "plants"
    folder.mkdir()
    (folder / "fern.md").write_text("# Ferns\n\nWater a fern twice a week.\n", "utf-8")
    return folder


def source_of(docs: Path, embedder: Embedder | None = None) -> FolderSource:
    cache = docs.parent / "cache"
    return FolderSource(docs, document_base="", cache=cache, may_add=True, embedder=embedder)


async def ask(source: FolderSource) -> str:
    async with contextlib.aclosing(source.answer("How often do I water a fern?")) as events:
        return text_of([event async for event in events])


@contextlib.asynccontextmanager
async def opened(source: FolderSource) -> AsyncIterator[FolderSource]:
    try:
        await source.open()
        await source.wait_until_read()
        yield source
    finally:
        await source.close()


async def test_one_click_chooses_a_model_and_one_click_leaves_it(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(monkeypatch, saying(OLLAMA)):
        async with opened(source_of(docs)) as source:
            models = LocalModels(source)
            await models.open()
            assert not await models.choose(ModelUse.WRITING)  # nothing was offered yet
            await models.look()
            assert models.used == {}
            assert "Water a fern twice" in await ask(source)
            assert await models.choose(ModelUse.WRITING)
            assert await ask(source) == ANSWER

        source = source_of(docs)
        models = LocalModels(source)
        await models.open()  # another process, later
        async with opened(source):
            assert models.used[ModelUse.WRITING].title == "llama3.2"
            assert await ask(source) == ANSWER
            await models.leave(ModelUse.WRITING)
            assert "Water a fern twice" in await ask(source)


async def test_what_runs_again_later_is_used_again(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists: list[object] = [{"models": []}, GATEWAY, OLLAMA]

    async def answer(_: web.Request) -> web.Response:
        return web.json_response(lists.pop(0))

    async with serving(monkeypatch, answer), opened(source_of(docs)) as source:
        kept = {"writing": {"server": local_models.SERVERS[1].url, "model": "llama3.2:latest"}}
        (source.home / "models.json").write_text(json.dumps(kept), "utf-8")
        models = LocalModels(source)
        await models.open()
        assert models.used == {}
        await models.look()  # another program has the port
        assert models.used == {}
        assert "Water a fern twice" in await ask(source)
        await models.look()
        assert await ask(source) == ANSWER


async def test_what_a_person_decided_goes_before_what_the_operator_would_take(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(monkeypatch, saying(OLLAMA)):
        source = source_of(docs)
        source.home.mkdir(parents=True)
        (source.home / "models.json").write_text('{"writing": null}', "utf-8")
        models = LocalModels(source, takes_first=True)
        await models.open()
        assert models.used == {}
        await source.close()


async def test_an_embedding_model_is_chosen_and_left(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(monkeypatch, saying(OLLAMA)) as asked, opened(source_of(docs)) as source:
        models = LocalModels(source)
        await models.look()
        assert await models.choose(ModelUse.MEANING)
        await until(lambda: source.knows_meaning)
        assert "/v1/embeddings" in asked
        assert (await source.facts())["meaning"] == "1 of 1"
        await models.leave(ModelUse.MEANING)
        assert "meaning" not in await source.facts()
        assert "Water a fern twice" in await ask(source)


async def until(holds: Any) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        "[]",
        '{"writing": 7}',
        '{"reading": null}',
        '{"writing": {"server": "http://192.0.2.1:11434", "model": "x"}}',
    ],
)
async def test_a_choice_that_is_none_is_not_followed(docs: Path, kept: str) -> None:
    source = source_of(docs)
    source.home.mkdir(parents=True)
    (source.home / "models.json").write_text(kept, "utf-8")
    models = LocalModels(source)
    await models.open()
    assert models.used == {}
    await source.close()


async def test_the_page_offers_what_is_found(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        serving(monkeypatch, saying(OLLAMA)),
        running(source_of(docs), docs=docs, local_models=LocalModelOptions()) as bot,
        aiohttp.ClientSession(f"http://{bot}") as session,
    ):
        path = "/local/models"
        offered = {"writing": {"title": "llama3.2", "used": False}}
        assert await read(session, path) == offered
        async with session.get(path, headers={"Sec-Fetch-Site": "cross-site"}) as response:
            assert response.status == 403
        async with session.put(f"{path}/writing", headers={"Origin": "http://evil.example"}) as response:
            assert response.status == 403
        async with session.put(f"{path}/reading") as response:
            assert response.status == 404
        assert await read(session, path) == offered
        async with session.put(f"{path}/writing") as response:
            assert response.status == 204
        assert await read(session, path) == {"writing": {"title": "llama3.2", "used": True}}
        async with asyncio.timeout(60):
            while (await read(session, "/readyz"))["model answers"] != "yes":
                await asyncio.sleep(0.01)
        async with session.delete(f"{path}/writing") as response:
            assert response.status == 204
        assert await read(session, path) == offered


async def read(session: aiohttp.ClientSession, path: str) -> Any:
    async with session.get(path) as response:
        assert response.status == 200
        return await response.json()


async def test_a_bot_that_others_can_reach_looks_for_none(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    credentials = Credentials(app_id="00000000-0000-0000-0000-000000000001", password="x")
    off = LocalModelOptions(mode="off")
    async with serving(monkeypatch, saying(OLLAMA)) as asked:
        for settings in (
            {"credentials": credentials, "local_models": LocalModelOptions()},
            {"local_models": off},
        ):
            async with (
                running(source_of(docs), docs=docs, **settings) as bot,
                aiohttp.ClientSession() as session,
                session.get(f"http://{bot}/local/models") as response,
            ):
                assert response.status == 404
        assert asked == []
    with pytest.raises(SettingsError, match="LOCAL_MODEL=auto is for a bot without credentials"):
        Settings.from_env({"LOCAL_MODEL": "auto", "MicrosoftAppId": credentials.app_id})
    with pytest.raises(SettingsError, match="LOCAL_MODEL=always"):
        Settings.from_env({"LOCAL_MODEL": "always"})


async def test_the_first_one_is_taken_where_the_operator_says_so(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(monkeypatch, saying(OLLAMA)):
        source = source_of(docs)
        models = LocalModels(source, takes_first=True)
        await models.open()
        assert models.used[ModelUse.WRITING] == LocalModel(
            local_models.SERVERS[1].url, "llama3.2:latest", ModelUse.WRITING
        )
        assert not (source.home / "models.json").exists()
        await source.close()
        for name, value in {"EMBEDDINGS": "false", "DOCS_DIR": "", "LOCAL_MODEL": ""}.items():
            monkeypatch.setenv(name, value)  # the command writes its options there, too
        words = ["ask", "--docs", str(docs), "--model", "auto", "--json", "How often do I water a fern?"]
        assert await asyncio.to_thread(app.main, words) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["text"] == ANSWER
    assert await asyncio.to_thread(app.main, words) == 0
    out, errors = capsys.readouterr()
    assert "Water a fern twice" in json.loads(out)["text"]
    assert "no model answers on this machine" in errors
