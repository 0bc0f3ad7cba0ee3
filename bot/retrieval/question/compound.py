"""Splits a compound that no document has into parts that the documents have.

``Hotelkosten`` is found as ``Hotel`` and ``Kosten``. Two pieces of letters that happen to be words are
no parts: the second part must not be a suffix, and parts that stand in one passage come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...languages import LANGUAGES
from ..words import SearchEngine, fold_stem, is_stop_word, languages_with

Terms = list[tuple[str, ...]]
"""Terms of a query, each with its spellings."""

COMPOUNDING: Final = languages_with("compounds")
"""The languages that write compounds as one word."""
_PART: Final = 4
"""The least letters of a part."""
_CERTAIN: Final = 5
"""The least letters of each part if no passage has both."""
_LINKS: Final = ("", *LANGUAGES.words_of("compounds", "links"))
"""The letters that may link the parts."""
_SUFFIXES: Final = frozenset(LANGUAGES.words_of("compounds", "suffixes"))
"""Endings that are words of their own as well, or the stems of words."""


def split_compound(word: str, engine: SearchEngine, languages: Sequence[str]) -> Terms:
    """The terms of the two or three parts of a compound; empty if there are no plausible ones.

    In a language that writes compounds as several words one passage has to have both.
    """
    for language in languages:
        most = 3 if language in COMPOUNDING else 2
        if parts := _split(word, engine, language, most):
            return [_find_stems(part, engine, language) for part in parts]
    return []


def _split(word: str, engine: SearchEngine, language: str, most: int) -> tuple[str, ...]:
    """The parts of the best split: few parts, which stand together, and of which none is short."""
    rated = (
        (-len(parts), _stand_together(parts, engine, language), min(map(len, parts)), parts)
        for parts in _iter_splits(word, engine, language, most)
    )
    plausible = (split for split in rated if split[1] or (language in COMPOUNDING and split[2] >= _CERTAIN))
    return max(plausible, default=(0, False, 0, ()))[3]


def _iter_splits(word: str, engine: SearchEngine, language: str, most: int) -> Iterator[tuple[str, ...]]:
    for place in range(_PART, len(word) - _PART + 1):
        last = word[place:]
        if last in _SUFFIXES or not _find_stems(last, engine, language):
            continue
        firsts = {
            word[: place - len(link)]
            for link in _LINKS
            if word[:place].endswith(link) and place - len(link) >= _PART
        }
        known = [first for first in firsts if _find_stems(first, engine, language)]
        yield from ((first, last) for first in known)
        if not known and most > 2:
            yield from (
                (*parts, last) for first in firsts if (parts := _split(first, engine, language, most - 1))
            )


def _stand_together(parts: Sequence[str], engine: SearchEngine, language: str) -> bool:
    return bool(engine.find_entries_with([_find_stems(part, engine, language) for part in parts], 1))


def _find_stems(word: str, engine: SearchEngine, language: str) -> tuple[str, ...]:
    """The indexed stems of a part. A stop word is no part."""
    if is_stop_word(word, language):
        return ()
    stems = dict.fromkeys((fold_stem(word, language), fold_stem(word, None)))
    return tuple(stem for stem in stems if engine.frequency(stem))
