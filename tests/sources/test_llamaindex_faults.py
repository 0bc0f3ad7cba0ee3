"""Whatever the model behind an engine of LlamaIndex's does, a person gets one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType
from typing import Final

import pytest

from bot.languages import say
from bot.resilience.breaker import Breaker
from bot.sources.errors import AnswerEmpty, SourceBrokeOff, SourceTimedOut, SourceUnavailable
from bot.sources.llamaindex.failure import EngineFailed
from bot.sources.llamaindex.source import LlamaIndexSource
from citations import AnswerFormatError

from ..model_server import DONE, chunk
from .asking import collect_text
from .faults import (
    DEADLINE,
    FAULTS,
    FINISHES,
    PATIENCE,
    SOON,
    Fault,
    Good,
    cut,
    faulty_server,
    hurried,
    one_answer,
)
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
    **{
        name: replace(FAULTS[name], ends=say(AnswerEmpty.message))
        for name in (
            "HTML with 200",
            "nothing with 200",
            "nothing with 200, as JSON",
            "malformed JSON",
            "JSON of another kind",
            "10 MB of JSON",
        )
    },
}


HANGING: Final = {
    name
    for name, fault in FAULTS.items()
    if fault.ends in (say(SourceTimedOut.message), say(SourceTimedOut.suffix))
}


def patient(url: str) -> LlamaIndexSource:
    return hurried(asking(query_engine(url)), SOON, SOON)


def impatient(url: str) -> LlamaIndexSource:
    """OpenAI's client takes a while for its first request."""
    return hurried(asking(query_engine(url)), 2 * DEADLINE, 3 * PATIENCE)


@pytest.mark.parametrize("name", FAULTS)
async def test_one_answer(name: str) -> None:
    await one_answer(OTHERWISE.get(name, FAULTS[name]), GOOD, impatient if name in HANGING else patient)


@pytest.mark.parametrize("name", FINISHES)
async def test_one_answer_whose_model_finishes(name: str) -> None:
    await one_answer(FINISHES[name], GOOD, patient)


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
            said, error = await collect_text(source, "Berlin hotel train?")
            assert TEXT.startswith(said.partition("\n\n")[0])
            assert bool(said) == (place >= begun)
            if end:
                assert isinstance(error, NoneType if said else AnswerEmpty | AnswerFormatError)
            elif place < len(GOOD.body):
                assert isinstance(error, SourceBrokeOff if said else SourceUnavailable)
            if said:
                assert server.asked == 1, "an answer that has begun is not asked for again"
        await source.close()
        await server.everybody_left()
