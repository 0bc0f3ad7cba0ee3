"""Many at once, those who come slowly, those who leave early, and the end: each question has one word."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import Final

import aiohttp
import pytest

from bot.conversation.outcome import CLOSING
from bot.languages import Sentence, say
from bot.sources.step import report_searching
from citations import AnswerEvent

from .command import ready, started
from .echo_source import ANSWER, Echo
from .fault_connector import (
    PACE,
    Behaviour,
    Exchange,
    FaultConnector,
    Question,
    answered_once,
    failing,
    hanging,
    question,
    slowly,
    well,
)
from .running import running

# A burst

MANY: Final = 1000


@contextlib.asynccontextmanager
async def burst() -> AsyncIterator[aiohttp.ClientSession]:
    """A client that has as many connections as it has requests."""
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    async with aiohttp.ClientSession(connector=connector) as session:
        yield session


def one_word_each(connector: FaultConnector, asked: list[Question]) -> Counter[str]:
    """How many were answered, put off with a sentence, and refused, where no conversation has two of them."""
    words: Counter[str] = Counter()
    for one in asked:
        given = answered_once(connector, one)
        if one.failed:
            assert (one.statuses, given) == ([503], [])
            words["refused"] += 1
        else:
            words["answered" if given and given[0]["text"].startswith(ANSWER) else "put off"] += 1
    return words


async def test_a_thousand_questions_at_once() -> None:
    async with failing() as connector, burst() as session:
        asked = [question(connector, str(n), conversation=f"c{n}") for n in range(MANY)]
        async with running(Echo(), timeouts=replace(PACE, budget=60, sending=60)) as bot:
            await asyncio.gather(*(one.send(bot, session) for one in asked))
        words = one_word_each(connector, asked)
    assert words.total() == MANY
    assert words["answered"] >= MANY / 10


async def test_a_thousand_questions_in_fifty_conversations() -> None:
    """What comes later in a conversation is not answered earlier."""
    source = Echo()
    async with failing() as connector, burst() as session:
        ticks = [
            [question(connector, str(n), conversation=f"c{c}", id=f"{c}-{n}") for c in range(50)]
            for n in range(20)
        ]
        async with running(source, timeouts=replace(PACE, sending=60)) as bot:
            source.gate.clear()
            sending = []
            for asked in ticks:
                sending += [asyncio.create_task(one.send(bot, session)) for one in asked]
                await taken_up(bot)
            source.gate.set()
            await asyncio.gather(*sending)
            accepted = [one for asked in ticks for one in asked if one.statuses == [201]]
            await connector.took("message", len(accepted))
        for c in range(50):
            texts = [
                activity["text"]
                for activity in connector.given(f"c{c}")
                if activity["text"] != say(Sentence.MAYBE_LOST)
            ]
            answers = [text for text in texts if text.startswith(ANSWER)]
            assert answers == sorted(set(answers), key=lambda text: int(text.removeprefix(ANSWER)[:-1]))
            assert len(texts) == sum(asked[c].statuses == [201] for asked in ticks)
    assert {one.statuses[0] for asked in ticks for one in asked} <= {201, 503}


async def taken_up(bot: str) -> None:
    """What was sent before has been read: who asks now is answered after it."""
    async with aiohttp.ClientSession() as session:
        for _ in range(2):
            async with session.get(f"http://{bot}/healthz") as response:
                await response.read()


# A connector that is slow


@dataclass(slots=True)
class Working(Echo):
    """Says what it does before it answers, as the sources do."""

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        report_searching("the manual")
        async for event in Echo.answer(self, question):
            yield event


@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
async def test_no_progress_message_delays_an_answer(channel_id: str) -> None:
    """An answer goes past a sign. It waits for the beginning of a stream of Teams, whose id it needs."""
    held = asyncio.Event()

    async def slow(exchange: Exchange) -> None:
        await held.wait()
        await well(exchange)

    source = Working()
    async with failing(channel_id, dots=repeat(slow), interim=repeat(slow)) as connector, burst() as session:
        asked = [question(connector, str(n), conversation=f"c{n}") for n in range(100)]
        soon = replace(PACE, budget=60, sending=60, patience=60, typing_after=0.01, typing_every=0.02)
        async with running(source, timeouts=soon) as bot:
            source.gate.clear()
            sending = [asyncio.create_task(one.send(bot, session)) for one in asked]
            first = "interim" if channel_id == "msteams" else "dots"
            await connector.came(first, 100)
            source.gate.set()
            if channel_id == "webchat":
                await connector.took("message", 100)
            await taken_up(bot)
            held.set()
            await asyncio.gather(*sending)
        assert {kind: len(came) for kind, came in connector.asked.items()} == {first: 100, "final": 100}
        assert one_word_each(connector, asked) == {"answered": 100}


# Clients that come slowly, or leave early


async def test_slow_clients_hold_nobody_up() -> None:
    async with failing() as connector, contextlib.AsyncExitStack() as stack:
        asked = question(connector, "q")
        async with running(Echo(), timeouts=PACE) as bot:
            for beginning in [b"POST /api/messages HTTP/1.1\r\nHost: ", head(bot, 1000) + b"{", b""] * 40:
                _, writer = await asyncio.open_connection(*bot.split(":"))
                stack.callback(writer.close)
                writer.write(beginning)
                await writer.drain()
            async with asyncio.timeout(60):
                assert await asked.send(bot) == 201
        assert len(answered_once(connector, asked)) == 1


def head(bot: str, length: int) -> bytes:
    lines = [
        "POST /api/messages HTTP/1.1",
        f"Host: {bot}",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode()


LEAVING = [("at once", 0.0, 5.0), ("while it is answered", 0.1, 5.0), ("after the budget", 0.3, 0.1)]


@pytest.mark.parametrize(("when", "after", "budget"), LEAVING)
async def test_the_client_is_gone(when: str, after: float, budget: float) -> None:
    """It has the answer in spite of that, and once, however often its channel sends the question again."""
    source = Echo()
    async with failing() as connector:
        asked = question(connector, "q")
        async with running(source, timeouts=replace(PACE, budget=budget)) as bot:
            source.gate.clear()
            body = json.dumps(asked.activity).encode()
            _, writer = await asyncio.open_connection(*bot.split(":"))
            writer.write(head(bot, len(body)) + body)
            await writer.drain()
            await asyncio.sleep(after)
            writer.close()
            await taken_up(bot)
            assert await asked.send(bot) == 201
            source.gate.set()
            await connector.took("message")
            assert await asked.send(bot) == 201
        assert len(answered_once(connector, asked)) == 1
    assert source.asked == ["q"]


async def test_the_client_is_gone_before_all_of_it_came() -> None:
    async with failing() as connector:
        asked = question(connector, "q")
        async with running(Echo(), timeouts=PACE) as bot:
            body = json.dumps(asked.activity).encode()
            _, writer = await asyncio.open_connection(*bot.split(":"))
            writer.write(head(bot, len(body)) + body[:-1])
            await writer.drain()
            writer.close()
            await taken_up(bot)
            assert connector.given("c1") == []
            assert await asked.send(bot) == 201
        assert len(answered_once(connector, asked)) == 1


# The end


UNDER_WAY: Final = 30


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
@pytest.mark.parametrize("behaviour", [slowly(1.0), hanging], ids=["slow", "hanging"])
async def test_it_is_told_to_end_under_load(docs: Path, behaviour: Behaviour) -> None:
    async with failing(final=repeat(behaviour)) as connector:
        asked = [
            question(connector, "How often do I water a fern?", conversation=f"c{n}")
            for n in range(UNDER_WAY)
        ]
        async with started("--docs", str(docs), "--port", "0") as process:
            bot = (await ready(process)).removeprefix("http://").removesuffix("/")
            sending = [asyncio.create_task(one.send(bot)) for one in asked]
            await connector.came("final", 5)
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(60):
                _, errors = await process.communicate()
            await asyncio.gather(*sending)
        assert (process.returncode, b"Traceback" in errors) == (0, False)
        for one in asked:
            for activity in answered_once(connector, one):
                text = activity["text"]
                assert "Water a fern" in text or text.startswith(say(CLOSING.message))
