"""Whatever Open WebUI's server does, a person gets one answer."""

from __future__ import annotations

import itertools

import pytest

from bot.config.answer_sources import OpenWebUIOptions
from bot.resilience.breaker import Breaker
from bot.sources.open_webui.source import OpenWebUISource

from .asking import collect_text
from .faults import FAULTS, FINISHES, Good, cut, faulty_server, hurried, one_answer
from .open_webui_server import KEY, KNOWLEDGE, MODEL, OTHERS, captured
from .writer_server import chunk, event

TEXT = "Override the default proxy settings [1], detail [2]. See [docs](https://example.com/d)."
COLLECTION = Good(
    pieces=tuple(part + b"\n\n" for part in captured("collection.sse").split(b"\n\n") if part),
    piece=lambda text: event(chunk(text)),
    beginning="Override the default proxy settings [1]",
    others=OTHERS,
)


def asking(url: str) -> OpenWebUISource:
    options = OpenWebUIOptions(url=url, api_key=KEY, model=MODEL, knowledge_ids=(KNOWLEDGE,))
    return hurried(OpenWebUISource(options))


@pytest.mark.parametrize("name", FAULTS)
async def test_one_answer(name: str) -> None:
    await one_answer(FAULTS[name], COLLECTION, asking)


@pytest.mark.parametrize("name", FINISHES)
async def test_one_answer_whose_model_finishes(name: str) -> None:
    await one_answer(FINISHES[name], COLLECTION, asking)


@pytest.mark.parametrize("end", [False, True], ids=["cut", "ended"])
async def test_a_stream_that_is_cut_anywhere_keeps_what_came(end: bool) -> None:
    """It says why it finishes, so a short answer is known from a cut one, unlike elsewhere."""
    places = range(0, len(COLLECTION.body) + 50, 50)
    finished = list(itertools.accumulate(map(len, COLLECTION.pieces)))[-2] - len(b"\n\n")
    async with faulty_server(COLLECTION, cut(0, end=end)) as server:
        source = asking(server.url)
        source.provider.breaker = Breaker(failures=len(places) + 1)
        for place in places:
            server.behave = cut(place, end=end)
            said, error = await collect_text(source)
            assert TEXT.startswith(said)
            whole = place >= (finished if end else len(COLLECTION.body))
            assert (error is None) == whole, place
            assert (said == TEXT) or not whole
        await source.close()
        await server.everybody_left()
        assert server.asked == len(places), "an answer that has begun is not asked for again"
