"""What is always true of an answer on a channel of text, whatever the answer and its references are."""

from __future__ import annotations

import re
from unicodedata import normalize

from hypothesis import example, given
from hypothesis import strategies as st

from citations import Answer, channel
from citations.model.channel_id import CHANNEL_IDS
from citations.model.wording import ENGLISH
from citations.text import sms_segments
from citations.text.grapheme import divides, utf16
from tests.depth import examples
from tests.rendering_promises import (
    assert_an_email_links_to_its_sources_only,
    assert_plain_text_makes_no_link,
    assert_sources_are_readable,
    assert_speech_has_nothing_to_look_at,
)
from tests.strategies import answers

HINT = re.compile(r"\n\nReply MORE for the rest(?:, or a number for a source)?\.\Z")
LIMITS = {"sms": 1600, **{name: row.longest for name, row in CHANNEL_IDS.items() if row.longest}}
"""The specification's (X2, X3): ``tests/test_open_sets.py`` compares them."""
many = examples(40)

URLS = ("https://example.com/a", "https://example.com/" + "long/" * 100, "http://x.example/?q=a,b.c&d=(e)")
WORDS = (
    "word",
    "Wörter",
    "水",
    "和訳。",
    "كلمة",
    "👩‍🔬",
    "🇩🇪",
    "e\u0301",
    "end.",
    "(1)",
    "a" * 400,
    "水" * 300,
    "[",
    "€",
    *URLS,
)
texts = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from((" ", " ", "\n", "\n\n", ""))), max_size=150
).map(lambda pairs: normalize("NFC", "".join(word + space for word, space in pairs)))


def parts(text: str, channel_id: str) -> tuple[str, ...]:
    return tuple(HINT.sub("", part) for part in split(text, channel_id))


def split(text: str, channel_id: str) -> tuple[str, ...]:
    there = channel(channel_id)
    assert there.split
    return there.split(text, ENGLISH, there.at_once)


def visible(text: str) -> str:
    return "".join(text.split())


@many
@given(texts, st.sampled_from(tuple(LIMITS)))
@example("水" * 268 + "。", "sms")
@example("a" * 999 + "。" * 3, "groupme")
def test_the_parts_have_all_of_the_text_and_none_is_too_long(text: str, channel_id: str) -> None:
    assert visible("".join(parts(text, channel_id))) == visible(text)
    assert all(0 < utf16(part) <= LIMITS[channel_id] for part in split(text, channel_id))


@many
@given(texts)
def test_no_url_is_cut_and_no_character(text: str) -> None:
    cut = parts(text, "sms")
    whole = "".join(cut)
    for url in re.findall(r"https?://[!-~]+", text):
        # One that touches the next is cut there only.
        assert any(url in part for part in cut) or len(url) > 1600
    for number in range(1, len(cut)):
        place = len("".join(cut[:number]))
        assert not divides(whole, place)


@many
@given(texts)
def test_a_message_is_as_many_whole_segments_as_go_into_320_characters(text: str) -> None:
    for part in parts(text, "sms"):
        segments = sms_segments(part)
        room = 306 if segments.encoding == "GSM-7" else 268
        assert segments.units <= room or "://" in part


@many
@given(answers, st.sampled_from(("sms", "telegram", "no-such-channel")))
def test_sources_are_readable_after_a_markdown_reading_too(answer: Answer, channel_id: str) -> None:
    assert_sources_are_readable(answer, channel_id)


@many
@given(answers)
def test_no_markdown_reading_makes_a_link(answer: Answer) -> None:
    assert_plain_text_makes_no_link(answer)


@many
@given(answers)
def test_an_email_links_to_its_sources_and_nowhere_else(answer: Answer) -> None:
    assert_an_email_links_to_its_sources_only(answer)


@many
@given(answers)
def test_what_is_said_aloud_has_nothing_to_look_at(answer: Answer) -> None:
    assert_speech_has_nothing_to_look_at(answer)
