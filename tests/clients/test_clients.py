"""Read by the engines that clients have, a rendering has our links and badges, and nothing else that is live.

``python -m tests.clients`` looks further than there is time for here.
"""

from __future__ import annotations

from random import Random

import pytest

from .kept import KeptAnswer, read_kept_answers
from .rendered import CHANNELS, STREAMED, JudgedText, judged, plain_answer, rendered, streamed
from .search import SOURCES, Chunk, Tally, engines, search

SEED = 20
SIZE = 300
CHUNKS = {"webchat": 6, "msteams": 6, "msteams-extended": 3, "email": 6, "passage": 3}
"""1,800 answers for each channel, 900 in Teams' ``extendedmarkdown``, and 900 passages; a third as many of the second source."""


@pytest.mark.parametrize("one", read_kept_answers(), ids=lambda one: f"{one.channel}: {one.why}"[:70])
def test_what_was_once_live_is_not(one: KeptAnswer) -> None:
    hostile = plain_answer(one.text, one.name, one.url, one.spans)
    texts = rendered(one.channel, hostile)
    if one.channel in STREAMED:
        texts += streamed(one.channel, hostile, Random(0))
    assert not [describe(judged_text) for judged_text in judged(engines(), texts) if broken(judged_text)]


@pytest.mark.parametrize(
    ("channel", "number"), [(channel, number) for channel in CHANNELS for number in range(CHUNKS[channel])]
)
def test_nothing_of_a_hostile_answer_is_live(channel: str, number: int) -> None:
    holds(search(Chunk(channel, SEED, number, size=SIZE)))


@pytest.mark.parametrize(
    ("channel", "number"),
    [(channel, number) for channel in CHANNELS for number in range(CHUNKS[channel] // 3)],
)
def test_nothing_of_a_short_text_is_live(channel: str, number: int) -> None:
    holds(search(Chunk(channel, SEED, number, size=SIZE, source="short")))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("channel", STREAMED)
def test_nothing_of_it_is_live_while_it_comes(channel: str, source: str) -> None:
    holds(search(Chunk(channel, SEED + 1, 0, in_pieces=True, size=60, source=source)))


def test_engines_that_no_client_of_ours_has_read_it_too() -> None:
    (read,) = engines(others=True).read(["![x](https://example.com/i.png) [1]"])
    seen = {name for names, reading in read.by_engines for name in names if reading.images}
    assert {"markdown-it-8", "mistune", "Python-Markdown", "mistletoe", "commonmark.py"} <= seen
    holds(search(Chunk("webchat", SEED, 0, size=50, source="short", others=True)))


def holds(tally: Tally) -> None:
    """No engine of which it is promised found anything."""
    assert not tally.crashes
    found = [describe(one) for (*_, held), ones in tally.examples.items() if held for one in ones[:1]]
    assert not found, "\n\n".join(found)


def broken(one: JudgedText) -> bool:
    return any(finding.holds for finding in one.findings)


def describe(one: JudgedText) -> str:
    """For the message of a failure."""
    read = "\n".join(
        f"{finding.engine} reads {finding.kind}: {finding.detail}"
        for finding in one.findings
        if finding.holds
    )
    return f"{one.rendered.hostile.answer}\nis rendered {one.rendered.text!r}\n{read}"
