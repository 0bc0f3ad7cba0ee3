"""Thoughts of which a model's server sends only the end, from its socket to those of the channels."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.app.settings import SAMPLES
from bot.sources.folder import FolderSource
from bot.sources.open_ai import OpenAIWriter
from tests.bot.running import running, send
from tests.bot.streamed_answers import SCALED, write_question
from tests.bot.streaming_connector import (
    StreamingConnector,
    TeamsConnector,
    WebChatConnector,
    metadata,
    serving,
)
from tests.model_server import (
    DONE,
    END,
    ModelServer,
    ScriptedReply,
    chunk,
    model_server,
    saying,
    streaming,
)

QUESTION = "What is the hotel limit in Zurich?"
THOUGHT = "Okay, source 1 [1] says 220 CHF."
SAID = "It is 220 CHF [1]."


def samples(cache: Path, writer: OpenAIWriter) -> FolderSource:
    return FolderSource(SAMPLES, document_base="", cache=cache, writer=writer)


async def ask(
    bot: str, connector: StreamingConnector, model: ModelServer, *, shows: bool = False
) -> list[str]:
    """What the channel shows, one text after the other, of an answer whose thoughts last a while."""
    before = len(connector.taken)
    model.behave = reply = ScriptedReply()
    turn = asyncio.create_task(send(bot, write_question(connector, QUESTION, id=f"q{before}")))
    reply.send(chunk(f"{THOUGHT}\n"))
    await (connector.next("streaming", after=before) if shows else asyncio.sleep(0.2))
    reply.send(chunk("</th"), chunk("ink>\n\n"), chunk(SAID, "stop"), DONE, END)
    await turn
    told = [one for one in connector.taken[before:] if metadata(one).get("streamType") != "informative"]
    return [one["text"] for one in told if one.get("text")]


async def tried(source: FolderSource) -> None:
    async with asyncio.timeout(60):
        while (await source.facts())["model answers"] != "yes":
            await asyncio.sleep(0.01)


async def test_shown_thoughts_are_replaced_and_those_of_the_next_answer_are_not_shown(tmp_path: Path) -> None:
    async with model_server() as model, serving(WebChatConnector()) as web_chat:
        source = samples(tmp_path, model.writer())
        async with running(source, timeouts=SCALED) as bot:
            await tried(source)
            first = await ask(bot, web_chat, model, shows=True)
            assert first[0].startswith("Okay")
            assert first[-1].startswith(SAID)
            assert "Okay" not in first[-1]
            second = await ask(bot, web_chat, model)
            assert second[-1].startswith(SAID)
            assert "Okay" not in "".join(second)
    assert web_chat.broken == []


@pytest.mark.parametrize("kind", [WebChatConnector, TeamsConnector])
async def test_what_the_trial_learns_counts_for_the_first_answer(
    kind: type[StreamingConnector], tmp_path: Path
) -> None:
    async with model_server() as model, serving(kind()) as connector:
        model.behave = streaming("Okay, ready?\n</think>\n\nready")
        source = samples(tmp_path, model.writer())
        async with running(source, timeouts=SCALED) as bot:
            await tried(source)
            told = await ask(bot, connector, model)
            assert told[-1].startswith("It is 220 CHF")
            assert "Okay" not in "".join(told)
    assert connector.broken == []


async def test_a_whole_reply_is_read_without_them(tmp_path: Path) -> None:
    async with model_server() as model, serving(TeamsConnector()) as teams:
        message = {"content": f"{THOUGHT}</think>{SAID}"}
        model.behave = saying({"choices": [{"message": message, "finish_reason": "stop"}]})
        async with running(samples(tmp_path, model.writer()), timeouts=SCALED) as bot:
            await send(bot, write_question(teams, QUESTION))
        assert teams.taken[-1]["text"].startswith("It is 220 CHF")
    assert teams.broken == []
