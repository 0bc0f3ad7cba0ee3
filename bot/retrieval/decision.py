"""This module decides whether passages answer a question, come near it, or say nothing about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citations import AnswerKind

from .extract import ENOUGH, Quote
from .query import SearchQuery
from .rank import RankedPassage, measure_coverage

_NEAR: Final = 0.25
"""Below this coverage of a question, the documents say nothing about it."""


def decide(query: SearchQuery, ranked: Sequence[RankedPassage], quotes: Sequence[Quote]) -> AnswerKind:
    """Return how far ``quotes`` from the ``ranked`` passages answer the question."""
    coverage = measure_coverage(query, ranked)
    if quotes and coverage >= ENOUGH:
        return AnswerKind.ANSWERED
    return AnswerKind.UNSURE if coverage >= _NEAR else AnswerKind.NOTHING
