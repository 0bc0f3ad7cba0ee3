"""Read by the engines that clients have, a rendering has our links and badges, and nothing else that is live.

``python -m tests.clients`` looks further than there is time for here.
"""

from __future__ import annotations

from random import Random

import pytest

from .kept import KeptAnswer, read_kept_answers
from .rendered import CHANNELS, JudgedText, judged, plain_answer, rendered, streamed
from .search import Chunk, Tally, engines, search

SEED = 20
SIZE = 500
STREAMED = ("webchat", "msteams")
CHUNKS = {"webchat": 8, "msteams": 8, "email": 8, "passage": 4}
"""4,000 answers for each channel, and 2,000 passages."""


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
    ("channel", "number"), [(channel, number) for channel in STREAMED for number in range(2)]
)
def test_nothing_of_it_is_live_while_it_comes(channel: str, number: int) -> None:
    holds(search(Chunk(channel, SEED + 1, number, in_pieces=True, size=60)))


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
