"""Where the words stand that a provider cites, whatever its offsets count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.readers import OffsetUnit, TextRange, anchor_words, place_span
from tests.strategies import PLAIN

ANSWER = "👩‍🔬 Zürich ist groß. Bern ist die Hauptstadt. Zürich ist groß."
BERN = "Bern ist die Hauptstadt."
PLACE = TextRange(21, 45)

FOUND = {
    "code points": (BERN, 21, 45),
    "code points, end included": (BERN, 21, 44),
    "bytes": (BERN, 32, 56),
    "bytes, end included": (BERN, 32, 55),
    "UTF-16": (BERN, 23, 47),
    "UTF-16, end included": (BERN, 23, 46),
    "a few bytes too early": (BERN, 28, 52),
    "far beyond the text": (BERN, 10_000, 10_024),
    "negative": (BERN, -3, -1),
    "end before start": (BERN, 21, 3),
    "no end": (BERN, 21, None),
    "a line end before the words": (f"\n{BERN}", 20, 45),
    "a byte in the middle of a character": (BERN, 1, 25),
}


@pytest.mark.parametrize(("words", "start", "end"), FOUND.values(), ids=FOUND)
def test_the_words_are_found(words: str, start: int, end: int | None) -> None:
    assert anchor_words(ANSWER, words, start, end) == PLACE


@pytest.mark.parametrize(("start", "place"), [(0, 4), (4, 4), (20, 4), (40, 46), (46, 46), (999, 46)])
def test_words_that_occur_twice_are_those_near_the_offset(start: int, place: int) -> None:
    assert anchor_words(ANSWER, "Zürich ist groß.", start, start) == TextRange(place, place + 16)


def test_the_documented_unit_is_tried_first() -> None:
    """Both slices equal the words."""
    text = "éé ab ab ab"
    assert anchor_words(text, "ab", 6, 8, OffsetUnit.CODE_POINTS) == TextRange(6, 8)
    assert anchor_words(text, "ab", 8, 10, OffsetUnit.UTF_8) == TextRange(6, 8)
    assert anchor_words("éé.ab.ab", "ab", 5, 7, OffsetUnit.UTF_8) == TextRange(3, 5)


@pytest.mark.parametrize("words", ["Basel", "", " \n"])
def test_words_that_do_not_occur_have_no_place(words: str) -> None:
    assert anchor_words(ANSWER, words, 0, 4) is None


@given(st.lists(st.sampled_from((*PLAIN, "𝒳", "e\u0301")), min_size=1, max_size=12), st.data())
def test_the_same_span_in_any_unit_is_the_same_place(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    for unit in OffsetUnit:
        first, last = unit.length(text[:start]), unit.length(text[:end])
        assert place_span(text, first, last, unit) == TextRange(start, end)
        if text[start:end].strip():
            assert anchor_words(text, text[start:end], first, last, unit) == TextRange(start, end)


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (5, 3), (0, 10_000), (10_000, 10_001)])
def test_a_place_outside_the_text_is_none(start: int, end: int) -> None:
    assert place_span(ANSWER, start, end, OffsetUnit.UTF_8) is None
