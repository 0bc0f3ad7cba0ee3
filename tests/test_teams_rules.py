"""The rules of Teams, on every answer that these tests have: whole, and while it is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citations import (
    Answer,
    LabelRanking,
    Reference,
    Rendering,
    RenderingStream,
    SensitivityLabel,
    channel,
    cite,
    render,
)

from .strategies import answers
from .streams import events, long_answers, marked_answers, pieces, short_answers, small_pieces
from .teams_rules import Activity, faults, stream_faults
from .test_hostile import ANSWERS as HOSTILE
from .test_hostile import REFERENCE

TEAMS = channel("msteams")
RANKING = LabelRanking(
    labels=(
        SensitivityLabel(id="public", name="Public", priority=0),
        SensitivityLabel(
            id="secret", name="Secret\\Nur für 設定 👩‍🔬", priority=1, description="Keep it. " * 30
        ),
    ),
    default="public",
)
NAMES = (
    None,
    "A handbook",
    "word " * 60,
    "設定" * 80,
    "👩‍👩‍👧‍👦" * 40,
    "دليل " * 40,
    '<b>[1](x)</b> & "so"',
    "\u202e\u200b",
)
URLS = (
    None,
    "https://example.com/{}",
    "https://münchen.example/ö/{}",
    "https://example.com/{}/" + "x" * 1800,
)


def sourced() -> list[Answer]:
    """Answers with 0–25 sources: long and foreign names, long URLs and none, labels."""
    found = []
    for count, (name, url) in zip(range(26), product(NAMES, URLS), strict=False):
        references = tuple(
            Reference(
                id=str(number),
                name=name,
                url=url and url.format(number),
                text=f"{name or 'A passage.'} " * 30,
                page=number if number % 2 else None,
                label="secret" if number == count else "public" if number % 3 else None,
            )
            for number in range(1, count + 1)
        )
        text = "".join(f"One thing [{number}] and [0].\n\n" for number in range(1, count + 1))
        found.append(Answer(text=f"# About\n\n{text}- last [1, 2]", references=references))
    return found


def too_long() -> list[Answer]:
    """What no message holds."""
    references = sourced()[20].references
    said = ("設定を変える 👩‍🔬[2] ", "`code [1]`\n", "| a [1] | b |\n|---|---|\n")
    return [Answer(text=piece * (40_000 // len(piece)), references=references) for piece in said]


CORPUS: dict[str, Callable[[], list[Answer]]] = {
    "ordinary": lambda: list(long_answers()),
    "CommonMark and markers": lambda: list(short_answers())[::2],
    "CommonMark with a marker anywhere": lambda: list(marked_answers())[::3],
    "hostile": lambda: [Answer(text=text, references=(REFERENCE,)) for text in HOSTILE.values()],
    "0 to 25 sources": sourced,
    "too long": too_long,
}


def plain(value: object) -> Any:
    """What arrives of it."""
    return json.loads(json.dumps(value))


def streamed(answer: Answer, told: list[str], **options: Any) -> tuple[list[Activity], Activity]:
    stream = RenderingStream(TEAMS, dialect=answer.dialect, ranking=RANKING, **options)
    interims = []
    for event in events(answer, told):
        stream.feed(event)
        if interim := stream.interim():
            interims.append(plain(interim.to_activity()))
    return interims, plain(stream.close().to_activity())


def unknown(found: list[str], whole: Rendering) -> list[str]:
    """The faults that the rendering's own problems don't tell: claims that had no room leave their badges."""
    told = any(problem.code == "citations-dropped" for problem in whole.problems)
    return [fault for fault in found if not (told and fault.startswith("badge-without-claim "))]


@pytest.mark.parametrize("name", CORPUS)
def test_teams_takes_the_corpus(name: str) -> None:
    for answer in CORPUS[name]():
        whole = render(cite(answer), TEAMS, ranking=RANKING, answer_id="a-1")
        assert unknown(faults(plain(whole.to_activity())), whole) == [], answer.text[:400]


@pytest.mark.parametrize("name", CORPUS)
def test_teams_takes_it_while_it_is_written(name: str) -> None:
    chance = Random(name)
    for answer in CORPUS[name]():
        short = len(answer.text) < 200
        told = small_pieces(answer.text, chance) if short else some_pieces(answer.text, chance)
        interims, final = streamed(answer, told, answer_id="a-1")
        whole = render(cite(answer), TEAMS, ranking=RANKING)
        assert unknown(stream_faults(interims, final), whole) == [], answer.text[:400]
        assert final["channelData"] == {"feedbackLoop": {"type": "default"}}


def some_pieces(text: str, chance: Random) -> list[str]:
    return pieces(text, chance.choices(range(len(text)), k=8))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(answers, st.lists(st.floats(0, 1), max_size=12))
def test_teams_takes_whatever_comes(answer: Answer, cuts: list[float]) -> None:
    told = pieces(answer.text, (round(cut * len(answer.text)) for cut in cuts))
    interims, final = streamed(answer, told)
    assert stream_faults(interims, final) == []
    assert faults(plain(render(cite(answer), TEAMS, ranking=RANKING).to_activity())) == []


def test_a_text_that_changes_is_a_fault() -> None:
    answer = Answer(text="Blue [1] and green.", references=(replace(REFERENCE, label="secret"),))
    interims, final = streamed(answer, ["Blue [1] ", "and ", "green."])
    assert stream_faults(interims, final) == []
    (fault,) = stream_faults(interims, {**final, "text": "Green [1] and blue."})
    assert "begin" in fault
