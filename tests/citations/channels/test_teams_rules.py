"""The rules of Teams, on every answer that these tests have: whole, and while it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from citations import (
    Answer,
    Rendering,
    cite,
    render,
)
from tests.depth import examples, is_deep
from tests.hostile_answers import ANSWERS as HOSTILE
from tests.hostile_answers import REFERENCE
from tests.strategies import answers
from tests.streams import long_answers, marked_answers, pieces, short_answers, small_pieces
from tests.teams_answers import RANKING, TEAMS, assert_teams_takes_it, plain, sourced, streamed, too_long
from tests.teams_rules import faults, stream_faults

CORPUS: dict[str, Callable[[], list[Answer]]] = {
    "ordinary": lambda: list(long_answers()),
    "CommonMark and markers": lambda: list(short_answers())[::2],
    "CommonMark with a marker anywhere": lambda: list(marked_answers())[:: 1 if is_deep() else 6],
    "hostile": lambda: [Answer(text=text, references=(REFERENCE,)) for text in HOSTILE.values()],
    "0 to 25 sources": sourced,
    "too long": too_long,
}


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


@examples(40)
@given(answers, st.lists(st.floats(0, 1), max_size=12))
def test_teams_takes_whatever_comes(answer: Answer, cuts: list[float]) -> None:
    assume(answer.text.strip())
    assert_teams_takes_it(answer, cuts)


def test_a_text_that_changes_is_a_fault() -> None:
    answer = Answer(text="Blue [1] and green.", references=(replace(REFERENCE, label="secret"),))
    interims, final = streamed(answer, ["Blue [1] ", "and ", "green."])
    assert stream_faults(interims, final) == []
    (fault,) = stream_faults(interims, {**final, "text": "Green [1] and blue."})
    assert "begin" in fault
