"""Whatever the model behind an engine of LlamaIndex's does, a person gets one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType
from typing import Final

import pytest

from bot.conversation.outcome import UNREADABLE
from bot.messages import say
from bot.sources.errors import SourceBrokeOff, SourceError, SourceTimedOut, SourceUnavailable
from bot.sources.llamaindex.failure import EngineFailed
from bot.sources.llamaindex.source import LlamaIndexSource
from bot.sources.provider import Breaker
from citations import AnswerFormatError, TextDelta

from ..model_server import DONE, chunk
from .faults import DEADLINE, FAULTS, FINISHES, PATIENCE, SOON, Fault, Good, cut, faulty_server, one_answer
from .llamaindex_engines import asking, query_engine

TEXT = "A hotel in Berlin costs 140 € [1], a train more [2]."
WORDS = ("A hotel", " in Berlin", " costs 140 €", " [1]", ", a train", " more [2].")
GOOD = Good(
    pieces=(
        chunk("", role="assistant"),
        *map(chunk, WORDS),
        chunk(None, "stop"),
        b'data: {"choices": [], "usage": {"total_tokens": 9}}\n\n',
        DONE,
    ),
    piece=chunk,
    beginning="A hotel in Berlin costs 140 € [1]",
)
OTHERWISE: Final[Mapping[str, Fault]] = {
    # OpenAI's client raises for it, instead of giving it for an answer.
    "an error in an event": replace(FAULTS["an error in an event"], ends=say(EngineFailed.message)),
    # It looks for lines of events, and finds none.
    "10 MB of JSON": replace(FAULTS["10 MB of JSON"], ends=say(UNREADABLE.message)),
}


HANGING: Final = {
    name
    for name, fault in FAULTS.items()
    if fault.ends in (say(SourceTimedOut.message), say(SourceTimedOut.suffix))
}


def patient(url: str) -> LlamaIndexSource:
    return asking(query_engine(url), deadline=SOON, patience=SOON)


def impatient(url: str) -> LlamaIndexSource:
    """OpenAI's client takes a while for its first request."""
    return asking(query_engine(url), deadline=2 * DEADLINE, patience=3 * PATIENCE)


@pytest.mark.parametrize("name", FAULTS)
async def test_one_answer(name: str) -> None:
    await one_answer(OTHERWISE.get(name, FAULTS[name]), GOOD, impatient if name in HANGING else patient)


@pytest.mark.parametrize("name", FINISHES)
async def test_one_answer_whose_model_finishes(name: str) -> None:
    await one_answer(FINISHES[name], GOOD, patient)


async def ask(source: LlamaIndexSource) -> tuple[str, Exception | None]:
    """What came of an answer, and how it failed if it did."""
    said: list[str] = []
    try:
        async for one in source.answer("Berlin hotel train?"):
            if isinstance(one, TextDelta):
                said.append(one.text)  # noqa: PERF401 - a comprehension would lose them
    except (SourceError, AnswerFormatError) as error:
        return "".join(said), error
    return "".join(said), None


@pytest.mark.parametrize("end", [False, True], ids=["cut", "ended"])
async def test_a_stream_that_is_cut_anywhere_keeps_what_came(end: bool) -> None:
    """OpenAI's client takes one that ends well for the whole answer, wherever that is."""
    begun = sum(map(len, GOOD.pieces[:2]))
    places = range(0, len(GOOD.body) + 50, 50)
    async with faulty_server(GOOD, cut(0, end=end)) as server:
        source = patient(server.url)
        source.provider.breaker = Breaker(failures=len(places) + 1)
        for place in places:
            server.behave, server.asked = cut(place, end=end), 0
            said, error = await ask(source)
            assert TEXT.startswith(said.partition("\n\n")[0])
            assert bool(said) == (place >= begun)
            if end:
                assert isinstance(error, NoneType if said else AnswerFormatError)
            elif place < len(GOOD.body):
                assert isinstance(error, SourceBrokeOff if said else SourceUnavailable)
            if said:
                assert server.asked == 1, "an answer that has begun is not asked for again"
        await source.close()
        await server.everybody_left()
