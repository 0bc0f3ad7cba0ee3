"""A model that searches by itself as the source: what it is asked, and what a person reads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app.settings import Settings
from bot.config.env import SettingsError
from bot.sources.errors import AnswerCut, KeyRefused, UnknownModel

from ..model_server import Handler, saying
from .asking import ask_once
from .searching_server import KEY, SearchingServer, replaying, searching_server

CORPUS = Path(__file__).parents[1] / "corpus" / "suppliers" / "openai"
QUESTION = "What is new?"


@pytest.fixture
async def server() -> AsyncIterator[SearchingServer]:
    async with searching_server("openai", CORPUS / "url-citation.sse", OPENAI_MODEL="gpt-5") as serving:
        yield serving


# What it is asked


async def test_a_question_is_sent_alone_and_is_not_to_be_stored(server: SearchingServer) -> None:
    await ask_once(server.source(), QUESTION)
    body = {
        "model": "gpt-5",
        "stream": True,
        "store": False,
        "input": QUESTION,
        "tools": [{"type": "web_search"}],
    }
    assert server.asked == [("/responses", body)]
    assert server.keys == [f"Bearer {KEY}"]


async def test_vector_stores_are_searched_and_asked_for_their_passages(server: SearchingServer) -> None:
    server.behave = replaying(CORPUS / "file-citation.sse")
    await ask_once(server.source(OPENAI_VECTOR_STORE_IDS="vs_1, vs_2"), QUESTION)
    [(_, body)] = server.asked
    assert body["tools"] == [{"type": "file_search", "vector_store_ids": ["vs_1", "vs_2"]}]
    assert body["include"] == ["file_search_call.results"]


async def test_a_chat_may_search_too(server: SearchingServer) -> None:
    server.behave = replaying(CORPUS / "openrouter.json")
    rendering = await ask_once(server.source(OPENAI_API="chat"), QUESTION)
    [(path, body)] = server.asked
    assert (path, body["messages"]) == ("/chat/completions", [{"role": "user", "content": QUESTION}])
    assert rendering.text


# What a person reads


@pytest.mark.parametrize(
    "file", ["url-citation.sse", "url-citation.json", "file-citation.sse", "azure-web-search.json"]
)
@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
async def test_each_badge_has_its_source(file: str, channel_id: str, server: SearchingServer) -> None:
    server.behave = replaying(CORPUS / file)
    rendering = await ask_once(server.source(), QUESTION, channel_id)
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
    behave: Handler, error: type[Exception], server: SearchingServer
) -> None:
    server.behave = behave
    with pytest.raises(error) as raised:
        await ask_once(server.source(), QUESTION)
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


async def test_health_says_which_model_answers(server: SearchingServer) -> None:
    source = server.source()
    await ask_once(source)
    assert await source.facts() == {"source": "openai", "answers": "yes", "model": "gpt-5"}
