"""Ranks the passages for a question by BM25 or, where they have vectors, by likeness and coverage.

BM25 finds passages, and tells little about which of the found ones answers: a sentence with three of the
question's words says more than a page that repeats one. So what ranks beside the likeness is the share of the
question that a passage and its best sentence hold. The weights were chosen on own-words questions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ..index import Candidate
from ..meaning import Likeness
from ..passages import IndexedPassage, Passage, Unit
from ..question import SearchQuery
from .form import asks_for_form, has_form

_COVERED: Final = 0.4
"""The weight of the share of a question that a passage holds; its likeness has the rest."""
_SAID: Final = 0.6
"""The weight of what a passage says word by word, where that was compared; its likeness has the rest."""
LEAST_SAID: Final = 0.1
"""So much of any question is said by any text."""
_ENOUGH_SAID: Final = 0.35
"""Where no text says so much of a question, all say little of it."""
_FORM: Final = 0.1
"""What a passage gains whose most alike sentence can be the number or the date that is asked for."""
_OTHER_LANGUAGE: Final = 0.8
"""The least score of a passage in another language, as a share of the best one that is easily read.

A translation of that has less, but what it does not say at all has more.
"""
_SAME: Final = 0.85
"""Twins have this share of the letters of each in sentences that both have."""
_SIGNS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """A unit, and the indexes in the query of the terms that it holds.

    ``lead`` has the terms of the unit that introduces it. That is a row's table header, the sentence
    above a list, or the sentence before a sentence.
    """

    unit: Unit
    terms: frozenset[int]
    lead: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class RankedPassage:
    """A passage with its score, and the terms that its units and its context hold; equal to itself alone."""

    indexed: IndexedPassage
    score: float
    units: tuple[FoundUnit, ...]
    context: frozenset[int]
    likeness: Likeness | None = None

    @property
    def passage(self) -> Passage:
        """The passage itself."""
        return self.indexed.passage

    @property
    def terms(self) -> frozenset[int]:
        """All terms that the passage holds."""
        return self.context.union(*(unit.terms for unit in self.units))

    @property
    def said(self) -> float | None:
        """How much of the question the passage says, word by word; None where that was not compared."""
        return self.likeness.said.passage if self.likeness and self.likeness.said else None

    @property
    def alike(self) -> float:
        """The mean of the passage's likeness and its best unit's; 0 without vectors."""
        return self.likeness.mean if self.likeness else 0.0


def rank(query: SearchQuery, candidates: Sequence[Candidate]) -> list[RankedPassage]:
    """Rank passages by the query's words and, where it was compared, its meaning; the best first."""
    indexes = query.indexes
    ranked = [_match(one, indexes) for one in candidates]
    return _blend(query, sorted(ranked, key=lambda passage: -passage.score))


def _blend(query: SearchQuery, ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
    """Rank passages by likeness, and by coverage or what they say, relative to the best of each.

    A passage without vectors keeps its score by words.
    """
    best_words = max((passage.score for passage in ranked), default=0.0) or 1.0
    best_likeness = max((passage.alike for passage in ranked), default=0.0)
    most_said = max((passage.said or 0.0 for passage in ranked), default=0.0)

    def blend(passage: RankedPassage) -> RankedPassage:
        if passage.likeness is None or best_likeness <= 0:  # where nothing is alike, words alone rank
            return passage
        alike = passage.alike / best_likeness
        if passage.said is not None:
            weight, held = _SAID, share_said(passage.said, most_said)
        elif most_said:  # in another language than the question it says as much of it as it is alike
            weight, held = _SAID, share_said(most_said, most_said) * alike
        else:
            weight, held = _COVERED, measure_coverage(query, [passage])
        share = weight * held + (1 - weight) * alike
        return replace(passage, score=best_words * (share + _FORM * _has_form(query, passage)))

    return sorted(map(blend, ranked), key=lambda passage: -passage.score)


def share_said(said: float, most: float) -> float:
    """How much a text says, as a share of the ``most`` that one says, of which each says a part by chance."""
    return (said - LEAST_SAID) / (max(most, _ENOUGH_SAID) - LEAST_SAID)


def _has_form(query: SearchQuery, ranked: RankedPassage) -> bool:
    """Whether a question asks for a number or a date, which the most alike sentence of a passage can be."""
    if not (ranked.likeness and asks_for_form(query)):
        return False
    alike = ranked.likeness.units
    unit = ranked.units[alike.index(max(alike))].unit
    return has_form(query, ranked.passage.text[unit.start : unit.end])


def drop_twins(ranked: Iterable[RankedPassage], withheld: frozenset[str]) -> list[RankedPassage]:
    """Keep one of the passages that say the same: copies, and the same text as HTML and as PDF.

    They have nearly all of their sentences in common; a page's number may stand between them. The first one
    whose document is not ``withheld`` is kept, at the place of the best one.
    """
    distinct: list[tuple[frozenset[str], RankedPassage]] = []
    for passage in ranked:
        sentences = _fold_sentences(passage.passage)
        places = (place for place, (others, _) in enumerate(distinct) if _are_twins(sentences, others))
        place = next(places, None)
        if place is None:
            distinct.append((sentences, passage))
        elif distinct[place][1].passage.path in withheld and passage.passage.path not in withheld:
            distinct[place] = sentences, passage
    return [passage for _, passage in distinct]


@lru_cache(maxsize=512)  # questions find the same passages
def _fold_sentences(passage: Passage) -> frozenset[str]:
    """The sentences of a passage, each by its letters and digits alone."""
    units = (passage.text[unit.start : unit.end] for unit in passage.units)
    return frozenset(_SIGNS.sub("", unit).casefold() for unit in units)


def _are_twins(one: frozenset[str], other: frozenset[str]) -> bool:
    common = sum(map(len, one & other))
    return common > 0 and common >= _SAME * max(sum(map(len, one)), sum(map(len, other)))


def prefer_languages(ranked: Sequence[RankedPassage], languages: frozenset[str]) -> list[RankedPassage]:
    """Drop passages in another language than these that come far behind the best one of these.

    Where the first one is in these and says enough of the question, the others are translations at most.
    """

    def is_readable(one: RankedPassage) -> bool:
        return one.passage.language is None or one.passage.language in languages

    least = _OTHER_LANGUAGE * max((one.score for one in ranked if is_readable(one)), default=-math.inf)
    if ranked and is_readable(ranked[0]) and (ranked[0].said or 0.0) >= _ENOUGH_SAID:
        least = math.inf
    return [one for one in ranked if is_readable(one) or one.score >= least]


def measure_coverage(query: SearchQuery, ranked: Sequence[RankedPassage]) -> float:
    """The share of a query's weight that some passages hold, from 0 to 1.

    It is the mean of two shares: of the best passage, and of the best single sentence with its
    headings. Few words of a question meet in one sentence by chance.
    """
    best_passage = max((query.weigh(passage.terms) for passage in ranked), default=0.0)
    # A row or an item says little without what introduces it.
    sentences = (
        one.terms | passage.context | (one.lead if one.unit.kind != "sentence" else frozenset())
        for passage in ranked
        for one in passage.units
    )
    best_sentence = max(map(query.weigh, sentences), default=0.0)
    return (best_passage + best_sentence) / 2 / (query.weight or 1.0)


def _match(candidate: Candidate, indexes: dict[str, int]) -> RankedPassage:
    """Find the terms that each unit of a passage holds; ``indexes`` has the query's term of each stem."""
    indexed = candidate.indexed
    units: list[FoundUnit] = []
    for unit, stems in zip(indexed.passage.units, indexed.stems, strict=True):
        terms = frozenset(indexes[stem] for stem in stems if stem in indexes)
        units.append(FoundUnit(unit, terms, _find_lead(units, unit)))
    context = frozenset(indexes[stem] for stem in indexed.context if stem in indexes)
    return RankedPassage(indexed, candidate.score, tuple(units), context, candidate.likeness)


def _find_lead(before: Sequence[FoundUnit], unit: Unit) -> frozenset[int]:
    """The terms of the unit that introduces ``unit``, among those before it."""
    if not before:
        return frozenset()
    last = before[-1]
    if unit.kind == "row":
        return (last.lead or last.terms) if last.unit.kind == "row" else frozenset()
    if unit.kind == "item":
        first = len(before) < 2 or before[-2].unit.kind != "item"
        return last.terms if last.unit.kind != "item" else last.lead | (last.terms if first else frozenset())
    return last.terms
