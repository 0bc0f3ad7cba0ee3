"""Finds the passages that come nearest to a question, and writes as much of each as is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..passages import Passage, write_passage
from .composition import NumberedPassage, number_passages
from .quotes import choose_excerpt, choose_quotes
from .search_result import SearchResult

PASSAGES: Final = 7
"""At most this many sources are shown."""
_FIRST: Final = 360
"""Characters of the first passage that are shown: about 60 words."""
_NEXT: Final = 170
"""The same for the two passages behind it. Of the others only the titles are shown."""
_BRIEF: Final = 120
"""The same for the only passage in a short message, which has room for it, its title and what is around it.

In 374 questions in people's own words, 190 characters had four answers more.
"""
_EXCERPTS: Final = 3
"""So many passages are shown with an excerpt."""


def find_nearest(result: SearchResult) -> tuple[NumberedPassage, ...]:
    """The best passages as numbered sources, each with the unit that matches best, if there is one."""
    found = (
        (ranked.passage, tuple(quote.unit for quote in choose_quotes(result.query, [ranked])[:1]))
        for ranked in result.ranked
    )
    return number_passages(found, Passage.find_places)[:PASSAGES]


def find_others(result: SearchResult, quoted: Sequence[NumberedPassage]) -> list[NumberedPassage]:
    """The nearest sources that an answer does not quote."""
    known = {_find_place(one) for one in quoted}
    return [one for one in find_nearest(result) if _find_place(one) not in known]


def renumber(sources: Sequence[NumberedPassage], before: int = 0) -> tuple[NumberedPassage, ...]:
    """Number sources anew, behind the ``before`` sources of the same answer."""
    return tuple(replace(one, id=str(number)) for number, one in enumerate(sources, before + 1))


def _find_place(numbered: NumberedPassage) -> object:
    return numbered.passage.path, numbered.passage.headings


def write_excerpts(result: SearchResult, sources: Sequence[NumberedPassage], *, is_brief: bool) -> list[str]:
    """Write what matches best in the first sources; in a brief message, in the first alone."""
    rooms = [_BRIEF] if is_brief else [_FIRST, *[_NEXT] * (_EXCERPTS - 1)]
    said: set[str] = set()
    return [_write_excerpt(result, one, room, said) for one, room in zip(sources, rooms, strict=False)]


def _write_excerpt(result: SearchResult, source: NumberedPassage, room: int, said: set[str]) -> str:
    """Write an excerpt without the sentences that were ``said``, and add its own to them."""
    best = next((one for one in source.quoted if one.units), source.quoted[0])
    ranked = next((one for one in result.ranked if one.passage is best.passage), None)
    text = best.passage.text
    words = {unit: " ".join(text[unit.start : unit.end].split()) for unit in best.passage.units}
    if ranked:
        known = [unit for unit in words if words[unit] in said]
        shown = choose_excerpt(result.query, ranked, room, known)
    else:  # no passage has a word of the question
        units = best.passage.units
        shown = [unit for unit in units if unit.end <= room] or [*units[:1]]
    said.update(words[unit] for unit in shown)
    return write_passage(best.passage, best.units, shown)
