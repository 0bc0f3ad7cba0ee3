"""The neutral JSON that is written of an answer is read as the same answer."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from citations import Answer, AnswerKind, Dialect, Origin, Reference, SourceCode
from citations.model import KindKnown, Place, PlaceKind, ReferencesFound, Span, TextDelta
from citations.readers import answer_of, read_answer, write_answer

WORDS = st.sampled_from(["a", "Straße 👩‍🔬", "https://example.com/1", "[1]", " padded "])
MAYBE = st.none() | WORDS
REFERENCES = st.builds(
    Reference,
    id=WORDS,
    name=MAYBE,
    url=MAYBE,
    text=MAYBE,
    page=st.none() | st.integers(1, 3),
    place=st.none()
    | st.builds(Place, kind=st.sampled_from(PlaceKind), first=st.integers(1, 9), last=st.none(), sheet=MAYBE),
    label=MAYBE,
    modified=MAYBE,
    editor=MAYBE,
    document_url=MAYBE,
    extract=st.booleans(),
    only_named=st.booleans(),
)
ANSWERS = st.builds(
    Answer,
    text=st.text(max_size=9),
    references=st.lists(REFERENCES, max_size=3).map(tuple),
    dialect=st.none() | st.sampled_from(Dialect),
    origin=st.builds(Origin, slogan=MAYBE, url=MAYBE, generated=st.booleans()),
    query=st.none() | st.builds(SourceCode, text=WORDS, language=MAYBE),
    kind=st.none() | st.sampled_from(AnswerKind),
    spans=st.lists(st.builds(Span, st.integers(0, 9), st.integers(0, 9), st.just(("a",)), st.booleans())).map(
        tuple
    ),
)


@given(ANSWERS)
def test_what_is_written_is_read_again(answer: Answer) -> None:
    again = read_answer(json.loads(json.dumps(write_answer(answer))))
    assert replace(again, problems=()) == answer
    assert [one.code for one in again.problems] == ([] if answer.text.strip() else ["answer-empty"])


def test_what_is_absent_has_no_key() -> None:
    events = (
        TextDelta("So "),
        ReferencesFound((Reference(id="1", place=Place(kind=PlaceKind.SLIDE, first=4)),)),
        TextDelta("[1]."),
        KindKnown(AnswerKind.ANSWERED),
    )
    assert write_answer(answer_of(events)) == {
        "text": "So [1].",
        "references": [{"id": "1", "place": {"kind": "slide", "first": 4}}],
        "kind": "answered",
    }
