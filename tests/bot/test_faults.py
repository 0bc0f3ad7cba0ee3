"""How a connector can fail, and what becomes of an answer then: it is given once, or the channel is told.

Each row is met by a whole answer, by the end of a streamed one on Web Chat and on Teams, by a piece of
each stream, and by the first and the second of several messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Final

import pytest

from bot.config.timeouts import Timeouts
from citations import ReferencesFound

from .fault_connector import (
    BEGUN,
    PACE,
    REST,
    Behaviour,
    FaultConnector,
    Question,
    answered_once,
    cut_after_send,
    cut_while_answering,
    failing,
    hanging,
    never_ending,
    no_http,
    question,
    refusing,
    slowly,
    taking,
    well,
    well_and_gone,
    well_for_the_last_time,
)
from .running import running
from .scripted_source import ScriptedSource
from .streamed_answers import FOUND, GUIDES, SENTENCE

HURRIED: Final = replace(PACE, sending=1)
"""For the rows in which a connector hangs."""
HTML: Final = b"<!doctype html><title>Gateway</title><p>canary-of-the-gateway"
CROSSING: Final = "closing what it said it would keep"
"""What is sent meanwhile crosses the end of its connection: nobody knows whether it arrives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a connector does, and what has to become of a message that is sent to it.

    ``tries`` is how often the bot sends it at most; ``reached`` whether the person has it after that;
    where not, the channel is told, and sends the question again.
    """

    does: Iterable[Behaviour]
    tries: int = 1
    reached: bool = True
    timeouts: Timeouts = PACE


def forever(behaviour: Behaviour) -> Iterable[Behaviour]:
    return repeat(behaviour)


ROWS: Final = {
    "none": Row(does=[]),
    "slow": Row(does=[slowly(0.5)]),
    "hanging": Row(does=[hanging], timeouts=HURRIED),
    "answering without end": Row(does=[never_ending], timeouts=HURRIED),
    "429": Row(does=[refusing(429)], tries=2),
    "429, come again in a second": Row(does=[refusing(429, Retry_After="1")], tries=2),
    "429 twice": Row(does=[refusing(429, Retry_After="0")] * 2, tries=3),
    "429 for ever": Row(does=forever(refusing(429, Retry_After="0")), tries=3, reached=False),
    "412": Row(does=[refusing(412)], tries=2),
    "502 with HTML": Row(does=[refusing(502, HTML, "text/html")], tries=2),
    "502 for ever": Row(does=forever(refusing(502, HTML, "text/html")), tries=3, reached=False),
    "503, come again at once": Row(does=[refusing(503, Retry_After="0")], tries=2),
    "503 for ever": Row(does=forever(refusing(503)), tries=3, reached=False),
    "504": Row(does=[refusing(504)], tries=2),
    "500": Row(does=[refusing(500)], reached=False),
    "400 for ever": Row(does=forever(refusing(400)), tries=2, reached=False),
    "403 for ever": Row(does=forever(refusing(403)), tries=2, reached=False),
    "404 for ever": Row(does=forever(refusing(404, HTML, "text/html")), tries=2, reached=False),
    "302 for ever": Row(does=forever(refusing(302, Location="/elsewhere")), tries=2, reached=False),
    "200 with HTML": Row(does=[taking(HTML, "text/html")]),
    "200 with nothing": Row(does=[taking(b"", "application/json")]),
    "200 with half a JSON": Row(does=[taking(b'{"id": "a')]),
    "200 with JSON of another kind": Row(does=[taking(b"[1]")]),
    "200 with a null": Row(does=[taking(b"null")]),
    "202 with nothing": Row(does=[taking(b"", "text/plain", 202)]),
    "cut after send": Row(does=[cut_after_send]),
    "cut while answering": Row(does=[cut_while_answering]),
    "no HTTP": Row(does=[no_http]),
    CROSSING: Row(does=[well_for_the_last_time], reached=False),
}
rows = pytest.mark.parametrize("name", ROWS)


@pytest.fixture
def row(name: str) -> Row:
    return ROWS[name]


@pytest.fixture
def source() -> ScriptedSource:
    return ScriptedSource()


async def answer_whole(source: ScriptedSource, bot: str, connector: FaultConnector, asked: Question) -> None:
    """An answer that is there at once."""
    source.tell("q", FOUND, BEGUN + REST, None)
    await asked.send(bot)


async def streamed(source: ScriptedSource, bot: str, connector: FaultConnector, asked: Question) -> None:
    """An answer whose end is there when its beginning has been sent."""
    pieces = len(connector.asked["interim"])
    source.tell("q", FOUND, BEGUN)
    sending = asyncio.create_task(asked.send(bot))
    await connector.came("interim", pieces + 1)
    source.tell("q", REST, None)
    await sending


STREAMED = ["webchat", "msteams"]
ENDS = [("webchat", answer_whole), *((channel_id, streamed) for channel_id in STREAMED)]


@pytest.mark.parametrize(("channel_id", "ask"), ENDS)
@rows
async def test_the_end_of_an_answer(
    source: ScriptedSource, name: str, row: Row, channel_id: str, ask: Callable[..., Awaitable[None]]
) -> None:
    async with failing(channel_id, final=row.does) as connector:
        asked = question(connector, "q")
        async with running(source, timeouts=row.timeouts) as bot:
            await ask(source, bot, connector, asked)
            tried = [
                activity for activity in connector.asked["final"] if activity["text"].startswith(BEGUN + REST)
            ]
            if asked.failed:
                answered_once(connector, asked)
                await ask(source, bot, connector, asked)
            if not asked.failed:  # channels deliver at least once
                await answer_whole(source, bot, connector, asked)
        given = answered_once(connector, asked)
    assert len(tried) <= (row.tries if ask is answer_whole else 2 * row.tries)
    if row.reached:
        assert asked.statuses == [201, 201]
        assert given[0]["text"].startswith(BEGUN + REST)


@pytest.mark.parametrize("channel_id", STREAMED)
@rows
async def test_a_piece_of_a_stream(source: ScriptedSource, name: str, row: Row, channel_id: str) -> None:
    async with failing(channel_id, interim=row.does) as connector:
        asked = question(connector, "q")
        async with running(source, timeouts=row.timeouts) as bot:
            await streamed(source, bot, connector, asked)
        given = answered_once(connector, asked)
    assert asked.statuses == [201]
    assert given or name == CROSSING
    assert all(one["text"].startswith(BEGUN + REST) for one in given)


@rows
async def test_a_sign_of_life(source: ScriptedSource, name: str, row: Row) -> None:
    async with failing(dots=row.does) as connector:
        asked = question(connector, "q")
        async with running(source, timeouts=replace(row.timeouts, typing_after=0.01)) as bot:
            sending = asyncio.create_task(asked.send(bot))
            await connector.came("dots")
            source.tell("q", FOUND, BEGUN + REST, None)
            await sending
        given = answered_once(connector, asked)
    assert asked.statuses == [201]
    assert given or name == CROSSING
    assert all(one["text"].startswith(BEGUN + REST) for one in given)


def tell_several(source: ScriptedSource) -> None:
    texts = (f"Paragraph {number}. {SENTENCE * 5}\n\n" for number in (1, 2, 3))
    source.tell("q", ReferencesFound(GUIDES), *texts, None)


SEVERAL = ("Paragraph 1.", "Paragraph 2.", "Paragraph 3.", "(1) Guide 1")


@pytest.mark.parametrize("before", [0, 1], ids=["the first", "the second"])
@rows
async def test_one_of_several_messages(source: ScriptedSource, name: str, row: Row, before: int) -> None:
    async with failing("sms", final=chain([well] * before, row.does)) as connector:
        asked, more = question(connector, "q"), question(connector, "more", id="more")
        async with running(source, timeouts=row.timeouts) as bot:
            tell_several(source)
            await asked.send(bot)
            if asked.failed:
                answered_once(connector, asked, *SEVERAL)
                tell_several(source)
                await asked.send(bot)
            if not asked.failed:
                tell_several(source)
                await asked.send(bot)
            given = answered_once(connector, asked, *SEVERAL)
            if 1 < len(given) < 4:
                await more.send(bot)
                given = answered_once(connector, more, *SEVERAL)
    if row.reached:
        assert asked.statuses == [201, 201]
        assert len(given) == 4


async def test_a_closed_port(source: ScriptedSource) -> None:
    """The channel is told, and what it sends again is answered when the port is open."""
    async with failing(listens=False) as connector:
        asked = question(connector, "q")
        async with running(source, timeouts=PACE) as bot:
            await answer_whole(source, bot, connector, asked)
            assert asked.failed
            await connector.listen()
            await answer_whole(source, bot, connector, asked)
        [given] = answered_once(connector, asked)
    assert not asked.failed
    assert given["text"].startswith(BEGUN + REST)


async def test_a_port_that_is_open_again_soon(source: ScriptedSource) -> None:
    async with failing(listens=False) as connector:
        asked = question(connector, "q")
        async with running(source, timeouts=PACE) as bot:
            sending = asyncio.create_task(answer_whole(source, bot, connector, asked))
            await asyncio.sleep(0.2)
            await connector.listen()
            await sending
            if asked.failed:
                await answer_whole(source, bot, connector, asked)
        [given] = answered_once(connector, asked)
    assert given["text"].startswith(BEGUN + REST)


@pytest.mark.parametrize("channel_id", STREAMED)
async def test_a_port_that_closes_in_a_stream(source: ScriptedSource, channel_id: str) -> None:
    async with failing(channel_id, interim=[well_and_gone]) as connector:
        asked = question(connector, "q")
        async with running(source, timeouts=PACE) as bot:
            await streamed(source, bot, connector, asked)
            if asked.failed:
                await connector.listen()
                await streamed(source, bot, connector, asked)
        answered_once(connector, asked)


async def test_a_connector_that_hangs_holds_no_request_up(source: ScriptedSource) -> None:
    """Channels give up after 15 s, of which the excuse gets no more than is left."""
    timeouts = replace(PACE, budget=4, sending=3.5)
    async with failing(final=forever(hanging)) as connector, running(source, timeouts=timeouts) as bot:
        asked = question(connector, "q")
        async with asyncio.timeout(6.5):
            await answer_whole(source, bot, connector, asked)
    assert asked.statuses == [201]
    assert len(answered_once(connector, asked)) == 1


async def test_an_answer_that_follows_is_patient(source: ScriptedSource) -> None:
    """Nobody waits for a response then, and nobody could be told of a failure."""
    timeouts = replace(PACE, budget=0.5, sending=0.5)
    busy = refusing(503, Retry_After="1")
    async with failing(final=[busy] * 6) as connector, running(source, timeouts=timeouts) as bot:
        asked = question(connector, "q")
        source.tell("q", 0.7, FOUND, BEGUN + REST, None)
        await asked.send(bot)
        assert asked.statuses == [201]
        await connector.took("message")
        [given] = answered_once(connector, asked)
    assert given["text"].startswith(BEGUN + REST)
