"""Where a text may be cut: a reader's character stays whole in every script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.text.grapheme import divides
from citations.text.line import clip

CHARACTERS = [
    ("a", "a letter"),
    ("e\u0301", "a letter with an accent of its own"),
    ("q\u0323\u0307", "with two"),
    ("日", "a Chinese character"),
    ("한", "a Hangul syllable"),
    ("\u1112\u119e\u11ab", "one of older Korean, in its parts"),
    ("กำ", "Thai with a vowel behind it that is no mark"),
    ("ป้", "Thai with a tone"),
    ("ກຳ", "Lao"),
    ("कि", "Devanagari with a vowel"),
    ("क्षि", "a conjunct"),
    ("क्\u200dष", "one that a joiner asks for"),
    ("ക്ഷ", "Malayalam"),
    ("בּ", "Hebrew with a point"),
    ("لَّ", "Arabic with two marks"),
    ("\uff76\uff9e", "halfwidth katakana with a sound mark"),
    ("❤\ufe0f", "an emoji by its variation selector"),
    ("👍🏽", "with a skin colour"),
    ("👩\u200d🔬", "two that are one"),
    ("👨\u200d👩\u200d👧\u200d👦", "four that are one"),
    ("🏳\ufe0f\u200d🌈", "a flag of joined parts"),
    ("🇩🇪", "a flag of two letters"),
    ("1\ufe0f\u20e3", "a keycap"),
]


@pytest.mark.parametrize("character", [pytest.param(character, id=what) for character, what in CHARACTERS])
def test_a_character_is_not_divided(character: str) -> None:
    text = f"x{character}x"
    places = [place for place in range(len(text) + 1) if not divides(text, place)]
    assert places == [0, 1, len(text) - 1, len(text)]


@given(st.lists(st.sampled_from([character for character, _ in CHARACTERS]), max_size=30), st.integers(2, 40))
def test_what_is_left_of_a_text_is_whole_characters(characters: list[str], limit: int) -> None:
    text = "".join(characters)
    shown = clip(text, limit)
    assert len(shown) <= limit
    beginnings = {"".join(characters[:count]) for count in range(len(characters) + 1)}
    assert shown == text or shown.removesuffix("…") in beginnings


def test_four_flags_are_cut_between_flags() -> None:
    assert clip("🇩🇪🇫🇷🇮🇹🇪🇸", 6) == "🇩🇪🇫🇷…"
