"""This module turns a question into the weighted terms that are searched."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .engine import SearchEngine
from .language import detect, is_stop_word
from .question_kind import QuestionKind, classify_question
from .related_words import find_related
from .words import fold_stem, split_words, stem_words


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question: its stems in the folder's languages, and its inverse document frequency."""

    spellings: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The content words of a question in order, as terms.

    ``words`` are all words of the question in lower case. ``language`` is the question's, or None
    where it could not be detected. ``asks`` says what kind of answer it asks for.
    """

    text: str
    words: frozenset[str]
    terms: tuple[Term, ...]
    language: str | None = None
    asks: QuestionKind = QuestionKind.OTHER

    @property
    def weight(self) -> float:
        """The weight of all terms together."""
        return sum(term.weight for term in self.terms)

    def weigh(self, indexes: Iterable[int]) -> float:
        """Return the weight of the terms at ``indexes`` together."""
        return sum(self.terms[index].weight for index in indexes)


_LONGEST: Final = 1000
"""A longer question is truncated to this many characters."""
_CAPITALISED: Final = re.compile(r"(?<=[\w,;:] )[^\W\d_a-z][^\W\d_]+")
_UNKNOWN_NAME: Final = 1.5
"""The weight of a name that no document has, relative to another such word."""
_UNKNOWN: Final = 8
"""At most this many unknown words of a question are sought in other spellings."""


def read_question(question: str, engine: SearchEngine, languages: Sequence[str]) -> SearchQuery:
    """Return the query for a question; one that consists of stop words has no terms.

    ``languages`` are those of the folder's documents, the most frequent first. Each word is
    searched by its stem in every language, since a question is too short to detect one.
    """
    question = question[:_LONGEST]
    language = detect(question, languages, quorum=0.2) or (languages[0] if languages else None)
    # Where the folder has too few words to detect its language, the question's own stop words decide.
    language = language or detect(question, quorum=0.2)
    question_words = dict.fromkeys(split_words(question))
    content = [word for word in question_words if not (language and is_stop_word(word, language))]
    # German writes every noun with a capital letter, so capitals do not mark names.
    names = frozenset() if language == "german" else _find_names(question)
    terms = [
        Term(spellings, _compute_weight(spellings, engine, names))
        for spellings in dict.fromkeys(_find_spellings(content, engine, languages))
    ]
    asks = classify_question(question, language)
    return SearchQuery(question, frozenset(question_words), tuple(terms), language, asks)


def _find_names(question: str) -> frozenset[str]:
    """Return the capitalised words inside a question."""
    if question.isupper():
        return frozenset()
    return frozenset(fold_stem(name.lower(), None) for name in _CAPITALISED.findall(question))


def _find_spellings(
    content: Sequence[str], engine: SearchEngine, languages: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Yield the spellings of each term: the word's stems, pairs of characters, or related words."""
    unknown = 0
    for word in content:
        pieces = stem_words(word, None)
        if len(pieces) > 1:
            yield from ((piece,) for piece in _select_pieces(pieces, engine))
            continue
        spellings = tuple(dict.fromkeys(fold_stem(word, language) for language in (*languages, None)))
        if any(map(engine.count_entries_with, spellings)):
            yield spellings
        else:
            unknown += 1
            related = find_related(word, engine, languages) if unknown <= _UNKNOWN else []
            yield from related or [spellings]


def _select_pieces(pieces: Sequence[str], engine: SearchEngine) -> list[str]:
    """Return the pairs of an unsegmented run that are indexed, and the characters that are not.

    An unknown pair is dropped: it may be the end of one word and the beginning of the next.
    """
    return [piece for piece in pieces if bool(engine.count_entries_with(piece)) == (len(piece) > 1)]


def _compute_weight(spellings: tuple[str, ...], engine: SearchEngine, names: frozenset[str]) -> float:
    """Return Robertson's inverse document frequency, which is highest for an unknown word.

    An unknown name weighs more still, because a document without that name can't be the answer.
    """
    frequency = max(map(engine.count_entries_with, spellings), default=0)
    unknown_name = not frequency and not names.isdisjoint(spellings)
    frequency = max(1, frequency)
    weight = math.log1p((len(engine) - frequency + 0.5) / (frequency + 0.5))
    return weight * (_UNKNOWN_NAME if unknown_name else 1)
