"""This module finds the passages that come nearest to a question, where none answers it clearly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from .composition import NumberedPassage, QuotedPassage
from .extract import choose_quotes
from .rank import RankedPassage
from .search import SearchResult
from .sentences import Unit

PASSAGES: Final = 7
"""At most this many sources are shown."""


def find_nearest(result: SearchResult) -> tuple[NumberedPassage, ...]:
    """Return the best passages as numbered sources, each with the unit that matches best, if there is one."""
    return number_ranked((ranked, _find_match(result, ranked)) for ranked in result.ranked)[:PASSAGES]


def number_ranked(
    passages: Iterable[tuple[RankedPassage, tuple[Unit, ...]]],
) -> tuple[NumberedPassage, ...]:
    """Number the sources of passages and their units from 1, the best first.

    Passages below the same heading and at the same places are one source, since their titles are the same.
    """
    sources: dict[object, list[QuotedPassage]] = defaultdict(list)
    for ranked, units in passages:
        passage = ranked.passage
        sources[passage.path, passage.headings, passage.find_places()].append(QuotedPassage(passage, units))
    return tuple(
        NumberedPassage(str(number), tuple(sorted(source, key=lambda one: one.passage.start)))
        for number, source in enumerate(sources.values(), 1)
    )


def _find_match(result: SearchResult, ranked: RankedPassage) -> tuple[Unit, ...]:
    return tuple(quote.unit for quote in choose_quotes(result.query, [ranked])[:1])
