"""The real Playground takes every activity of a corpus, as each of the channels that it plays."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest

from bot.app.application import DELIVERY
from citations import Answer, AnswerKind, OriginKnown, ReferencesFound
from citations.model import KindKnown
from tests.bot.running import PROMPT, running_app
from tests.bot.scripted_source import ScriptedSource, ScriptStep
from tests.bot.streaming_connector import metadata

from .answers import RANKING, corpus
from .playground import MODES, Exchange, playing

QUICK = replace(PROMPT, typing_after=0.01, extended_every=0.02, replaced_every=0.02)
STREAMED = 8
"""One answer of so many is written bit by bit."""


@pytest.mark.parametrize("mode", MODES)
async def test_it_takes_every_activity(mode: str) -> None:
    source, refused, messages = ScriptedSource(), list[tuple[str, Exchange]](), dict[str, int]()
    async with running_app(source, timeouts=QUICK) as (bot, app), playing(mode, bot) as playground:
        app[DELIVERY].ranking = RANKING
        for number, (question, answer) in enumerate(corpus().items()):
            source.tell(question, *events_of(answer, in_pieces=number % STREAMED == 0), None)
            said = await playground.ask(question)
            refused += [(question, one) for one in said if not one.accepted]
            messages[question] = sum(one.activity["type"] == "message" for one in said)
    assert not refused, report(refused)
    assert set(messages.values()) == {1}, messages
    kinds = {metadata(one.activity).get("streamType") for one in playground.exchanges}
    assert kinds >= ({"informative", "streaming", "final"} if mode == "msteams" else {"streaming", "final"})


def report(refused: list[tuple[str, Exchange]]) -> str:
    """What was refused and why, and the first such activity."""
    lines = [f"{question}: {one.status} {one.answer}" for question, one in refused]
    first = [json.dumps(one.activity, ensure_ascii=False, indent=1) for _, one in refused[:1]]
    return "\n".join([*lines, *first])


def events_of(answer: Answer, *, in_pieces: bool) -> list[ScriptStep | str]:
    """The events of an answer, at once or with pauses for interims."""
    found: list[ScriptStep | str] = [
        OriginKnown(answer.origin),
        KindKnown(AnswerKind.ANSWERED),
        ReferencesFound(answer.references, complete=True),
    ]
    if not in_pieces:
        return [*found, answer.text]
    cuts = [0, *(len(answer.text) * part // 3 for part in (1, 2, 3))]
    pieces = [answer.text[start:end] for start, end in itertools.pairwise(cuts)]
    return [*found, *(one for piece in pieces for one in (0.08, piece))]
