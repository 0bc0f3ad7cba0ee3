"""This module finds the word of the documents that a person meant who mistyped it.

A slip is one letter that was left out, added, or replaced, or two neighbours that were swapped. Most
words that no document has are synonyms and no slips. So the other word has to stand in the documents as
it is, and the slip has to be a likely one. On XQuAD and COVID-QA, in English and German, this finds
68 to 75 % of the slips. It replaces 5 to 7 % of the words that only another set of documents has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .engine import SearchEngine
from .language import is_stop_word
from .record import read_record
from .words import fold_stem, split_words

_LONGEST: Final = 20
"""A word with more letters is not corrected."""
_PASSAGES: Final = 5
"""The word is sought in this many passages that hold its stem."""
_CLEAR: Final = 5
"""The least letters of a word in which two neighbours are swapped, or a letter is doubled or not."""
_KEY: Final = 6
"""The least letters of a word in which a key is left out, or the one beside it is hit."""
_AT_END: Final = 7
"""The least letters of a word with one letter more or less at its end, which may be an inflection."""
_ANY: Final = 8
"""The least letters of a word with any other slip."""
_ALPHABETS: Final = (
    "abcdefghijklmnopqrstuvwxyzäöüßéèêàçñ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "αβγδεζηθικλμνξοπρστυφχψως",
)
_KEYS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiopü", "asdfghjklöä", "yxcvbnm")
"""The rows of English and German keyboards."""
_NEIGHBOURS: Final = frozenset(
    frozenset((letter, other))
    for rows in (_KEYS[:3], _KEYS[3:])
    for number, row in enumerate(rows)
    for place, letter in enumerate(row)
    for other in row[place + 1 : place + 2]
    + "".join(lower[max(0, place - 1) : place + 1] for lower in rows[number + 1 : number + 2])
)
"""Pairs of keys that touch."""


def find_meant(word: str, engine: SearchEngine, languages: Sequence[str]) -> str | None:
    """Return the word that was meant by ``word``, as the documents write it; None if no slip is likely.

    Of several words the one in the most passages is returned.
    """
    if len(word) > _LONGEST or len(word) < _CLEAR:
        return None
    variants = frozenset(_iter_variants(word)) - {word}
    stems = dict.fromkeys(stem for variant in variants for stem in _find_stems(variant, engine, languages))
    frequencies = {
        meant: engine.count_entries_with(stem)
        for stem in stems
        for meant in _find_words(stem, engine)
        if (lower := meant.lower()) in variants and len(word) >= _find_least_length(word, lower)
    }
    return max(sorted(frequencies), key=lambda meant: frequencies[meant], default=None)


def write_as_in(text: str, word: str) -> str:
    """Return ``word``, which is in lower case, as ``text`` writes it first."""
    found = re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
    return found[0] if found else word


def _find_stems(word: str, engine: SearchEngine, languages: Sequence[str]) -> Iterable[str]:
    """Yield the indexed stems of a word. The cache is bypassed, since most variants occur once."""
    for language in (*languages, None):
        if not (language and is_stop_word.__wrapped__(word, language)):
            stem = fold_stem.__wrapped__(word, language)
            if engine.count_entries_with(stem):
                yield stem


def _find_words(stem: str, engine: SearchEngine) -> Iterator[str]:
    """Yield the words with a stem in some passages that have it, as the passages write them."""
    for hit in engine.search([(stem, 1.0)], 1.0, _PASSAGES):
        passage = read_record(hit.record).passage
        text = " ".join((passage.text, *passage.headings, passage.title or ""))
        for word in dict.fromkeys(split_words(text)):
            if fold_stem(word, passage.language) == stem:
                yield write_as_in(text, word)


def _find_least_length(asked: str, meant: str) -> int:
    """Return how many letters ``asked`` has to have for the slip that makes it of ``meant``."""
    pairs = enumerate(zip(asked, meant, strict=False))
    place = next((index for index, (one, other) in pairs if one != other), None)
    shorter, longer = sorted((asked, meant), key=len)
    if place is None:  # one of them is the beginning of the other
        return _CLEAR if longer[-1] == longer[-2] else _AT_END
    if len(asked) == len(meant):
        return _find_least_of_equal(asked, meant, place)
    around = longer[place - 1 : place] + longer[place + 1 : place + 2]
    if longer[place] in around:
        return _CLEAR
    if place == len(shorter) - 1:
        return _ANY  # "voters" and "votes" are two words
    is_key = longer is meant or any(frozenset((longer[place], key)) in _NEIGHBOURS for key in around)
    return _KEY if is_key else _ANY


def _find_least_of_equal(asked: str, meant: str, place: int) -> int:
    """Return the same for words of equal length, whose first different letter is at ``place``."""
    if asked[place + 1 :] != meant[place + 1 :]:
        return _CLEAR
    is_key = frozenset((asked[place], meant[place])) in _NEIGHBOURS
    # Another last letter may be an inflection.
    return _KEY if is_key and place < len(asked) - 1 else _ANY


def _iter_variants(word: str) -> Iterator[str]:
    """Yield the words that differ by one slip behind the first letter."""
    alphabet = next((letters for letters in _ALPHABETS if word[1] in letters), "")
    for index in range(1, len(word) + 1):
        before, after = word[:index], word[index:]
        if after:
            yield before + after[1:]
            yield before + after[1:2] + after[:1] + after[2:]
        for letter in alphabet:
            yield before + letter + after
            yield before + letter + after[1:]
