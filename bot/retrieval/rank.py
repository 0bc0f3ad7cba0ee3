"""This module ranks the passages for a question.

The engine's BM25 finds candidates, and so do their vectors, if there are any. This module ranks them by
what BM25 ignores: how much of the question the best sentence holds, and how much the whole document
holds. Their likeness to the question counts the more, the less of it the words cover. The weights of words
were fitted on one half of COVID-QA, those of meaning on own-words questions, and all were rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .engine import Hit, SearchEngine
from .language import is_stop_word
from .meaning import ComparedQuestion, Likeness
from .passage import Passage
from .query import SearchQuery
from .record import IndexedPassage, read_record
from .sentences import Unit
from .words import fold_stem, split_words

_CANDIDATES: Final = 30
"""At most this many passages are ranked."""
_CONTEXT_BOOST: Final = 0.3
"""The weight in BM25 of a word in a heading, title or file name, relative to one in the text."""
_SENTENCE_WEIGHT: Final = 1.5
_DOCUMENT_WEIGHT: Final = 0.85
_INHERITED: Final = 0.5
"""The weight of a word that only a sentence's headings have, relative to one in the sentence."""
_HEADING_WEIGHT: Final = 4.0
"""The weight of a heading that equals the question, relative to the whole question."""
_MEANING_WEIGHT: Final = 0.9
"""The weight of meaning for a question of which the words cover nothing."""
_COVERED: Final = 0.75
"""The share of that weight that full coverage takes away."""
_BEST: Final = 4
"""Behind this many of the best passages stand those that are most alike."""
_ALIKE: Final = 3
"""So many of those."""
_COVERING: Final = 8
"""The coverage of a question is measured in this many passages."""


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """A unit, and the indexes in the query of the terms that it holds.

    ``lead`` has the terms of the unit that introduces it. That is a row's table header, the sentence
    above a list, or the sentence before a sentence.
    """

    unit: Unit
    terms: frozenset[int]
    lead: frozenset[int]

    @property
    def terms_with_lead(self) -> frozenset[int]:
        """The terms of a sentence; for a row or an item, its terms and those of its lead."""
        return self.terms if self.unit.kind == "sentence" else self.terms | self.lead


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage with its score, and the terms that its units and its context hold."""

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
    def alike(self) -> float:
        """The mean of the passage's likeness and its best unit's; 0 without vectors."""
        return self.likeness.mean if self.likeness else 0.0


def rank(
    query: SearchQuery, engine: SearchEngine, meaning: ComparedQuestion | None = None
) -> list[RankedPassage]:
    """Return the best passages for a query, by its words and, where it is given, its meaning.

    Without ``meaning`` there are none where the index has none of the query's words.
    """
    terms = [(spelling, 1.0) for spelling in query.indexes]
    hits = engine.search(terms, _CONTEXT_BOOST, _CANDIDATES)
    if meaning:
        found = {hit.record["digest"] for hit in hits}
        nearest = [digest for digest in meaning.find_nearest(_CANDIDATES) if digest not in found]
        hits += engine.rate(nearest, terms, _CONTEXT_BOOST)
    ranked = rank_hits(query, hits)
    return (_blend(query, ranked, meaning) if meaning else ranked)[:_CANDIDATES]


def rank_hits(query: SearchQuery, hits: Iterable[Hit]) -> list[RankedPassage]:
    """Rank these passages by the query's words, the best first."""
    indexes = query.indexes
    matches = [_match(query, read_record(hit.record), hit.score, indexes) for hit in hits]
    document_terms: dict[str, set[int]] = defaultdict(set)
    for match in matches:
        document_terms[match.passage.path] |= match.terms
    ranked = (
        replace(one, score=one.score + _DOCUMENT_WEIGHT * query.weigh(document_terms[one.passage.path]))
        for one in matches
    )
    return sorted(ranked, key=lambda passage: -passage.score)


def _blend(
    query: SearchQuery, ranked: Sequence[RankedPassage], meaning: ComparedQuestion
) -> list[RankedPassage]:
    """Rank passages by words and meaning; the less of the question the words cover, the more meaning counts.

    Both scores are relative to the question's best. A passage without vectors keeps its share of words.
    """
    likenesses = meaning.compare([passage.indexed.digest for passage in ranked])
    weight = _MEANING_WEIGHT * (1 - _COVERED * measure_coverage(query, ranked[:_COVERING]))
    best_words = max((passage.score for passage in ranked), default=0.0) or 1.0
    best_likeness = max((likeness.mean for likeness in likenesses.values()), default=0.0)
    # Where nothing is alike, words alone rank.
    scale = weight * best_words / best_likeness if best_likeness > 0 else 0.0

    def blend(passage: RankedPassage) -> RankedPassage:
        if not (likeness := likenesses.get(passage.indexed.digest)):
            return passage
        return replace(passage, score=(1 - weight) * passage.score + scale * likeness.mean, likeness=likeness)

    return sorted(map(blend, ranked), key=lambda passage: -passage.score)


def drop_copies(ranked: Iterable[RankedPassage]) -> list[RankedPassage]:
    """Keep the first of the passages that have the same text and headings, in copies of one document."""
    distinct: dict[int, RankedPassage] = {}
    for passage in ranked:
        distinct.setdefault(passage.indexed.digest, passage)
    return list(distinct.values())


def add_alike(ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
    """Put those most alike by meaning alone behind the best passages.

    A question in other words than the document's shares some with passages about something else.
    """
    best, others = ranked[:_BEST], ranked[_BEST:]
    alike = [one for one in sorted(others, key=lambda one: -one.alike)[:_ALIKE] if one.alike > 0]
    return [*best, *alike, *(one for one in others if all(one is not other for other in alike))]


def measure_coverage(query: SearchQuery, ranked: Sequence[RankedPassage]) -> float:
    """Return the share of a query's weight that some passages hold, from 0 to 1.

    It is the mean of two shares: of the best passage, and of the best single sentence with its
    headings. Few words of a question meet in one sentence by chance.
    """
    best_passage = max((query.weigh(passage.terms) for passage in ranked), default=0.0)
    sentences = (unit.terms_with_lead | passage.context for passage in ranked for unit in passage.units)
    best_sentence = max(map(query.weigh, sentences), default=0.0)
    return (best_passage + best_sentence) / 2 / (query.weight or 1.0)


def _match(
    query: SearchQuery, indexed: IndexedPassage, bm25: float, indexes: dict[str, int]
) -> RankedPassage:
    """Score a passage without its document; ``indexes`` has the query's term of each stem."""
    context = frozenset(indexes[stem] for stem in indexed.context if stem in indexes)
    best = _INHERITED * query.weigh(context)
    units: list[FoundUnit] = []
    for stemmed in indexed.units:
        terms = frozenset(indexes[stem] for stem in stemmed.stems if stem in indexes)
        unit = FoundUnit(stemmed.unit, terms, _find_lead(units, stemmed.unit))
        units.append(unit)
        if terms:
            inherited = query.weigh(context - unit.terms_with_lead)
            best = max(best, query.weigh(unit.terms_with_lead) + _INHERITED * inherited)
    score = bm25 + _SENTENCE_WEIGHT * best
    score += _HEADING_WEIGHT * query.weight * _compare_heading(query, indexed.passage, indexes) ** 2
    return RankedPassage(indexed, score, tuple(units), context)


def _compare_heading(query: SearchQuery, passage: Passage, indexes: dict[str, int]) -> float:
    """Return the similarity of a passage's heading and the question, from 0 to 1.

    It is the larger of two shares of common words: among all words, and among content words. The
    first is for questions like ``What do I do when I am ill?``, which have few content words.
    """
    heading = frozenset(split_words(passage.heading or ""))
    if not heading:
        return 0.0
    language = passage.language
    content = {
        fold_stem(word, language) for word in heading if not (language and is_stop_word(word, language))
    }
    common = {indexes[stem] for stem in content if stem in indexes}
    of_all_words = len(query.words & heading) / len(query.words | heading)
    return max(of_all_words, len(common) / ((len(query.terms) + len(content) - len(common)) or 1))


def _find_lead(before: Sequence[FoundUnit], unit: Unit) -> frozenset[int]:
    """Return the terms of the unit that introduces ``unit``, among those before it."""
    if not before:
        return frozenset()
    last = before[-1]
    if unit.kind == "row":
        return (last.lead or last.terms) if last.unit.kind == "row" else frozenset()
    if unit.kind == "item":
        first = len(before) < 2 or before[-2].unit.kind != "item"
        return last.terms if last.unit.kind != "item" else last.lead | (last.terms if first else frozenset())
    return last.terms
