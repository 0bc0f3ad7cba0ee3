"""This module decides whether passages answer a question, come near it, or say nothing about it.

Words of a question meet in a text by chance, and a text near the question's topic need not answer it. So
an answer has to be more than near: it has most of the question's rare words, or its meaning, and it stands
out from what comes next. The weights were fitted to XQuAD in seven languages, COVID-QA, SQuAD 2 and
own-words questions about seven sets of documents, and rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citations import AnswerKind

from .answer_form import asks_for_form, is_fragment, is_template
from .extract import Quote, is_asked_above
from .query import SearchQuery
from .rank import RankedPassage, measure_coverage
from .words import is_unsegmented

_ENOUGH: Final = 2.4
"""The least evidence of an answer by words and meaning."""
_ENOUGH_ALONE: Final = 1.95
"""The least evidence of an answer by words alone."""
_PAIR: Final = 0.7
"""A pair of characters counts as this share of a word, because the next pair overlaps it."""
_NEAR: Final = 0.25
"""From this coverage of a question on, passages without vectors are near it."""
_NEAR_TOGETHER: Final = 0.42
"""The same for the coverage and the best likeness of a sentence or a passage together."""
_NEAR_ALIKE: Final = 0.22
"""The least such likeness of passages that are near."""
_FEWER: Final = 0.03
"""Both are less by this for each unit that the weight of the rarest word is below :data:`_MANY`.

The best of few passages is less alike by chance.
"""
_MANY: Final = 4.9
"""The weight of the rarest word among 200 passages."""
_NEAR_COVERED: Final = 0.6
"""From this coverage on, passages are near a question whatever their likeness."""
_HELD: Final = 0.7
"""The evidence of a rare word of the question that the quote, its lead or its headings have."""
_HELD_ALONE: Final = 1.0
"""The same where there are no vectors."""
_MISSING: Final = 0.3
"""The evidence against an answer of each that they do not have."""
_OWN: Final = 0.5
"""The evidence of a quote that has all words of the question itself."""
_FEW: Final = 1.2
"""A quote that has fewer rare words may have them by chance, in another sense."""
_BY_CHANCE: Final = 0.25
"""The evidence against such a quote."""
_ALIKE_ENOUGH: Final = 0.3
"""A quote that is less alike has to cover at least :data:`_COVERED_ENOUGH` of the question."""
_COVERED_ENOUGH: Final = 0.5
_FORM: Final = 0.5
"""The evidence of a number or a date where one is asked for."""
_ALIKE: Final = 2.6
"""The evidence of a likeness of 1."""
_MOST_ALIKE: Final = 0.5
"""The evidence of a quote that no sentence of any passage is more alike than."""
_LEAD: Final = 1.3
"""The evidence of being ahead by a likeness of 1 of the sentences of all other passages."""
_PASSAGE_LEAD: Final = 3.0
"""The same for the passage of the quote."""
_AHEAD: Final = 1.2
"""The evidence of a passage ahead of the next by its whole score."""
_AHEAD_ALONE: Final = 2.2
"""The same where there are no vectors."""


def decide(query: SearchQuery, ranked: Sequence[RankedPassage], quotes: Sequence[Quote]) -> AnswerKind:
    """Return how far ``quotes`` from the ``ranked`` passages answer the question; the best is the first."""
    if not query.terms or not ranked:
        return AnswerKind.NOTHING
    # "And by bike?" is not answered by the same sentence as the question before it.
    is_addition_held = not query.added or any(query.added & quote.terms for quote in quotes)
    if quotes and is_addition_held and _is_answer(query, ranked, quotes[0]):
        return AnswerKind.ANSWERED
    return AnswerKind.UNSURE if _is_near(query, ranked) else AnswerKind.NOTHING


def _is_near(query: SearchQuery, ranked: Sequence[RankedPassage]) -> bool:
    coverage = measure_coverage(query, ranked)
    likenesses = [one.likeness for one in ranked if one.likeness]
    if not likenesses:
        return coverage >= _NEAR
    likeness = max(max(one.passage, *one.units) for one in likenesses)
    fewer = _FEWER * max(0.0, _MANY - query.rarest)
    is_alike = likeness >= _NEAR_ALIKE - fewer and coverage + likeness >= _NEAR_TOGETHER - fewer
    return is_alike or coverage >= _NEAR_COVERED


def _is_answer(query: SearchQuery, ranked: Sequence[RankedPassage], best: Quote) -> bool:
    if not best.fits or is_template(best.text) or is_fragment(best.text):
        return False
    if is_asked_above(query, best.ranked.passage):
        return True
    is_covered = best.covered >= _COVERED_ENOUGH * query.weight
    if not (best.own or is_covered) and best.ranked.passage.language == query.language:
        return False  # only in another language may an answer have no word of the question
    held, missing = _count_words(query, best)
    against = _MISSING * missing + (_BY_CHANCE if held < _FEW else 0.0)
    ahead = _compare_scores(ranked)
    if best.likeness is None:
        return _HELD_ALONE * held + _AHEAD_ALONE * ahead - against >= _ENOUGH_ALONE
    if best.likeness < _ALIKE_ENOUGH and not is_covered:
        return False
    words = _HELD * held + _OWN * best.own / query.weight
    form = _FORM if asks_for_form(query) else 0.0
    return words + form + _weigh_meaning(best, ranked) + _AHEAD * ahead - against >= _ENOUGH


def _count_words(query: SearchQuery, best: Quote) -> tuple[float, float]:
    """Return how many words of the question the quote or its context has, and how many are missing.

    Each word counts as its share of a word that a single passage has. So evidence from a large folder is
    comparable with that from a small one.
    """
    asked = query.weight / query.rarest
    if is_unsegmented(query.text):
        asked *= _PAIR
    held = asked * best.covered / query.weight
    return held, asked - held


def _weigh_meaning(best: Quote, ranked: Sequence[RankedPassage]) -> float:
    """Return the evidence of meaning: how alike quote and question are, and how far they lead."""
    own = best.ranked.likeness
    if own is None or best.likeness is None:
        return 0.0
    rivals = [one.likeness for one in ranked if one.likeness and one is not best.ranked]
    others = max((max(one.units) for one in rivals), default=best.likeness)
    passages = max((one.passage for one in rivals), default=own.passage)
    most = _MOST_ALIKE if best.likeness >= max(others, *own.units) else 0.0
    lead = _LEAD * _clip(best.likeness - others, 0.3)
    return _ALIKE * best.likeness + most + lead + _PASSAGE_LEAD * _clip(own.passage - passages, 0.2)


def _compare_scores(ranked: Sequence[RankedPassage]) -> float:
    """Return by which share of its score the best passage is ahead of the next one, at most 0.6."""
    if len(ranked) < 2 or ranked[0].score <= 0:
        return 0.0
    return _clip(1 - ranked[1].score / ranked[0].score, 0.6)


def _clip(value: float, most: float) -> float:
    return max(-most, min(value, most))
