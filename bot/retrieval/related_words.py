"""This module replaces a word that no document has by related words that the documents have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from .engine import SearchEngine
from .words import fold_stem

_SHORTEST: Final = 5
"""A word with fewer letters is not corrected, since it resembles too many others."""
_LONGEST: Final = 20
"""A word with more letters is not corrected."""
_PART: Final = 4
"""The least number of letters of a compound's part."""
_LINKS: Final = ("", "s", "es", "n", "en")
"""The linking letters between the parts in Germanic languages."""
_LONGER: Final = 5
"""At most this many compounds that begin with a word replace it."""
_ALPHABETS: Final = (
    "abcdefghijklmnopqrstuvwxyzäöüßéèêàçñ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "αβγδεζηθικλμνξοπρστυφχψως",
)


def find_related(word: str, engine: SearchEngine, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """Return terms, each with its spellings, for a word that is not indexed; empty if none is related.

    First choice are the parts of a compound (``Hotelkosten`` → ``hotel``, ``kost``). Second are the
    compounds that begin with the word (``Reisekosten`` → ``reisekostenabrechn``). Last are the words
    that differ from it by one typing error.
    """
    if len(word) < _SHORTEST or any(character.isdigit() for character in word):
        return []
    if parts := _split_compound(word, engine, languages):
        return parts
    stem = fold_stem(word, languages[0] if languages else None)
    if len(stem) >= _SHORTEST and (longer := engine.find_stems(stem, _LONGER)):
        return [tuple(longer)]
    variants = _iter_variants(word) if len(word) <= _LONGEST else ()
    stems = {stem for variant in variants for stem in _find_stems(variant, engine, languages)}
    return [tuple(sorted(stems))] if stems else []


def _find_stems(word: str, engine: SearchEngine, languages: Sequence[str]) -> tuple[str, ...]:
    """Return the indexed stems of a word. The cache is bypassed, since most candidates occur once."""
    stems = dict.fromkeys(fold_stem.__wrapped__(word, language) for language in (*languages, None))
    return tuple(stem for stem in stems if engine.count_entries_with(stem))


def _split_compound(word: str, engine: SearchEngine, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """Split a word into two indexed words, the first as long as possible."""
    for index in range(len(word) - _PART, _PART - 1, -1):
        if not (tail := _find_stems(word[index:], engine, languages)):
            continue
        for link in _LINKS:
            head = word[:index].removesuffix(link)
            if (
                len(head) >= _PART
                and head + link == word[:index]
                and (first := _find_stems(head, engine, languages))
            ):
                return [first, tail]
    return []


def _iter_variants(word: str) -> Iterator[str]:
    """Yield the words that differ by one typing error behind the first letter.

    An error removes, adds or replaces a letter, or swaps two neighbours.
    """
    alphabet = next((letters for letters in _ALPHABETS if word[1] in letters), "")
    for index in range(1, len(word) + 1):
        before, after = word[:index], word[index:]
        if after:
            yield before + after[1:]
            yield before + after[1:2] + after[:1] + after[2:]
        for letter in alphabet:
            yield before + letter + after
            yield before + letter + after[1:]
