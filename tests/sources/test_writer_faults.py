"""Whatever Writer's server does, a person gets one answer."""

from __future__ import annotations

import itertools

import pytest

from bot.config.answer_sources import WriterOptions
from bot.resilience.breaker import Breaker
from bot.sources.errors import SourcePaused
from bot.sources.writer import WriterSource
from citations import EventStreamError

from .asking import collect_text
from .faults import (
    FAULTS,
    FINISHES,
    STOP,
    Good,
    body,
    cut,
    faulty_server,
    hurried,
    one_answer,
)
from .writer_server import CHAT, FLAT, GRAPH, KEY, TEXT, chunk, event, question

OTHERS = {f"/v1/graphs/{GRAPH}": {"id": GRAPH, "name": "Products"}}
BEGINNING = "The industrial tools division offers precision manufacturing equipment [1]"
QUESTION = Good(
    pieces=tuple(part + b"\n\n" for part in FLAT.split(b"\n\n") if part),
    piece=lambda text: event(question(text)),
    beginning=BEGINNING,
    others=OTHERS,
)
CHATTING = Good(
    pieces=tuple(part + b"\n\n" for part in CHAT.split(b"\n\n") if part),
    piece=lambda text: event(chunk(text)),
    beginning=BEGINNING,
    others=OTHERS,
)


def asking(url: str) -> WriterSource:
    options = WriterOptions(api_key=KEY, base_url=url, graph_ids=(GRAPH,))
    return hurried(WriterSource(options))


def chatting(url: str) -> WriterSource:
    options = WriterOptions(api_key=KEY, base_url=url, graph_ids=(GRAPH,), model="palmyra-x5")
    return hurried(WriterSource(options))


@pytest.mark.parametrize("name", FAULTS)
async def test_one_answer(name: str) -> None:
    await one_answer(FAULTS[name], QUESTION, asking)


@pytest.mark.parametrize("name", ["none", "reset in the middle", "401", "10 MB", "HTML with 200"])
async def test_one_answer_of_a_chat(name: str) -> None:
    await one_answer(FAULTS[name], CHATTING, chatting)


@pytest.mark.parametrize("name", FINISHES)
async def test_one_answer_of_a_chat_whose_model_finishes(name: str) -> None:
    await one_answer(FINISHES[name], CHATTING, chatting)


@pytest.mark.parametrize("good", [QUESTION, CHATTING], ids=["question", "chat"])
@pytest.mark.parametrize("end", [False, True], ids=["cut", "ended"])
async def test_a_stream_that_is_cut_anywhere_keeps_what_came(end: bool, good: Good) -> None:
    """A chat says why it finishes; of a question, one that ends behind a whole event may be a short answer."""
    make = asking if good is QUESTION else chatting
    ends = list(itertools.accumulate(map(len, good.pieces)))
    places = range(0, len(good.body) + 50, 50)
    async with faulty_server(good, cut(0, end=end)) as server:
        source = make(server.url)
        source.provider.breaker = Breaker(failures=len(places) + 1)
        for place in places:
            server.behave = cut(place, end=end)
            said, error = await collect_text(source)
            assert TEXT.startswith(said.partition("\n\n")[0])
            # The empty line at the end of an event may be missing.
            ended = end and said and any(0 <= one - place <= 2 for one in ends)
            finished = good is QUESTION or place >= good.body.index(STOP)
            assert (error is None) == bool(place >= ends[-1] or (ended and finished)), place
        await source.close()
        await server.everybody_left()
        assert server.asked == len(places), "an answer that has begun is not asked for again"


async def test_who_fails_five_times_is_left_alone() -> None:
    async with faulty_server(QUESTION, body(b"<html>", "text/html")) as server:
        source = asking(server.url)
        for _ in range(5):
            assert isinstance((await collect_text(source))[1], EventStreamError)
        for _ in range(3):
            assert isinstance((await collect_text(source))[1], SourcePaused)
        assert server.asked == 5
        assert "left alone" in str((await source.facts())["answers"])
        await source.close()


async def test_who_refuses_is_asked_again_each_time() -> None:
    async with faulty_server(QUESTION, FAULTS["401"].behave) as server:
        source = asking(server.url)
        for _ in range(7):
            await collect_text(source)
        assert server.asked == 7
        assert (await source.facts())["answers"] == "no: it refuses the key (status 401)"
        await source.close()
