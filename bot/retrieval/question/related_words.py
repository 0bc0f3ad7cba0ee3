"""Replaces a word that no document has by related words that the documents have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...languages import LANGUAGES
from ..words import SearchEngine, fold_stem, languages_with
from .compound import COMPOUNDING, split_compound
from .spelling import find_meant

_SHORTEST: Final = 5
"""A word with fewer letters has no related words, since it resembles too many others."""
_LONGER: Final = 5
"""At most this many compounds that begin with a word replace it."""
_PART: Final = 4
"""The least letters that such a compound has behind the word."""
_AGGLUTINATING: Final = COMPOUNDING | languages_with("endings")
"""The languages in which a word that begins another one is a part of its meaning."""
_UMLAUTS: Final = tuple((key, letter) for key, (letter,) in LANGUAGES.entries_of("letters"))


@dataclass(frozen=True, slots=True)
class RelatedWords:
    """What is searched for a word that no document has: terms, each with its spellings.

    ``shown`` is the other word if the whole word was replaced by one, and has to be shown. It is None
    for parts of the word, and for compounds that begin with it.
    """

    terms: tuple[tuple[str, ...], ...]
    shown: str | None = None


def find_related(word: str, engine: SearchEngine, languages: Sequence[str]) -> RelatedWords | None:
    """The related words of a word that is not indexed; None if none is related.

    First choice is the word with its umlauts (``Zuschuesse``), second are the parts of a compound
    (``Hotelkosten`` → ``hotel``, ``kost``). Third are the compounds that begin with the word
    (``Reisekosten`` → ``reisekostenabrechn``). Last is the word that was mistyped.
    """
    if len(word) < _SHORTEST or any(character.isdigit() for character in word):
        return None
    if stems := _find_stems(_write_umlauts(word), engine, languages):
        return RelatedWords((stems,))
    if parts := split_compound(word, engine, languages):
        return RelatedWords(tuple(parts))
    if longer := _find_longer(word, engine, languages):
        return RelatedWords((longer,))
    meant = find_meant(word, engine, languages)
    return RelatedWords((_find_stems(meant.lower(), engine, languages),), meant) if meant else None


def _write_umlauts(word: str) -> str:
    for letters, umlaut in _UMLAUTS:
        word = word.replace(letters, umlaut)
    return word


def _find_longer(word: str, engine: SearchEngine, languages: Sequence[str]) -> tuple[str, ...]:
    """The indexed stems of compounds that begin with ``word``."""
    language = next((one for one in languages if one in _AGGLUTINATING), None)
    stem = fold_stem(word, language)
    if language is None or len(stem) < _SHORTEST:
        return ()
    longer = engine.find_stems(stem, _LONGER)
    return tuple(one for one in longer if len(one) >= len(stem) + _PART)


def _find_stems(word: str, engine: SearchEngine, languages: Sequence[str]) -> tuple[str, ...]:
    stems = dict.fromkeys(fold_stem(word, language) for language in (*languages, None))
    return tuple(stem for stem in stems if engine.frequency(stem))
