"""Teams' ``extendedmarkdown``: what it keeps, what can't be live in it, and that nothing shown is taken back."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    Reference,
    ReferencesFound,
    Rendering,
    RenderingStream,
    TextDelta,
    channel,
    check,
    cite,
    render,
)
from citations.channels import channel_ids
from citations.streaming import KEPT
from tests.hostile_answers import ANSWERS
from tests.ordinary_answers import ordinary_answers

EXTENDED = channel("msteams", extended=True)
ONE = Reference(id="1", name="One", url="https://example.com/1")
ROWS = "\n".join(f"| row {number} | words and words |" for number in range(3))
TABLE = f"Before it.\n\n| a | b |\n|---|---|\n{ROWS}\n"


def streamed(answer: Answer, cuts: list[int]) -> tuple[list[Rendering], Rendering]:
    """The interims and the final of an answer that comes in pieces."""
    stream = RenderingStream(EXTENDED)
    stream.feed(ReferencesFound(answer.references, complete=True))
    places = [0, *sorted(cut % (len(answer.text) + 1) for cut in cuts), len(answer.text)]
    interims = []
    for start, end in pairwise(places):
        stream.feed(TextDelta(answer.text[start:end]))
        if (interim := stream.interim()) is not None:
            interims.append(interim)
    return interims, stream.close()


@given(
    st.sampled_from(
        [*ordinary_answers().values(), *(Answer(text=text, references=(ONE,)) for text in ANSWERS.values())]
    ),
    st.lists(st.integers(min_value=0, max_value=10_000), max_size=12),
)
def test_each_interim_begins_with_the_one_before_and_the_final_is_the_whole_answer(
    answer: Answer, cuts: list[int]
) -> None:
    interims, final = streamed(answer, cuts)
    shown = [one.text for one in (*interims, final)]
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))
    assert {one.text_format for one in (*interims, final)} == {"extendedmarkdown"}
    if not KEPT & {problem.code for problem in final.problems}:
        assert final.text == render(cite(answer), EXTENDED).text


def test_a_table_is_shown_once_it_is_known_to_have_no_badge() -> None:
    for end, form in (("\nIt has none [1].", "| a | b |"), ("| c | d [1] |\n\nIt has one.", "**a** · **b**")):
        answer = Answer(text=TABLE + end, references=(ONE,))
        interims, final = streamed(answer, list(range(0, len(answer.text), 4)))
        before = [one.text for one in interims if "Before it." in one.text and "row" not in one.text]
        assert before
        assert all("a" not in one.removeprefix("Before it.") for one in before)
        assert form in final.text
        assert not final.problems


def test_a_table_too_long_to_wait_for_stays_as_it_was_begun() -> None:
    """An update of the message may then have the whole answer."""
    rows = "\n".join(f"| row {number} | words and words |" for number in range(400))
    answer = Answer(text=f"| a | b |\n|---|---|\n{rows}\n| c | d [1] |\n", references=(ONE,))
    _, final = streamed(answer, list(range(0, len(answer.text), 97)))
    assert KEPT & {problem.code for problem in final.problems}
    assert "[1]" in final.text


@pytest.mark.parametrize("seed", range(4))
def test_the_graph_of_an_interim_has_the_badges_shown_so_far(seed: int) -> None:
    text = "\n\n".join(f"Paragraph [{number}]." for number in range(1, 5))
    references = tuple(
        Reference(id=str(n), name=f"S{n}", url=f"https://example.com/{n}") for n in range(1, 5)
    )
    cuts = [Random(seed).randrange(len(text)) for _ in range(6)]
    interims, _ = streamed(Answer(text=text, references=references), cuts)
    for interim in interims:
        nodes: list[dict[str, Any]] = [dict(node) for node in interim.entities]
        claims = [claim for node in nodes for claim in node.get("citation", ())]
        assert [claim["position"] for claim in claims] == [
            number for number in range(1, 5) if f"[{number}]" in interim.text
        ]


@pytest.mark.parametrize(
    "fence", ["```html-widget\n{}\n```", "~~~ HTML-Widget x\n{}\n~~~", "> ```html-widget.v2\n> {}\n> ```"]
)
def test_a_document_starts_no_app(fence: str) -> None:
    activity = render(cite(Answer(text=f"Proxy [1].\n\n{fence}", references=(ONE,))), EXTENDED).to_activity()
    assert check(activity, channel_id="msteams") == ()
    raw = {**activity, "text": f"Proxy [1].\n\n{fence}"}
    assert [problem.code for problem in check(raw, channel_id="msteams")] == ["live-widget"]


def test_teams_alone_has_it() -> None:
    playground = channel("msteams", "http://localhost:56150/_connector", extended=True)
    assert playground == channel("msteams", "http://localhost:56150/_connector")
    others = [one for one in channel_ids() if channel(one, extended=True) != channel(one)]
    assert others == ["msteams"]
