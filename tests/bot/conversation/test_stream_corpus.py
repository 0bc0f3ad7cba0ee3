"""Every stream of a corpus, cut at random, is taken by a channel that enforces its rules."""

from __future__ import annotations

import asyncio
import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it.utils import read_fixture_file

from citations import AnswerEvent, Reference, ReferencesFound, Rendering, RenderingStream, TextDelta, channel
from tests.bot.running import running, send
from tests.bot.scripted_source import ScriptedSource
from tests.bot.streamed_answers import SCALED, read_message, write_question
from tests.bot.streaming_connector import (
    StreamingConnector,
    TeamsConnector,
    WebChatConnector,
    metadata,
    serving,
)
from tests.commonmark import texts

MARKERS = Path(__file__).parents[2] / "corpus" / "markers" / "numbered.md"
REFERENCES = tuple(
    Reference(id=name, name=f"Document {name}", url=f"https://example.com/{name}")
    for name in (*"123456789", "doc10")
)
STREAMS = 60
"""How many texts of each kind; a different sample would do as well."""


def corpus() -> list[str]:
    """Texts with markers, and CommonMark's examples in threes, so that they have something to show early."""
    chance = random.Random(3)
    marked = [given for _, _, given, _ in read_fixture_file(MARKERS)]
    examples = [
        "\n\n".join(f"{text.strip()} [{chance.randint(1, 9)}]" for text in chance.sample(texts(), 3))
        for _ in range(STREAMS)
    ]
    return chance.sample(marked, min(STREAMS, len(marked))) + examples


@pytest.mark.parametrize("kind", [WebChatConnector, TeamsConnector])
async def test_every_stream_of_the_corpus_is_taken(kind: type[StreamingConnector]) -> None:
    source, chance = ScriptedSource(), random.Random(7)
    timeouts = replace(SCALED, budget=60, patience=60, stream_limit=60, replaced_every=0.05)
    one_by_one = asyncio.Semaphore(8)
    answers = dict(enumerate(corpus()))
    async with serving(kind()) as connector, running(source, timeouts=timeouts) as bot:
        if isinstance(connector, WebChatConnector):
            connector.every = timeouts.replaced_every

        told = {number: events(text, chance) for number, text in answers.items()}

        async def ask(number: int) -> int:
            for event in told[number]:
                source.tell(f"q{number}", event, 0.06)
            source.tell(f"q{number}", None)
            async with one_by_one:
                return (await send(bot, write_question(connector, f"q{number}", conversation=f"c{number}")))[
                    0
                ]

        assert set(await asyncio.gather(*map(ask, answers))) == {201}
    assert connector.broken == []
    for number, text in answers.items():
        taken = connector.of(f"c{number}")
        rendering = closed(told[number], connector.channel_id)
        assert read_message(taken[-1]) == (rendering.text, list(rendering.entities)), text
        assert [activity["type"] for activity in taken].count("message") == 1
    # Most of them have been seen to grow.
    assert sum("streamSequence" in metadata(activity) for activity in connector.taken) > len(answers)


def events(text: str, chance: random.Random) -> list[AnswerEvent]:
    """``text`` in up to eight pieces, with the references before, between or after them."""
    cuts = sorted(chance.sample(range(len(text) + 1), min(len(text), chance.randint(1, 7))))
    pieces: list[AnswerEvent] = [
        TextDelta(text[start:end]) for start, end in itertools.pairwise([0, *cuts, len(text)])
    ]
    pieces.insert(chance.randint(0, len(pieces)), ReferencesFound(REFERENCES))
    return pieces


def closed(told: list[AnswerEvent], channel_id: str) -> Rendering:
    """What the library makes of the same events, none of which was shown before the end."""
    stream = RenderingStream(channel(channel_id))
    for event in told:
        stream.feed(event)
    return stream.close()
