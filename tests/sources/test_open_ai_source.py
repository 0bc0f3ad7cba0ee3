"""A model that searches by itself as the source: what it is asked, and what a person reads."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.config.env import SettingsError
from bot.sources import AnswerSource
from bot.sources.errors import AnswerCut, KeyRefused, UnknownModel
from citations import Rendering, RenderingStream, channel

from ..model_server import saying
from .faults import SOON
from .writer_server import Handler

CORPUS = Path(__file__).parents[1] / "corpus" / "suppliers" / "openai"
KEY = "sk-secret-0123456789"


def replaying(name: str) -> Handler:
    """Answers with a recorded response, an event at a time."""

    async def behave(request: web.Request) -> web.StreamResponse:
        kind = "text/event-stream" if name.endswith(".sse") else "application/json"
        response = web.StreamResponse(headers={"Content-Type": f"{kind}; charset=utf-8"})
        await response.prepare(request)
        for part in (CORPUS / name).read_bytes().split(b"\n\n"):
            await response.write(part + b"\n\n")
        return response

    return behave


@dataclass
class OpenAIServer:
    """What it was asked, and how it behaves."""

    behave: Handler = field(default_factory=lambda: replaying("url-citation.sse"))
    url: str = ""
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append((request.path, await request.json()))
        self.keys.append(request.headers["Authorization"])
        return await self.behave(request)

    def source(self, **environ: str) -> AnswerSource:
        given = {"OPENAI_BASE_URL": self.url, "OPENAI_API_KEY": KEY, "OPENAI_MODEL": "gpt-5"} | environ
        return choose(Settings.from_env({"ANSWER_SOURCE": "openai", **given}), "127.0.0.1:1")


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    serving = OpenAIServer()
    app = web.Application()
    app.router.add_post("/responses", serving.answer)
    app.router.add_post("/chat/completions", serving.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    serving.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield serving
    await runner.cleanup()


async def ask(source: AnswerSource, channel_id: str = "webchat") -> Rendering:
    """The answer as a channel gets it."""
    stream = RenderingStream(channel(channel_id))
    try:
        async with asyncio.timeout(SOON):
            async for one in source.answer("What is new?"):
                stream.feed(one)
    finally:
        await source.close()
    return stream.close()


# What it is asked


async def test_a_question_is_sent_alone_and_is_not_to_be_stored(server: OpenAIServer) -> None:
    await ask(server.source())
    body = {
        "model": "gpt-5",
        "stream": True,
        "store": False,
        "input": "What is new?",
        "tools": [{"type": "web_search"}],
    }
    assert server.requests == [("/responses", body)]
    assert server.keys == [f"Bearer {KEY}"]


async def test_vector_stores_are_searched_and_asked_for_their_passages(server: OpenAIServer) -> None:
    server.behave = replaying("file-citation.sse")
    await ask(server.source(OPENAI_VECTOR_STORE_IDS="vs_1, vs_2"))
    [(_, body)] = server.requests
    assert body["tools"] == [{"type": "file_search", "vector_store_ids": ["vs_1", "vs_2"]}]
    assert body["include"] == ["file_search_call.results"]


async def test_a_chat_may_search_too(server: OpenAIServer) -> None:
    server.behave = replaying("openrouter.json")
    rendering = await ask(server.source(OPENAI_API="chat"))
    [(path, body)] = server.requests
    assert (path, body["messages"]) == ("/chat/completions", [{"role": "user", "content": "What is new?"}])
    assert rendering.text


# What a person reads


@pytest.mark.parametrize(
    "file", ["url-citation.sse", "url-citation.json", "file-citation.sse", "azure-web-search.json"]
)
@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
async def test_each_badge_has_its_source(file: str, channel_id: str, server: OpenAIServer) -> None:
    server.behave = replaying(file)
    rendering = await ask(server.source(), channel_id)
    assert not rendering.problems
    if channel_id != "sms":
        claims: Any = rendering.entities[0]["citation"]
        assert claims
        assert all(f"[{claim['position']}]" in rendering.text for claim in claims)
    assert "utm_source=openai)" not in rendering.text


REFUSALS = [
    (
        saying({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, status=401),
        KeyRefused,
    ),
    (saying({"error": {"message": "The requested model 'gpt-5' does not exist."}}, status=404), UnknownModel),
    (
        saying(
            {
                "output": [
                    {
                        "type": "message",
                        "role": "assistant",
                        "content": [{"type": "output_text", "text": "It is", "annotations": []}],
                    }
                ],
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
            }
        ),
        AnswerCut,
    ),
]


@pytest.mark.parametrize(("behave", "error"), REFUSALS)
async def test_what_goes_wrong_is_told_apart(
    behave: Handler, error: type[Exception], server: OpenAIServer
) -> None:
    server.behave = behave
    with pytest.raises(error) as raised:
        await ask(server.source())
    assert KEY not in str(raised.value)


# Settings

FAULTS = [
    ({}, "ANSWER_SOURCE=openai needs OPENAI_MODEL, the model that searches and answers"),
    (
        {"OPENAI_MODEL": "m"},
        "OPENAI_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys",
    ),
    ({"OPENAI_MODEL": "m", "OPENAI_API": "graph"}, "OPENAI_API=graph is not known: use responses or chat"),
    (
        {"OPENAI_MODEL": "m", "OPENAI_VECTOR_STORE_IDS": "vs 1/2"},
        "1/2 in OPENAI_VECTOR_STORE_IDS is no id, such as vs_68a1",
    ),
    (
        {"OPENAI_MODEL": "m", "OPENAI_API": "chat", "OPENAI_VECTOR_STORE_IDS": "vs_1"},
        "OPENAI_VECTOR_STORE_IDS needs OPENAI_API=responses",
    ),
]


@pytest.mark.parametrize(("given", "fault"), FAULTS)
def test_settings_that_do_not_hold_are_named(given: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError) as raised:
        Settings.from_env({"ANSWER_SOURCE": "openai", **given})
    assert fault in raised.value.faults


async def test_health_says_which_model_answers(server: OpenAIServer) -> None:
    source = server.source()
    with contextlib.suppress(Exception):
        await ask(source)
    assert await source.facts() == {"source": "openai", "answers": "yes", "model": "gpt-5"}
