"""A document into passages: whole units, about a kilobyte, one unit of overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from .passage import Passage, Section, SourceDocument
from .sentences import Unit, split_units

SIZE: Final = 1000
"""Characters that a passage aims at; it ends before the unit that would take it over."""
_OVERLAP: Final = 300
"""The longest unit that is repeated at the start of the next passage."""


def split_passages(document: SourceDocument, path: str, language: str | None) -> Iterator[Passage]:
    """The passages of a document in order; every unit of every section is in at least one."""
    for run in _runs(document.sections):
        yield from _run(document, run, path, language)


def _runs(sections: tuple[Section, ...]) -> Iterator[tuple[Section, ...]]:
    """Sections that touch and stand under the same headings, together: a page ends no sentence."""
    first = 0
    for place in range(1, len(sections) + 1):
        before = sections[place - 1]
        after = sections[place] if place < len(sections) else None
        if not after or before.end != after.start or before.headings != after.headings:
            yield sections[first:place]
            first = place


def _run(
    document: SourceDocument, run: tuple[Section, ...], path: str, language: str | None
) -> Iterator[Passage]:
    found = split_units(document.text, run[0].start, run[-1].end)
    headers = _table_headers(document.text, found)
    starts = [section.start for section in run]
    for first, last in _windows(found):
        start, end = found[first].start, found[last].end
        home = run[bisect_right(starts, start) - 1]
        yield Passage(
            path=path,
            start=start,
            end=end,
            text=document.text[start:end],
            headings=home.headings,
            page=home.page,
            title=document.title,
            language=language,
            markup=document.markup,
            table=headers.get(first, ""),
        )


def _windows(found: list[Unit]) -> Iterator[tuple[int, int]]:
    """First and last unit of each passage."""
    first = 0
    for place, unit in enumerate(found):
        if place > first and unit.end - found[first].start > SIZE:
            yield first, place - 1
            first = place - 1 if _repeats(found, first, place) else place
    if found:
        yield first, len(found) - 1


def _repeats(found: list[Unit], first: int, place: int) -> bool:
    """Whether the unit before ``place`` opens the next passage too: it is short, and leaves room."""
    last = found[place - 1]
    return place - 1 > first and last.end - last.start <= _OVERLAP and found[place].end - last.start <= SIZE


def _table_headers(text: str, found: list[Unit]) -> dict[int, str]:
    """For each row below a table's first, that first row as it is written."""
    headers: dict[int, str] = {}
    header = ""
    for place, unit in enumerate(found):
        if unit.kind != "row":
            header = ""
        elif header:
            headers[place] = header
        else:
            header = text[unit.start : unit.end]
    return headers
