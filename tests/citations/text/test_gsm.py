"""What a text message costs, as an independent counter says it, and which signs are written plainly."""

from __future__ import annotations

import unicodedata

import pytest
import smsutil
from hypothesis import given
from hypothesis import strategies as st

from citations.text import sms_segments
from citations.text.gsm import fit_alphabet

BASIC = (
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "ÄÖÑÜ\u00a7¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
EXTENSION = "\f^{}\\[~]|€"

SIZES = [
    ("nothing", "", "GSM-7", 0, 0),
    ("one segment to its end", "a" * 160, "GSM-7", 160, 1),
    ("one septet more", "a" * 161, "GSM-7", 161, 2),
    ("two segments to their end", "a" * 306, "GSM-7", 306, 2),
    ("three", "a" * 307, "GSM-7", 307, 3),
    ("a bracket is two septets", "[" * 80, "GSM-7", 160, 1),
    ("the euro too", "€" * 81, "GSM-7", 162, 2),
    ("an escape and its character stay together", "a" * 152 + "[" + "a" * 152, "GSM-7", 306, 3),
    ("German needs no other alphabet", "Größe, Übung, äöüß", "GSM-7", 18, 1),
    ("French often does", "être", "UCS-2", 4, 1),
    ("one segment of Chinese", "水" * 70, "UCS-2", 70, 1),
    ("one character more", "水" * 71, "UCS-2", 71, 2),
    ("an emoji is two units", "🌱" * 35, "UCS-2", 70, 1),
    ("and isn't cut", "水" * 66 + "🌱" + "水" * 66, "UCS-2", 134, 3),
    ("one curly quote", "a" * 69 + "“", "UCS-2", 70, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "encoding", "units", "count"), [case[1:] for case in SIZES], ids=[case[0] for case in SIZES]
)
def test_the_size_of_a_message(text: str, encoding: str, units: int, count: int) -> None:
    segments = sms_segments(text)
    assert (segments.encoding, segments.units, segments.count) == (encoding, units, count)


def test_the_alphabet_is_that_of_the_specification() -> None:
    assert len(BASIC) == 127  # 128 places, one of which is the escape
    assert all(sms_segments(character).units == 1 for character in BASIC)
    assert all(sms_segments(character).units == 2 for character in EXTENSION)
    others = {chr(code) for code in range(0x3000) if not 0xD800 <= code < 0xE000} - {*BASIC, *EXTENSION}
    assert {sms_segments(character).encoding for character in others} == {"UCS-2"}


@given(
    st.one_of(
        st.text(st.sampled_from(BASIC + EXTENSION * 5), min_size=1, max_size=700),
        st.text(
            st.characters(exclude_categories=["Cs"], exclude_characters="\x1b"), min_size=1, max_size=300
        ),
    )
)
def test_an_independent_counter_agrees(text: str) -> None:
    split, segments = smsutil.split(text), sms_segments(text)
    assert segments.encoding == {"gsm0338": "GSM-7", "utf_16_be": "UCS-2"}[split.encoding]
    assert segments.units == split.total_bytes // (1 if segments.encoding == "GSM-7" else 2)
    assert segments.count == len(split.parts)


FOLDED = [
    ("quotes and dashes", "“Yes” – it’s ‘so’ — really…", "\"Yes\" - it's 'so' - really..."),
    ("spaces that nobody sees", "10\u00a0%, [1]\u200b[2]", "10 %, [1][2]"),
    ("letters that are composed", "Gro\u0308ße", "Größe"),
    ("a letter that the alphabet lacks keeps all as it is", "“Être”", "“Être”"),
    ("Chinese too", "“水”…", "“水”…"),
    ("and an emoji", "“🌱”", "“🌱”"),
    ("what the alphabet has stays", "[€] {~}", "[€] {~}"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in FOLDED], ids=[case[0] for case in FOLDED]
)
def test_folding(text: str, expected: str) -> None:
    assert fit_alphabet(text) == expected


@given(st.text(max_size=200))
def test_folding_never_costs_a_letter_or_a_segment(text: str) -> None:
    folded = fit_alphabet(text)
    assert folded == text or sms_segments(folded).encoding == "GSM-7"
    assert sms_segments(folded).count <= max(1, sms_segments(text).count)
    kept = iter(unicodedata.normalize("NFC", folded))
    letters = [character for character in unicodedata.normalize("NFC", text) if character.isalpha()]
    assert all(letter in kept for letter in letters)
