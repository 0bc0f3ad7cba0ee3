"""This module finds the passages that come nearest to a question, where none answers it clearly."""

from __future__ import annotations

from typing import Final

from .composition import NumberedPassage, number_passages
from .extract import choose_quotes
from .passage import Passage
from .search import SearchResult

PASSAGES: Final = 7
"""At most this many sources are shown."""


def find_nearest(result: SearchResult) -> tuple[NumberedPassage, ...]:
    """Return the best passages as numbered sources, each with the unit that matches best, if there is one."""
    found = (
        (ranked.passage, tuple(quote.unit for quote in choose_quotes(result.query, [ranked])[:1]))
        for ranked in result.ranked
    )
    return number_passages(found, Passage.find_places)[:PASSAGES]
