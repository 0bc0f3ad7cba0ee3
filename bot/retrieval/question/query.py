"""Turns a question into the weighted terms that are searched."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from ..index import Candidates
from ..words import KNOWN, detect, fold_stem, is_stop_word, split_words, stem_words
from .kind import QuestionKind, asks_when, classify_question
from .related_words import RelatedWords, find_related, write_as_in


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question: its stems in the folder's languages, and its inverse document frequency."""

    spellings: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Replacement:
    """A word of the question that no document has, and the word of the documents that is searched instead.

    ``term`` is the index of the term in the query.
    """

    asked: str
    shown: str
    term: int


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The content words of a question in order, as terms.

    ``words`` are all words of the question in lower case. ``language`` is the question's, or None
    where it could not be detected. ``asks`` says what kind of answer it asks for, and ``asks_when``
    whether that is a time or a condition. ``replaced`` are the words that were taken for mistyped ones; an
    answer has to say so. ``added`` are the indexes of the terms that a follow-up adds to the question
    before; where no passage has some of them, of these alone. It is empty for a question that stands alone.
    ``rarest`` is the weight of a word that a single passage has. ``unknown`` are the words of which no
    passage has any form, as they were typed. ``names`` are the indexes of the terms that are written as
    names, but for those that only the question before has.
    """

    text: str
    words: frozenset[str]
    terms: tuple[Term, ...]
    language: str | None = None
    asks: QuestionKind = QuestionKind.OTHER
    asks_when: bool = False
    replaced: tuple[Replacement, ...] = ()
    added: frozenset[int] = frozenset()
    rarest: float = 1.0
    unknown: tuple[str, ...] = ()
    names: frozenset[int] = frozenset()

    @property
    def weight(self) -> float:
        """The weight of all terms together."""
        return sum(term.weight for term in self.terms)

    @property
    def indexes(self) -> dict[str, int]:
        """The index of the term of each spelling."""
        return {spelling: index for index, term in enumerate(self.terms) for spelling in term.spellings}

    def weigh(self, indexes: Iterable[int]) -> float:
        """The weight of the terms at ``indexes`` together."""
        return sum(self.terms[index].weight for index in indexes)


_LONGEST: Final = 1000
"""A longer question is truncated to this many characters."""
_UNKNOWN_WEIGHT: Final = 1.2
"""The weight of a word that no document has, relative to one that a single passage has."""
_TAKEN_UP_WEIGHT: Final = 0.5
"""The weight of a word that only the question before has, relative to one of the question itself."""
_UNKNOWN: Final = 8
"""At most this many unknown words of a question are sought in other spellings."""
_WORD: Final = re.compile(r"[^\W_]+")
_HYPHENED: Final = re.compile(r"(?<!\w)\w++(?:-\w++)++")
_BEGINS: Final = re.compile(r"(?:\A|[.!?…:])[\W_]*\Z")
"""What stands before the first word of a sentence."""
_ROOT: Final = 4
"""The least letters with which another form of a word begins."""


def read_question(
    question: str, candidates: Candidates, taken_up: frozenset[str] = frozenset()
) -> SearchQuery:
    """The query for a question; one that consists of stop words has no terms.

    Each word is searched by its stem in every language of the ``candidates``, since a question is too
    short to detect one. Words in ``taken_up`` are those of a follow-up that it does not ask about; they
    weigh less.
    """
    question, languages = question[:_LONGEST], candidates.languages
    # A question may be in a language that no document has; its stop words are none of theirs.
    language = detect(question, (*languages, *KNOWN), quorum=0.2)
    language = language or (languages[0] if languages else None)
    question_words = dict.fromkeys(split_words(question))
    content = [word for word in question_words if not (language and is_stop_word(word, language))]
    weights: dict[tuple[str, ...], float] = {}
    added: set[int] = set()
    added_unknown: set[int] = set()
    replaced: list[Replacement] = []
    unknown: list[str] = []
    names: set[int] = set()
    written_as_names = _find_names(question, language)
    for word, related in _find_words(content, candidates):
        spellings_of_word = tuple(chain.from_iterable(related.terms))
        is_unknown = not any(map(candidates.words.frequency, spellings_of_word)) and not _has_longer(
            spellings_of_word, candidates
        )
        if is_unknown:
            unknown.append(_write_whole(question, write_as_in(question, word)))
        for spellings in related.terms:
            weight = _compute_weight(spellings, candidates) * (_TAKEN_UP_WEIGHT if word in taken_up else 1)
            weights[spellings] = max(weight, weights.get(spellings, 0.0))
            index = list(weights).index(spellings)
            if word in written_as_names and word not in taken_up:
                names.add(index)
            if taken_up and word not in taken_up:
                (added_unknown if is_unknown else added).add(index)
            if related.shown:
                replaced.append(Replacement(write_as_in(question, word), related.shown, index))
    return SearchQuery(
        question,
        frozenset(question_words),
        tuple(Term(spellings, weight) for spellings, weight in weights.items()),
        language,
        classify_question(question),
        asks_when(question),
        tuple(replaced),
        frozenset(added_unknown or added),
        math.log1p((candidates.total - 0.5) / 1.5),
        tuple(dict.fromkeys(unknown)),
        frozenset(names),
    )


def _write_whole(question: str, word: str) -> str:
    """The word with hyphens in a question of which ``word`` is a part: ``Wi-Fi`` for ``Fi``."""
    return next((one[0] for one in _HYPHENED.finditer(question) if word in one[0].split("-")), word)


def _find_names(question: str, language: str | None) -> frozenset[str]:
    """The words that a question writes as names, in lower case: *Spain*, *iPhone*.

    They have a capital inside a sentence or within the word. German writes every noun with the former. In a
    headline, or where all letters are capitals, neither tells.
    """
    words = list(_WORD.finditer(question))
    if 2 * sum(word[0].islower() for word in words) < len(words) - 1:
        return frozenset()
    return frozenset(
        word[0].lower()
        for word in words
        if word[0][1:] != word[0][1:].lower()
        or (word[0][0].isupper() and language != "german" and not _BEGINS.search(question[: word.start()]))
    )


def _find_words(content: Sequence[str], candidates: Candidates) -> Iterator[tuple[str, RelatedWords]]:
    """Yield each word with its terms: its stems, its pairs of characters, or related words."""
    languages = candidates.languages
    unknown = 0
    for word in content:
        pieces = stem_words(word, None)
        if len(pieces) > 1:
            # An unknown pair may be the end of one word and the beginning of the next.
            known = (one for one in pieces if bool(candidates.words.frequency(one)) == (len(one) > 1))
            yield word, RelatedWords(tuple((one,) for one in known))
            continue
        spellings = tuple(dict.fromkeys(fold_stem(word, language) for language in (*languages, None)))
        is_known = any(map(candidates.words.frequency, spellings))
        unknown += not is_known
        related = None if is_known or unknown > _UNKNOWN else find_related(word, candidates)
        yield word, related or RelatedWords((spellings,))


def _has_longer(spellings: Iterable[str], candidates: Candidates) -> bool:
    """Whether a stem of the documents begins with one of a word: stemmers leave *taken* apart from *take*."""
    stems = (one.rstrip("aeiou") if len(one) > _ROOT else one for one in spellings)
    return any(candidates.words.find_stems(stem, 1) for stem in stems if len(stem) >= _ROOT)


def _compute_weight(spellings: tuple[str, ...], candidates: Candidates) -> float:
    """Return Robertson's inverse document frequency, which is highest for an unknown word."""
    frequency = max(map(candidates.words.frequency, spellings), default=0)
    known = max(1, frequency)
    weight = math.log1p((candidates.total - known + 0.5) / (known + 0.5))
    return weight if frequency else weight * _UNKNOWN_WEIGHT
