"""Decides whether passages answer a question, come near it, or say nothing about it.

Words of a question meet in a text by chance, and a text near the question's topic need not answer it. So
an answer has to be more than near: it has most of the question's rare words, or its meaning, and it stands
out from what comes next. A field answers by its name: a cell of a table, which a row and a column name, or a
value behind its label. ``python -m benchmarks.retrieval.decision`` fits the tables of weights, but
that of what is said, which was fitted to recorded English questions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Final

from citations import AnswerKind

from ..index import Candidate
from ..passages import find_rest
from ..question import QuestionKind, SearchQuery
from ..words import is_unsegmented, split_words
from .form import answers_when, asks_for_form, is_fragment, is_template, lacks_amount, lacks_time
from .rank import LEAST_SAID, RankedPassage, measure_coverage
from .units import ScoredUnit, holds_addition, is_asked_above

ENOUGH: Final = 2.6
"""The least evidence of an answer."""
_EVIDENCE: Final[Mapping[str, float]] = {
    # What is found out about the best quote where it has vectors, and its weight.
    "held": 0.6,  # rare words of the question that it, its lead or its headings have
    "form": 0.7,  # whether it is the number or the date that is asked for
    "yes or no": 0.52,  # whether that is asked for: what is said about it answers
    "item": -0.46,  # whether it is an item of a list, which often needs the others
    "alike": 1.65,  # its likeness
    "passage ahead": 1.58,  # the likeness of its passage beyond that of all others
    "score ahead": 2.97,  # the share of its passage's score by which that is ahead of the next
}
_BY_WORDS: Final[Mapping[str, float]] = {
    # The same where words alone tell.
    "held": 1.36,
    "missing": -0.42,  # rare words of the question that they do not have
    "few": -0.59,  # whether they have so few that it may be by chance, in another sense
    "own": 0.27,  # the share of the question's words that it has itself
    "form": 0.67,
    "score ahead": 2.7,
}
_BY_SAID: Final[Mapping[str, float]] = {
    # The same where passages were compared with the question word by word, which tells most.
    "form": 0.59,
    "alike": 2.4,
    "passage ahead": 3.2,
    "score ahead": 2.9,
    "said ahead": 12.1,  # how much more of the question its passage says than all others
}
NEAR: Final = 4.2
"""The least nearness of passages with vectors, by the next table."""
_NEARNESS: Final[Mapping[str, float]] = {
    # What is found out about the best passages, and its weight.
    "sentence": 6.32,  # the likeness of the sentence that is most alike
    "passage": 4.92,  # the same of a passage
    "usual": -4.42,  # the mean of each passage's best sentence: some questions are a little like everything
    "coverage": 1.86,  # the share of the question that the passages have
    "words": 1.77,  # the logarithm of the number of its words: the more it says, the less alike is anything
    "lacks form": -1.0,  # whether the best quote can't be the number, the date or the time that is asked for
    "lacks name": -1.74,  # whether they lack a name of the question
    "rarest": -0.3,  # the weight of the rarest word: the best of many passages is alike by chance
    "english": -0.88,  # whether the English model compares, whose likenesses are higher
}
_PAIR: Final = 0.7
"""A pair of characters counts as this share of a word, because the next pair overlaps it."""
_COVERED_NEAR: Final = 0.25
"""From this coverage of a question on, passages without vectors are near it."""
_NEAR_TOGETHER: Final = 0.42
"""The same for the coverage and the likeness of passages that something else than words chose."""
_NEAR_FOUND: Final = 0.14
"""From this likeness on, a passage that something else than words chose is near."""
_FEW: Final = 1.2
"""A quote that has fewer rare words may have them by chance, in another sense."""
_ALIKE_ENOUGH: Final = 0.3
"""A quote that is less alike has to cover at least :data:`_COVERED_ENOUGH` of the question."""
_COVERED_ENOUGH: Final = 0.5
_BEHIND: Final = 0.1
"""Where another passage is more alike by so much, a quote is about something else."""
_HARDLY: Final = 0.02
"""Where its passage says hardly more of the question than another one, a quote is not clearly the answer."""
_LABEL: Final = re.compile(r"[\W_]*(?P<label>[^\W\d_][^:：.!?\n]{1,60}?)[*_\s]*[:：][*_]*\s*\S")
"""A label and its value: ``**Chair**: Scott Dyer``."""
_INTRODUCES: Final = re.compile(r"[:：][*_\s]*\Z")
_SHORT: Final = 60
"""A label and a value of fewer characters have no sentence between them."""
_COVERED: Final = 0.99
"""The share of a question's weight that names a field; the rest is rounding."""


def decide(query: SearchQuery, ranked: Sequence[RankedPassage], best: ScoredUnit | None) -> AnswerKind:
    """How far the ``best`` unit of the ``ranked`` passages answers the question."""
    is_asked = best is not None and is_asked_above(query, best.ranked.passage)
    if not ranked or not (query.weight or is_asked):
        return AnswerKind.NOTHING
    if lacks_amount(query, (f"{one.passage.table} {one.passage.text}" for one in ranked)):
        return AnswerKind.NOTHING
    if best and holds_addition(query, best) and _is_answer(query, ranked, best):
        return AnswerKind.ANSWERED
    return AnswerKind.UNSURE if _is_near(query, ranked, best) else AnswerKind.NOTHING


def _is_near(query: SearchQuery, ranked: Sequence[RankedPassage], best: ScoredUnit | None) -> bool:
    if not any(one.likeness for one in ranked):
        return measure_coverage(query, ranked) >= _COVERED_NEAR
    return weigh_nearness(find_nearness(query, ranked, best)) >= NEAR


def weigh_nearness(features: Mapping[str, float]) -> float:
    """How near passages come to a question, by the features that :func:`find_nearness` has found."""
    return sum(_NEARNESS[name] * value for name, value in features.items())


def find_nearness(
    query: SearchQuery, ranked: Sequence[RankedPassage], quote: ScoredUnit | None
) -> dict[str, float]:
    """What says that passages come near a question, by the names of the table; some have vectors."""
    likenesses = [one.likeness for one in ranked if one.likeness]
    best = [max(one.units) for one in likenesses]
    return {
        "sentence": max(best),
        "passage": max(one.passage for one in likenesses),
        "usual": mean(best),
        "coverage": measure_coverage(query, ranked),
        "words": math.log1p(len(query.words)),
        "lacks form": float(quote is not None and not quote.fits),
        "lacks name": float(_lack_name(query, ranked)),
        "rarest": query.rarest,
        "english": float(query.language == "english"),
    }


def are_near(query: SearchQuery, ranked: Sequence[RankedPassage], found: Sequence[Candidate]) -> bool:
    """Whether passages that something else than words chose come near the question.

    It compared whole passages, which are less alike than their best sentence. Where it tells of no
    likeness, its choice is enough.
    """
    likenesses = [one.likeness.passage for one in found if one.likeness]
    if not ranked or not likenesses:
        return bool(ranked)
    likeness = max(likenesses)
    together = measure_coverage(query, ranked) + likeness
    return likeness >= _NEAR_FOUND and together >= _NEAR_TOGETHER


def _is_answer(query: SearchQuery, ranked: Sequence[RankedPassage], best: ScoredUnit) -> bool:
    if not is_possible(query, ranked, best):
        return False
    is_named = is_asked_above(query, best.ranked.passage) or _is_field(query, best)
    return is_named or weigh(find_features(query, ranked, best)) >= ENOUGH


def is_possible(query: SearchQuery, ranked: Sequence[RankedPassage], best: ScoredUnit) -> bool:
    """Whether the best quote can be an answer, however much speaks for it."""
    if (
        _lack_name(query, ranked)
        or not best.fits
        or lacks_time(query, best.text)
        or is_template(best.text)
        or is_fragment(best.text)
        or _says_nothing(query, best)
    ):
        return False
    if is_asked_above(query, best.ranked.passage) or best.is_named:
        return True
    if query.asks is QuestionKind.YES_NO and query.unknown and best.likeness is not None:
        return False  # "Does the Wi-Fi reach the roof?" asks about a roof, and no document has one
    is_ahead = best.said is None or _compare_saids(ranked, best) >= _HARDLY
    if not is_ahead or _compare_likenesses(ranked, best) <= -_BEHIND:
        return False
    is_covered = best.covered >= _COVERED_ENOUGH * query.weight
    if not (best.own or is_covered) and best.ranked.passage.language == query.language:
        return False  # only in another language may an answer have no word of the question
    return is_covered or best.likeness is None or best.likeness >= _ALIKE_ENOUGH


def _lack_name(query: SearchQuery, ranked: Sequence[RankedPassage]) -> bool:
    """Whether passages lack a name of the question: other words may mean the same, other names do not."""
    return not query.names.issubset(frozenset[int]().union(*(one.terms for one in ranked)))


def weigh(features: Mapping[str, float]) -> float:
    """The evidence of the features of a quote that it answers."""
    table = _BY_SAID if "said ahead" in features else _EVIDENCE if "alike" in features else _BY_WORDS
    return sum(weight * features[name] for name, weight in table.items())


def find_features(query: SearchQuery, ranked: Sequence[RankedPassage], best: ScoredUnit) -> dict[str, float]:
    """What speaks for and against a quote, by the names of the table; without vectors fewer things."""
    held, missing = _count_words(query, best)
    features = {
        "held": held,
        "form": float(asks_for_form(query) or answers_when(query, best.text)),
        "score ahead": _compare_scores(ranked),
    }
    if best.ranked.likeness is None or best.likeness is None:
        few = float(held < _FEW)
        return features | {"missing": missing, "few": few, "own": best.own / query.weight}
    features |= {
        "yes or no": float(query.asks is QuestionKind.YES_NO),
        "item": float(best.unit.kind == "item"),
        "alike": best.likeness,
        "passage ahead": _clip(_compare_likenesses(ranked, best), 0.2),
    }
    return features if best.said is None else features | {"said ahead": _compare_saids(ranked, best)}


def _count_words(query: SearchQuery, best: ScoredUnit) -> tuple[float, float]:
    """How many words of the question the quote or its context has, and how many are missing.

    Each word counts as its share of a word that a single passage has. So evidence from a large folder is
    comparable with that from a small one.
    """
    asked = query.weight / query.rarest
    if is_unsegmented(query.text):
        asked *= _PAIR
    held = asked * best.covered / query.weight
    return held, asked - held


def _compare_likenesses(ranked: Sequence[RankedPassage], best: ScoredUnit) -> float:
    """By how much the passage of a quote is more alike than all others; 0 without vectors."""
    if not (own := best.ranked.likeness):
        return 0.0
    rivals = (one.likeness.passage for one in ranked if one.likeness and one is not best.ranked)
    return own.passage - max(rivals, default=own.passage)


def _compare_saids(ranked: Sequence[RankedPassage], best: ScoredUnit) -> float:
    """How much more of the question the passage of a quote says than all others, from -0.1 to 0.15."""
    own = best.ranked.said or 0.0
    rivals = (one.said or 0.0 for one in ranked if one is not best.ranked)
    return max(-0.1, min(own - max(rivals, default=LEAST_SAID), 0.15))


def _compare_scores(ranked: Sequence[RankedPassage]) -> float:
    """By which share of its score the best passage is ahead of the next one, at most 0.6."""
    if len(ranked) < 2 or min(ranked[0].score, ranked[1].score) <= 0:
        return 0.0
    return _clip(1 - ranked[1].score / ranked[0].score, 0.6)


def _clip(value: float, most: float) -> float:
    return max(-most, min(value, most))


def _is_field(query: SearchQuery, quote: ScoredUnit) -> bool:
    """Whether a quote is the field that a question names: by its row or code, else in all its words."""
    if quote.is_named:
        return True
    if query.asks is QuestionKind.YES_NO or quote.covered < _COVERED * query.weight or not quote.own:
        return False
    if quote.unit.kind == "row":
        return quote.own < quote.covered  # the column, or the table, is named too
    label = _LABEL.match(quote.text)
    return bool(label) and not query.words.isdisjoint(split_words(label["label"] if label else ""))


def _says_nothing(query: SearchQuery, quote: ScoredUnit) -> bool:
    """Whether a quote answers no question as it stands, or not this one.

    A line that introduces a list says nothing without it. A row or a value behind its label has no yes or no.
    """
    is_field = quote.unit.kind == "row" or (len(quote.text) < _SHORT and bool(_LABEL.match(quote.text)))
    if query.asks is QuestionKind.YES_NO and is_field:
        return True
    return bool(_INTRODUCES.search(quote.text)) and not find_rest(quote.ranked.passage, quote.unit)
