"""Text into the stems that it is indexed, searched and ranked by: one way for all three.

The engine is given stems joined by spaces, so that one field holds every language and what ranks a
passage sees exactly what found it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from .engine import stem

_LONGEST: Final = 64
"""A longer run of letters is data, not a word."""


def _marks() -> str:
    """The combining marks of the Basic Multilingual Plane as a character class.

    Python's class of word characters leaves them out, and Indic scripts write their vowels with them.
    """
    codes = [code for code in range(0x300, 0xFE30) if unicodedata.category(chr(code)) in ("Mn", "Mc")]
    return "".join(re.escape(chr(code)) for code in codes)


_WORD: Final = re.compile(rf"[^\W_](?:[^\W_]|[{_marks()}])*")
# Scripts that put no space between words: Thai, Lao, Myanmar, Khmer, Kana, Han, and their relatives.
_UNSEGMENTED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUNS: Final = re.compile(rf"[{_UNSEGMENTED}]+|[^{_UNSEGMENTED}]+")
_HAS_UNSEGMENTED: Final = re.compile(rf"[{_UNSEGMENTED}]")
_DIACRITICS: Final = re.compile(r"[\u0300-\u036f]+")


def split_words(text: str) -> list[str]:
    """The words of a text, lower case, without punctuation."""
    return [
        word for word in _WORD.findall(text.lower()) if len(word) <= _LONGEST or _HAS_UNSEGMENTED.search(word)
    ]


def stem_words(text: str, language: str | None) -> list[str]:
    """The stems of a text in order; text without spaces between words becomes pairs of characters."""
    if not _HAS_UNSEGMENTED.search(text):
        return [folded_stem(word, language) for word in split_words(text)]
    found: list[str] = []
    for word in split_words(text):
        if word.isascii() or not _HAS_UNSEGMENTED.search(word):
            found.append(folded_stem(word, language))
        else:
            found.extend(_pairs(word))
    return found


def _pairs(word: str) -> list[str]:
    """Each character, and each two neighbours, of an unsegmented run; other runs whole.

    >>> _pairs("東京都")
    ['東', '東京', '京', '京都', '都']
    """
    pieces: list[str] = []
    for run in _RUNS.findall(word):
        if not _HAS_UNSEGMENTED.match(run):
            pieces.append(run)
            continue
        for place, character in enumerate(run):
            pieces.append(character)
            pieces.extend([run[place : place + 2]] if place + 1 < len(run) else [])
    return pieces


@lru_cache(maxsize=200_000)
def folded_stem(word: str, language: str | None) -> str:
    """A word's stem without accents: people leave them out of questions."""
    stemmed = stem(word, language) if language else word
    if stemmed.isascii():
        return stemmed
    return _DIACRITICS.sub("", unicodedata.normalize("NFKD", stemmed)) or stemmed
