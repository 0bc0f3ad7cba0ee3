"""A question into the terms that are searched, each with what it is worth."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .engine import SearchEngine
from .language import detect, is_stop_word
from .related_words import find_related
from .words import folded_stem, split_words, stem_words


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a question: its stems in the folder's languages, and its inverse document frequency."""

    spellings: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The content words of a question in order; ``language`` is the question's, if one wins its vote."""

    text: str
    words: frozenset[str]
    terms: tuple[Term, ...]
    language: str | None = None

    @property
    def weight(self) -> float:
        """What all terms are worth together."""
        return sum(term.weight for term in self.terms)

    def weigh(self, places: Iterable[int]) -> float:
        """What the terms at some places are worth together."""
        return sum(self.terms[place].weight for place in places)


_LONGEST: Final = 1000
"""Characters of a question that are read; what is longer is a text, whose beginning says what it is."""
_CAPITALISED: Final = re.compile(r"(?<=[\w,;:] )[^\W\d_a-z][^\W\d_]+")
_UNKNOWN_NAME: Final = 1.5
"""What a name that no document has is worth, against another word that none has."""
_UNKNOWN: Final = 8
"""Words of a question that are looked for under other spellings."""


def read_question(question: str, engine: SearchEngine, languages: Sequence[str]) -> SearchQuery:
    """The query for a question; any text is one, and a text of stop words has no terms.

    ``languages`` are those of the folder's documents, the most frequent first: a word is searched
    by its stem in each, since a question is too short to be sure of its language.
    """
    question = question[:_LONGEST]
    language = detect(question, languages, quorum=0.2) or (languages[0] if languages else None)
    # A folder of a few words may not tell its language; the question's small words are still small.
    language = language or detect(question, quorum=0.2)
    asked = dict.fromkeys(split_words(question))
    content = [word for word in asked if not (language and is_stop_word(word, language))]
    names = frozenset() if language == "german" else _names(question)
    terms = [
        Term(spellings, _weight(spellings, engine, names))
        for spellings in dict.fromkeys(_spellings(content, engine, languages))
    ]
    return SearchQuery(question, frozenset(asked), tuple(terms), language)


def _names(question: str) -> frozenset[str]:
    """The capitalised words inside a question; German, which writes all nouns so, has none."""
    if question.isupper():
        return frozenset()
    return frozenset(folded_stem(name.lower(), None) for name in _CAPITALISED.findall(question))


def _spellings(
    content: Sequence[str], engine: SearchEngine, languages: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Each word as one or several terms: as it is, as pairs of characters, by its parts, or as meant."""
    unknown = 0
    for word in content:
        pieces = stem_words(word, None)
        if len(pieces) > 1:
            yield from ((piece,) for piece in _select_pieces(pieces, engine))
            continue
        spellings = tuple(dict.fromkeys(folded_stem(word, language) for language in (*languages, None)))
        if any(map(engine.count_entries_with, spellings)):
            yield spellings
        else:
            unknown += 1
            meant = find_related(word, engine, languages) if unknown <= _UNKNOWN else []
            yield from meant or [spellings]


def _select_pieces(pieces: Sequence[str], engine: SearchEngine) -> list[str]:
    """Of the pairs of an unsegmented run those that occur, and each character that never does.

    Two characters that only meet where one word ends and the next begins are no word.
    """
    return [piece for piece in pieces if bool(engine.count_entries_with(piece)) == (len(piece) > 1)]


def _weight(spellings: tuple[str, ...], engine: SearchEngine, names: frozenset[str]) -> float:
    """Robertson's inverse document frequency; a word that no document has is worth the most.

    A name is what its question is about: no document that doesn't know it answers.
    """
    frequency = max(map(engine.count_entries_with, spellings), default=0)
    unknown_name = not frequency and not names.isdisjoint(spellings)
    frequency = max(1, frequency)
    weight = math.log1p((len(engine) - frequency + 0.5) / (frequency + 0.5))
    return weight * (_UNKNOWN_NAME if unknown_name else 1)
