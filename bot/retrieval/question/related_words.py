"""Replaces a word that no document has by related words that the documents have.

``Hotelkosten`` is found as ``Hotel`` and ``Kosten``. Two pieces of letters that happen to be words are
no parts: the second part must not be a suffix, and parts that stand in one passage come first.

A slip is one letter that was left out, added, or replaced, or two neighbours that were swapped. Most
words that no document has are synonyms and no slips. So the other word has to stand in the documents as
it is, and to begin with the same letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from ...languages import LANGUAGES
from ..index import Candidates
from ..passages import read_record, write_context
from ..words import SearchEngine, fold_stem, is_stop_word, languages_with, split_words

_SHORTEST: Final = 5
"""A word with fewer letters has no related words, since it resembles too many others."""
_LONGER: Final = 5
"""At most this many compounds that begin with a word replace it."""
_COMPOUNDING: Final = languages_with("compounds")
"""The languages that write compounds as one word."""
_PART: Final = 4
"""The least letters of a part of a compound, and of what stands behind its beginning."""
_CERTAIN: Final = 5
"""The least letters of each part if no passage has both."""
_LINKS: Final = ("", *LANGUAGES.words_of("compounds", "links"))
"""The letters that may link the parts."""
_SUFFIXES: Final = frozenset(LANGUAGES.words_of("compounds", "suffixes"))
"""Endings that are words of their own as well, or the stems of words."""
_AGGLUTINATING: Final = _COMPOUNDING | languages_with("endings")
"""The languages in which a word that begins another one is a part of its meaning."""
_UMLAUTS: Final = tuple((key, letter) for key, (letter,) in LANGUAGES.entries_of("letters"))

_LONGEST_SLIP: Final = 20
"""A word with more letters is not corrected."""
_SWAPPED: Final = 5
"""The least letters of a word in which two neighbours are swapped."""
_WITHIN: Final = 6
"""The least letters of a word with any other slip before its last letter."""
_AT_END: Final = 8
"""The least letters of a word with another end, which may be an inflection or another word."""
_PASSAGES: Final = 20
"""The word is sought in this many passages that hold a similar stem."""


@dataclass(frozen=True, slots=True)
class RelatedWords:
    """What is searched for a word that no document has: terms, each with its spellings.

    ``shown`` is the other word if the whole word was replaced by one, and has to be shown. It is None
    for parts of the word, and for compounds that begin with it.
    """

    terms: tuple[tuple[str, ...], ...]
    shown: str | None = None


def find_related(word: str, candidates: Candidates) -> RelatedWords | None:
    """The related words of a word that is not indexed; None if none is related.

    First choice is the word with its umlauts (``Zuschuesse``), second are the parts of a compound
    (``Hotelkosten`` → ``hotel``, ``kost``). Third are the compounds that begin with the word
    (``Reisekosten`` → ``reisekostenabrechn``). Last is the word that was mistyped, unless it is one as it is:
    ``Kasten`` is no slip of ``Kosten``.
    """
    engine, languages = candidates.words, candidates.languages
    if len(word) < _SHORTEST or any(character.isdigit() for character in word):
        return None
    if stems := _find_stems(_write_umlauts(word), engine, languages):
        return RelatedWords((stems,))
    if parts := _split_compound(word, engine, languages):
        return RelatedWords(tuple(parts))
    if longer := _find_longer(word, engine, languages):
        return RelatedWords((longer,))
    meant = None if candidates.knows_word(word) else _find_meant(word, engine, languages)
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


def _split_compound(word: str, engine: SearchEngine, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """The terms of the two or three parts of a compound; empty if there are no plausible ones.

    In a language that writes compounds as several words one passage has to have both.
    """
    for language in languages:
        most = 3 if language in _COMPOUNDING else 2
        if parts := _split_best(word, engine, language, most):
            return [_find_part(part, engine, language) for part in parts]
    return []


def _split_best(word: str, engine: SearchEngine, language: str, most: int) -> tuple[str, ...]:
    """The parts of the best split: few parts, which stand together, and of which none is short."""
    rated = (
        (-len(parts), _stand_together(parts, engine, language), min(map(len, parts)), parts)
        for parts in _iter_splits(word, engine, language, most)
    )
    plausible = (split for split in rated if split[1] or (language in _COMPOUNDING and split[2] >= _CERTAIN))
    return max(plausible, default=(0, False, 0, ()))[3]


def _iter_splits(word: str, engine: SearchEngine, language: str, most: int) -> Iterator[tuple[str, ...]]:
    for place in range(_PART, len(word) - _PART + 1):
        last = word[place:]
        if last in _SUFFIXES or not _find_part(last, engine, language):
            continue
        firsts = {
            word[: place - len(link)]
            for link in _LINKS
            if word[:place].endswith(link) and place - len(link) >= _PART
        }
        known = [first for first in firsts if _find_part(first, engine, language)]
        yield from ((first, last) for first in known)
        if not known and most > 2:
            yield from (
                (*parts, last)
                for first in firsts
                if (parts := _split_best(first, engine, language, most - 1))
            )


def _stand_together(parts: Sequence[str], engine: SearchEngine, language: str) -> bool:
    return bool(engine.find_entries_with([_find_part(part, engine, language) for part in parts], 1))


def _find_part(word: str, engine: SearchEngine, language: str) -> tuple[str, ...]:
    """The indexed stems of a part. A stop word is no part."""
    if is_stop_word(word, language):
        return ()
    stems = dict.fromkeys((fold_stem(word, language), fold_stem(word, None)))
    return tuple(stem for stem in stems if engine.frequency(stem))


def _find_meant(word: str, engine: SearchEngine, languages: Sequence[str]) -> str | None:
    """The word that was meant by ``word``, as the documents write it; None if there is none.

    Of several words the one in the most passages is returned.
    """
    if len(word) > _LONGEST_SLIP:
        return None
    frequencies: dict[str, int] = {}
    for stem in dict.fromkeys(fold_stem(word, language) for language in (*languages, None)):
        for hit in engine.find_similar(stem, _PASSAGES):
            passage = read_record(hit.record).passage
            text = f"{passage.text} {write_context(passage)}"
            alike = {one for one in split_words(text) if one[0] == word[0] and abs(len(one) - len(word)) <= 1}
            for other in (one for one in alike if _is_slip(word, one)):
                meant = write_as_in(text, other)
                frequencies[meant] = engine.frequency(fold_stem(other, passage.language))
    return max(sorted(frequencies), key=lambda meant: frequencies[meant], default=None)


def _is_slip(asked: str, meant: str) -> bool:
    """Whether one slip behind the first letter makes ``asked`` of ``meant``.

    >>> [_is_slip(asked, "vacation") for asked in ("vacaton", "vaccation", "vacatino", "location")]
    [True, True, True, False]
    """
    start = _count_common(asked, meant)
    one, other = asked[start:], meant[start:]
    end = _count_common(one[::-1], other[::-1])
    one, other = one[: len(one) - end], other[: len(other) - end]
    if start == 0:
        return False
    if len(one) == 2 and one == other[::-1]:
        return len(asked) >= _SWAPPED
    return len(one) <= 1 >= len(other) and asked != meant and len(asked) >= (_WITHIN if end else _AT_END)


def _count_common(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def write_as_in(text: str, word: str) -> str:
    """``word``, which is in lower case, as ``text`` writes it first."""
    found = re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
    return found[0] if found else word
