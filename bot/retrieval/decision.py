"""This module decides whether passages answer a question, come near it, or say nothing about it.

Words of a question meet in a text by chance, and a text near the question's topic need not answer it. So
an answer has to be more than near: it has most of the question's rare words, or its meaning, and it stands
out from what comes next. The weights were fitted to XQuAD in five languages, COVID-QA, SQuAD 2 and
own-words questions, each set judged by weights that were fitted without it; then they were rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citations import AnswerKind

from .answer_form import has_form, is_template
from .extract import Quote
from .query import SearchQuery
from .rank import RankedPassage, measure_coverage
from .words import is_unsegmented, split_words

_ENOUGH: Final = 2.15
"""The least evidence of an answer by words and meaning."""
_ENOUGH_ALONE: Final = 1.95
"""The least evidence of an answer by words alone."""
_PAIR: Final = 0.7
"""A pair of characters counts as this share of a word, because the next pair overlaps it."""
_NEAR: Final = 0.25
"""From this coverage of a question on, passages are near it."""
_NEAR_TOGETHER: Final = 0.42
"""The same for the coverage and the best likeness of a sentence or a passage together."""
_HELD: Final = 0.7
"""The evidence of a rare word of the question that the quote, its lead or its headings have."""
_HELD_ALONE: Final = 1.0
"""The same where there are no vectors."""
_MISSING: Final = 0.3
"""The evidence against an answer of each that they do not have."""
_ALIKE: Final = 2.6
"""The evidence of a likeness of 1."""
_LEAD: Final = 1.3
"""The evidence of being ahead by a likeness of 1 of the sentences of all other passages."""
_PASSAGE_LEAD: Final = 4.4
"""The same for the passage of the quote."""
_AHEAD: Final = 2.2
"""The evidence of a passage ahead of the next by its whole score."""
_MOST_WORDS: Final = 9.0
"""A question counts as at most this many rare words."""


def decide(
    query: SearchQuery, ranked: Sequence[RankedPassage], quotes: Sequence[Quote], rarest: float
) -> AnswerKind:
    """Return how far ``quotes`` from the ``ranked`` passages answer the question; the best is the first.

    ``rarest`` is the weight of a word that a single passage has. It makes evidence from a large folder
    comparable with that from a small one.
    """
    if not query.terms or not ranked:
        return AnswerKind.NOTHING
    if quotes and _is_answer(query, ranked, quotes, rarest):
        return AnswerKind.ANSWERED
    return AnswerKind.UNSURE if _is_near(query, ranked) else AnswerKind.NOTHING


def _is_near(query: SearchQuery, ranked: Sequence[RankedPassage]) -> bool:
    coverage = measure_coverage(query, ranked)
    likenesses = [*_list_likenesses(ranked), *(one.likeness for one in ranked if one.likeness is not None)]
    return coverage >= _NEAR or bool(likenesses and coverage + max(likenesses) >= _NEAR_TOGETHER)


def _is_answer(
    query: SearchQuery, ranked: Sequence[RankedPassage], quotes: Sequence[Quote], rarest: float
) -> bool:
    best = quotes[0]
    if not best.has_codes or not has_form(query, best.text) or is_template(best.text):
        return False
    if frozenset(split_words(best.ranked.passage.heading or "")) == query.words:
        return True  # the heading is the question
    rivals = [one for one in ranked if one is not best.ranked]
    held, missing = _count_words(query, best, rarest)
    ahead = _AHEAD * _compare_scores(ranked)
    if best.likeness is None or best.ranked.likeness is None:
        return _HELD_ALONE * held - _MISSING * missing + ahead >= _ENOUGH_ALONE
    return _HELD * held - _MISSING * missing + _weigh_meaning(best, rivals) + ahead >= _ENOUGH


def _count_words(query: SearchQuery, best: Quote, rarest: float) -> tuple[float, float]:
    """Return how many words of the question the quote or its context has, and how many are missing.

    Each word counts as its share of a word that a single passage has.
    """
    if not query.weight:
        return 0.0, 0.0
    asked = min(query.weight / rarest, _MOST_WORDS)
    if is_unsegmented(query.text):
        asked *= _PAIR
    held = asked * best.covered / query.weight
    return held, asked - held


def _weigh_meaning(best: Quote, rivals: Sequence[RankedPassage]) -> float:
    """Return the evidence of meaning: how alike quote and question are, and how far they lead."""
    likeness, passage = best.likeness or 0.0, best.ranked.likeness or 0.0
    units = _list_likenesses(rivals)
    passages = [one.likeness for one in rivals if one.likeness is not None]
    lead = likeness - max(units) if units else 0.0
    passage_lead = passage - max(passages) if passages else 0.0
    return _ALIKE * likeness + _LEAD * _clip(lead, 0.3) + _PASSAGE_LEAD * _clip(passage_lead, 0.2)


def _list_likenesses(ranked: Sequence[RankedPassage]) -> list[float]:
    return [unit.likeness for one in ranked for unit in one.units if unit.likeness is not None]


def _compare_scores(ranked: Sequence[RankedPassage]) -> float:
    """Return by which share of its score the best passage is ahead of the next one, at most 0.6."""
    if len(ranked) < 2 or ranked[0].score <= 0:
        return 0.0
    return _clip(1 - ranked[1].score / ranked[0].score, 0.6)


def _clip(value: float, most: float) -> float:
    return max(-most, min(value, most))
