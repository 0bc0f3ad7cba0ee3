"""A question's terms into the passages that answer it, the best first.

The engine's BM25 finds candidates. They are ranked again by what BM25 does not see: how much of the
question one single sentence holds, whether words that stand together in the question do so in the
passage, and how much of the question the whole document knows. The weights were fitted on one half
of COVID-QA (``benchmarks/retrieval.py`` measures both halves) and rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from .engine import SearchEngine
from .language import is_stop_word
from .passage import Passage
from .query import SearchQuery
from .record import IndexedPassage, StemmedUnit, read_record
from .sentences import Unit
from .words import folded_stem, split_words

CANDIDATES: Final = 30
"""Passages that are ranked: there are never more."""
_CONTEXT_BOOST: Final = 0.3
"""What a word in a heading, title or file name is worth to BM25, against one in the text."""
_SENTENCE_WEIGHT: Final = 1.5
_NEIGHBOUR_WEIGHT: Final = 1.0
_DOCUMENT_WEIGHT: Final = 0.85
_INHERITED: Final = 0.5
"""What a sentence gains by a word of the question that only its headings have."""
_HEADING_WEIGHT: Final = 4.0
"""What a heading that says just what the question says is worth, against the whole question."""
_GAP: Final = 3
"""Words of the question are neighbours if at most two others stand between them."""


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """A unit and the places, in the query, of the terms that it holds.

    ``lead`` are those of what leads to it: a row's table header, the sentence above a list, the
    sentence before a sentence.
    """

    stemmed: StemmedUnit
    terms: frozenset[int]
    lead: frozenset[int]

    @property
    def unit(self) -> Unit:
        """The unit itself."""
        return self.stemmed.unit

    @property
    def terms_with_lead(self) -> frozenset[int]:
        """Its terms; a row's with its header's and an item's with its lead's: alone it says nothing."""
        return self.terms if self.unit.kind == "sentence" else self.terms | self.lead


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A ranked passage: its score, and which terms its units and its context hold."""

    indexed: IndexedPassage
    score: float
    units: tuple[FoundUnit, ...]
    context: frozenset[int]

    @property
    def passage(self) -> Passage:
        """The passage itself."""
        return self.indexed.passage

    @property
    def terms(self) -> frozenset[int]:
        """All terms that it holds."""
        return self.context.union(*(unit.terms for unit in self.units))


def rank(query: SearchQuery, engine: SearchEngine, limit: int) -> list[RankedPassage]:
    """The best ``limit`` passages for a query, none where no word of it is known."""
    places = {spelling: place for place, term in enumerate(query.terms) for spelling in term.spellings}
    hits = engine.search([(spelling, 1.0) for spelling in places], _CONTEXT_BOOST, CANDIDATES)
    matched = [_match(query, read_record(hit.record), hit.score, places) for hit in hits]
    known: dict[str, set[int]] = defaultdict(set)
    for found in matched:
        known[found.passage.path] |= found.terms
    ranked = [
        RankedPassage(
            found.indexed,
            found.score + _DOCUMENT_WEIGHT * query.weigh(known[found.passage.path]),
            found.units,
            found.context,
        )
        for found in matched
    ]
    return sorted(ranked, key=lambda found: -found.score)[:limit]


def measure_coverage(query: SearchQuery, ranked: Sequence[RankedPassage]) -> float:
    """How much of a query some passages know, from 0 to 1.

    The mean of two shares of its worth: what the best passage holds, and what the best single
    sentence holds together with its headings. Words that meet in one sentence by chance are few.
    """
    passage = max((query.weigh(found.terms) for found in ranked), default=0.0)
    sentence = max(
        (query.weigh(unit.terms_with_lead | found.context) for found in ranked for unit in found.units),
        default=0.0,
    )
    return (passage + sentence) / 2 / (query.weight or 1.0)


def _match(query: SearchQuery, indexed: IndexedPassage, bm25: float, places: dict[str, int]) -> RankedPassage:
    context = frozenset(places[stem] for stem in indexed.context if stem in places)
    best, neighbours = _INHERITED * query.weigh(context), set[int]()
    found: list[FoundUnit] = []
    for stemmed in indexed.units:
        terms = _terms(stemmed.stems, places)
        unit = FoundUnit(stemmed, frozenset(place for _, place in terms), _lead(found, stemmed.unit))
        found.append(unit)
        if terms:
            neighbours.update(_neighbours(terms))
            best = max(
                best,
                query.weigh(unit.terms_with_lead) + _INHERITED * query.weigh(context - unit.terms_with_lead),
            )
    score = bm25 + _SENTENCE_WEIGHT * best
    score += _NEIGHBOUR_WEIGHT * sum(query.weigh((place, place + 1)) for place in neighbours) / 2
    score += _HEADING_WEIGHT * query.weight * _likeness(query, indexed.passage, places) ** 2
    return RankedPassage(indexed, score, tuple(found), context)


def _likeness(query: SearchQuery, passage: Passage, places: dict[str, int]) -> float:
    """How alike a passage's heading and the question are, from 0 to 1.

    The share of words that both have: of all, since ``What do I do when I am ill?`` has little else,
    or of those that carry meaning.
    """
    said = frozenset(split_words(passage.heading or ""))
    if not said:
        return 0.0
    language = passage.language
    meant = {folded_stem(word, language) for word in said if not (language and is_stop_word(word, language))}
    common = {places[stem] for stem in meant if stem in places}
    all_words = len(query.words & said) / len(query.words | said)
    return max(all_words, len(common) / ((len(query.terms) + len(meant) - len(common)) or 1))


def _terms(stems: Sequence[str], places: dict[str, int]) -> list[tuple[int, int]]:
    """The query's terms among stems, as (where it stands, its place in the query)."""
    if places.keys().isdisjoint(stems):
        return []
    return [(at, places[stem]) for at, stem in enumerate(stems) if stem in places]


def _lead(before: Sequence[FoundUnit], unit: Unit) -> frozenset[int]:
    """The terms of what leads to a unit, among those before it."""
    if not before:
        return frozenset()
    last = before[-1]
    if unit.kind == "row":
        return (last.lead or last.terms) if last.unit.kind == "row" else frozenset()
    if unit.kind == "item":
        first = len(before) < 2 or before[-2].unit.kind != "item"
        return last.terms if last.unit.kind != "item" else last.lead | (last.terms if first else frozenset())
    return last.terms


def _neighbours(terms: list[tuple[int, int]]) -> Iterable[int]:
    """The terms whose next term of the question follows at once: ``(at, place)`` in reading order."""
    for (at, place), (next_at, next_place) in pairwise(terms):
        if next_place == place + 1 and next_at - at <= _GAP:
            yield place
