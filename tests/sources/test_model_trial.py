"""A model is tried when the bot starts: what is wrong with it, by what real servers respond."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from bot.config.language_model import explain_unused
from bot.sources import model_writer
from bot.sources.folder import FolderSource
from bot.sources.open_ai import OpenAIWriter
from tests.bot.running import running
from tests.model_server import END, Handler, ModelServer, ScriptedReply, chunk, model_server, saying, sending

PAGE = {"Content-Type": "text/html; charset=utf-8"}
PLAIN = {"Content-Type": "text/plain"}
TRIALS: list[tuple[str, Handler, str | None]] = [
    ("a key that OpenAI refuses", saying({"error": {"message": "Incorrect API key provided: sk-x.", "code": "invalid_api_key"}}, 401), "model_key_refused"),
    ("a key that Google refuses", saying([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}], 400), "model_key_refused"),
    ("a model that OpenAI has not", saying({"error": {"message": "The model `m` does not exist or you do not have access to it.", "code": "model_not_found"}}, 404), "model_unknown"),
    ("a model that Ollama has not", saying({"error": {"message": 'model "m" not found, try pulling it first', "type": "api_error"}}, 404), "model_unknown"),
    ("a model that OpenRouter has not", saying({"error": {"message": "m is not a valid model ID", "code": 400}, "user_id": "u"}, 400), "model_unknown"),
    ("a model that Mistral has not", saying({"object": "error", "message": "Invalid model: m", "type": "invalid_model", "code": "1500"}, 400), "model_unknown"),
    ("a model that Open WebUI has not", saying({"detail": "Model not found"}, 400), "model_unknown"),
    ("a request that is refused", saying({"error": {"message": "Unsupported value: stream."}}, 400), "model_unreachable"),
    ("Ollama without /v1", sending(b"404 page not found", status=404, headers=PLAIN), "model_not_there"),
    ("FastAPI without that path", saying({"detail": "Not Found"}, 404), "model_not_there"),
    ("a web page", sending(b"<!doctype html><title>Models</title>", headers=PAGE), "model_not_there"),
    ("a gateway that fails", saying({"error": "bad gateway"}, 502), "model_unreachable"),
    ("an answer", sending(b'data: {"choices": [{"delta": {"content": "ready"}}]}\n\n'), None),
]  # fmt: skip


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as serving:
        yield serving


@pytest.mark.parametrize(("behave", "problem"), [one[1:] for one in TRIALS], ids=[one[0] for one in TRIALS])
async def test_a_trial_tells_what_is_wrong(
    behave: Handler, problem: str | None, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.behave = behave
    writer = server.writer()
    assert writer.facts() == {"model": "test-model", "model API": "openai", "model answers": "not asked yet"}
    await writer.try_once()
    facts = writer.facts()
    await writer.close()
    assert facts.get("model problem") == problem
    assert str(facts["model answers"]).startswith("no: " if problem else "yes")
    assert len(server.bodies) <= 3
    assert "sk-" not in str(facts)


async def test_a_server_that_is_down_and_one_that_is_slow(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = OpenAIWriter(base_url="http://127.0.0.1:1/v1", model="m")
    await nowhere.try_once()
    assert nowhere.facts()["model problem"] == "model_unreachable"
    await nowhere.close()
    monkeypatch.setattr(model_writer, "_TRIAL", 0.2)
    waiting = asyncio.Event()

    async def wait(_: object) -> object:
        await waiting.wait()
        raise AssertionError("the client has hung up")

    server.behave = wait  # type: ignore[assignment]
    writer = server.writer()
    await writer.try_once()
    assert writer.facts()["model problem"] == "model_slow"
    server.behave = told = ScriptedReply()
    told.send(b"data: ", END)
    await writer.try_once()
    assert "model problem" not in writer.facts()
    server.behave = thinking = ScriptedReply()
    thinking.send(chunk("Okay"))
    await writer.try_once()
    assert writer.facts()["model answers"] == "yes", "it thinks for a long time"
    await writer.close()


async def test_the_bot_listens_at_once_and_the_page_has_the_sentence(
    server: ModelServer, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    asked = asyncio.Event()

    async def behave(request: web.Request) -> web.StreamResponse:
        await asked.wait()
        return await sending(b"data: {}\n\n", END)(request)

    server.behave = behave
    source = FolderSource(
        tmp_path / "docs", document_base="", cache=tmp_path / "cache", writer=server.writer()
    )
    async with running(source) as bot, aiohttp.ClientSession() as session:
        facts = await read(session, f"http://{bot}/readyz")
        assert facts["model answers"] == "not asked yet"
        asked.set()
        async with asyncio.timeout(60):
            while (facts := await read(session, f"http://{bot}/readyz"))["model answers"] != "yes":
                await asyncio.sleep(0.01)
        assert "model problem" not in facts


async def read(session: aiohttp.ClientSession, url: str) -> dict[str, object]:
    async with session.get(url) as response:
        found: dict[str, object] = await response.json()
        return found


def test_a_variable_without_effect_is_explained() -> None:
    assert "OPENAI_MODEL is not" in (explain_unused({"OPENAI_API_KEY": "k"}) or "")
    assert explain_unused({"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}) is None
    assert explain_unused({}) is None
    assert "ANTHROPIC_MODEL is not" in (explain_unused({"ANTHROPIC_API_KEY": "k"}) or "")
    assert explain_unused({"ANTHROPIC_MODEL": "m", "OPENAI_API_KEY": "k"}) is None
    assert "is not used" in (explain_unused({"ANTHROPIC_MODEL": "m", "OPENAI_MODEL": "m"}) or "")
