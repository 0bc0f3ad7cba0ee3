"""Turns text into stems, in one way for indexing, searching and ranking.

The engine receives stems that are joined by spaces. So one field holds every language, and ranking
uses exactly the stems that found a passage.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import Final

from .engine import stem

_LONGEST: Final = 64
"""A run of more letters counts as data and not as a word."""


def _write_marks() -> str:
    """Write the combining marks of the Basic Multilingual Plane as a character class.

    Python's class of word characters leaves them out, and Indic scripts write their vowels with them.
    """
    # Between these blocks are Han, Hangul and private use, which have none.
    codes = chain(range(0x300, 0x3100), range(0xA660, 0xAC00), range(0xFB00, 0xFE30))
    return "".join(char for char in map(chr, codes) if unicodedata.category(char) in ("Mn", "Mc"))


_WORD: Final = re.compile(rf"[^\W_](?:[^\W_]|[{_write_marks()}])*")
_ASCII_WORD: Final = re.compile(r"[A-Za-z0-9]+")
# Scripts that put no space between words: Thai, Lao, Myanmar, Khmer, Kana, Han, and their relatives.
_UNSEGMENTED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUNS: Final = re.compile(rf"[{_UNSEGMENTED}]+|[^{_UNSEGMENTED}]+")
_HAS_UNSEGMENTED: Final = re.compile(rf"[{_UNSEGMENTED}]")
_DIACRITICS: Final = re.compile(r"[\u0300-\u036f]+")


def find_words(text: str) -> list[str]:
    """The words of a text as they are written, without punctuation.

    >>> find_words("Ver\u00adfahren, neu"), find_words("e-mail")
    (['Verfahren', 'neu'], ['e', 'mail'])
    """
    if text.isascii():
        return [word for word in _ASCII_WORD.findall(text) if len(word) <= _LONGEST]
    # A soft hyphen says where a line may end, and is no sign of the word.
    words = _WORD.findall(text.replace("\u00ad", ""))
    return [word for word in words if len(word) <= _LONGEST or _HAS_UNSEGMENTED.search(word)]


def split_words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return find_words(text.lower())


def is_unsegmented(text: str) -> bool:
    """Whether most of a text is in a script without spaces between words.

    >>> is_unsegmented("年假有几天？"), is_unsegmented("What does 年假 mean?")
    (True, False)
    """
    return 2 * len(_HAS_UNSEGMENTED.findall(text)) > len(text)


def stem_words(text: str, language: str | None) -> list[str]:
    """The stems of a text in order; scripts without spaces become characters and pairs of them."""
    if text.isascii() or not _HAS_UNSEGMENTED.search(text):
        return [fold_stem(word, language) for word in split_words(text)]
    stems: list[str] = []
    for word in split_words(text):
        if word.isascii() or not _HAS_UNSEGMENTED.search(word):
            stems.append(fold_stem(word, language))
        else:
            stems.extend(_pair(word))
    return stems


def _pair(word: str) -> list[str]:
    """The characters of an unsegmented run, and each with its neighbour; other runs whole.

    >>> _pair("東京都")
    ['東', '東京', '京', '京都', '都']
    """
    pieces: list[str] = []
    for run in _RUNS.findall(word):
        if not _HAS_UNSEGMENTED.match(run):
            pieces.append(run)
            continue
        for index, character in enumerate(run):
            pieces.append(character)
            pieces.extend([run[index : index + 2]] if index + 1 < len(run) else [])
    return pieces


@lru_cache(maxsize=200_000)
def fold_stem(word: str, language: str | None) -> str:
    """A word's stem without accents, since people omit them in questions."""
    stemmed = stem(word, language) if language else word
    if stemmed.isascii():
        return stemmed
    return _DIACRITICS.sub("", unicodedata.normalize("NFKD", stemmed)) or stemmed
