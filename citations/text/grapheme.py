"""Whether a cut divides a user-perceived character (UAX #29), and how many units services count of a text."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_MARKS: Final = frozenset({"Mn", "Mc", "Me"})
_CONTINUES: Final = re.compile(
    # Extending characters that are not marks: joiners, the vowels AM of Thai and Lao, halfwidth sound
    # marks, skin colours, tags, and Hangul's vowels and finals, which NFC may leave alone.
    "[\u200c\u200d\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
    "\u1160-\u11ff\ud7b0-\ud7c6\ud7cb-\ud7fb]"
)
_HANGUL_INITIAL: Final = re.compile("[\u1100-\u115f\ua960-\ua97c]")
_HANGUL: Final = re.compile("[\u1100-\u115f\ua960-\ua97c\uac00-\ud7a3]")
_PREPENDED: Final = re.compile(
    "[\u0d4e\u1cf5\u1cf6\U000111c2\U000111c3\U0001193f\U00011941\U00011a3a\U00011a84-\U00011a89\U00011d46]"
)
_FLAG_LETTERS: Final = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_LONGEST: Final = 1024
"""Characters in front of a cut that are looked at: the time must stay linear."""
_VIRAMA: Final = 9
"""The combining class of the sign that joins two consonants of an Indic script."""


def divides(text: str, place: int) -> bool:
    """Whether a cut at ``place`` would divide a user-perceived character.

    It never misses a division, and may report one where there is none, such as behind any joiner. So
    callers step back to a safe place, and no table of all of Unicode is needed.
    """
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    return (
        # GB9, GB9a: "Do not break before extending characters or ZWJ, before SpacingMarks".
        _continues(after)
        # GB9b, GB11: "or after Prepend characters", "within emoji … zwj sequences".
        or unicodedata.category(before) == "Cf"
        or bool(_PREPENDED.match(before))
        # GB9c: "within certain combinations with Indic_Conjunct_Break=Linker".
        or (after.isalpha() and _joins_consonant(text, place))
        # GB6: "Do not break Hangul syllable … sequences".
        or bool(_HANGUL_INITIAL.match(before) and _HANGUL.match(after))
        # GB12, GB13: "if there is an odd number of RI characters before the break point".
        or (after in _FLAG_LETTERS and _flag_letters(text, place) % 2 == 1)
    )


def _continues(character: str) -> bool:
    return unicodedata.category(character) in _MARKS or bool(_CONTINUES.match(character))


def _joins_consonant(text: str, end: int) -> bool:
    """Whether a virama is among the signs that stand before ``end``."""
    for place in range(end - 1, max(0, end - _LONGEST) - 1, -1):
        if not _continues(text[place]):
            return False
        if unicodedata.combining(text[place]) == _VIRAMA:
            return True
    return False


def _flag_letters(text: str, end: int) -> int:
    """The number of consecutive regional indicators before ``end``."""
    near = text[max(0, end - _LONGEST) : end]
    return len(near) - len(near.rstrip(_FLAG_LETTERS))


def utf16(text: str) -> int:
    """The length of a text in UTF-16 code units, which services, .NET and JavaScript count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
