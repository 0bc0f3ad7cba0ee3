"""A word that no document has, as words that the documents do have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from .engine import SearchEngine
from .words import folded_stem

_SHORTEST: Final = 5
"""Letters of a word that may be misspelt; shorter words are near to too many others."""
_LONGEST: Final = 20
"""Letters of the longest word that is tried with slips."""
_PART: Final = 4
"""Letters of the shortest part of a compound."""
_LINKS: Final = ("", "s", "es", "n", "en")
"""What Germanic languages put between the parts."""
_LONGER: Final = 5
"""Compounds that a word may stand for, by beginning them."""
_ALPHABETS: Final = (
    "abcdefghijklmnopqrstuvwxyzäöüßéèêàçñ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "αβγδεζηθικλμνξοπρστυφχψως",
)


def find_related(word: str, engine: SearchEngine, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """Terms, each with its spellings, for a word that is not indexed; empty where nothing is near.

    The parts of a compound (``Hotelkosten`` → ``hotel``, ``kost``), the compounds that it begins
    (``Reisekosten`` → ``reisekostenabrechn``), else the words that one slip of a finger makes of it.
    """
    if len(word) < _SHORTEST or any(character.isdigit() for character in word):
        return []
    if parts := _parts(word, engine, languages):
        return parts
    stem = folded_stem(word, languages[0] if languages else None)
    if len(stem) >= _SHORTEST and (longer := engine.find_stems(stem, _LONGER)):
        return [tuple(longer)]
    slips = _slips(word) if len(word) <= _LONGEST else ()
    near = {stem for slip in slips for stem in _split_compound(slip, engine, languages)}
    return [tuple(sorted(near))] if near else []


def _split_compound(word: str, engine: SearchEngine, languages: Sequence[str]) -> tuple[str, ...]:
    # What is tried once is not worth remembering.
    stems = dict.fromkeys(folded_stem.__wrapped__(word, language) for language in (*languages, None))
    return tuple(stem for stem in stems if engine.count_entries_with(stem))


def _parts(word: str, engine: SearchEngine, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """Two known words that make up the word, the first as long as possible."""
    for place in range(len(word) - _PART, _PART - 1, -1):
        if not (tail := _split_compound(word[place:], engine, languages)):
            continue
        for link in _LINKS:
            head = word[:place].removesuffix(link)
            if (
                len(head) >= _PART
                and head + link == word[:place]
                and (first := _split_compound(head, engine, languages))
            ):
                return [first, tail]
    return []


def _slips(word: str) -> Iterator[str]:
    """Words with one letter missing, added or wrong, or two in the wrong order; the first is right."""
    alphabet = next((letters for letters in _ALPHABETS if word[1] in letters), "")
    for place in range(1, len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
            yield before + after[1:2] + after[:1] + after[2:]
        for letter in alphabet:
            yield before + letter + after
            yield before + letter + after[1:]
