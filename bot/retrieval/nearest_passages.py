"""This module finds the passages that come nearest to a question, where none answers it clearly."""

from __future__ import annotations

from typing import Final

from .composition import NumberedPassage, QuotedPassage
from .extract import choose_quotes
from .rank import RankedPassage
from .search import SearchResult
from .sentences import Unit

PASSAGES: Final = 3
"""At most this many passages are shown."""


def find_nearest(result: SearchResult) -> tuple[NumberedPassage, ...]:
    """Return the best passages, numbered from 1, each with the unit that matches best, if there is one."""
    return tuple(
        NumberedPassage(str(number), (QuotedPassage(ranked.passage, _find_match(result, ranked)),))
        for number, ranked in enumerate(result.ranked[:PASSAGES], 1)
    )


def _find_match(result: SearchResult, ranked: RankedPassage) -> tuple[Unit, ...]:
    return tuple(quote.unit for quote in choose_quotes(result.query, [ranked])[:1])
