"""This module splits a document into passages of whole units, about a thousand characters, with overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from .passage import Passage, Section, SourceDocument
from .sentences import Unit, split_units

SIZE: Final = 1000
"""A passage ends before the unit that would make it longer than this many characters."""
_OVERLAP: Final = 300
"""A unit of at most this many characters is repeated at the start of the next passage."""


def split_passages(document: SourceDocument, path: str, language: str | None) -> Iterator[Passage]:
    """Yield the passages of a document in order; every unit of a section is in at least one."""
    for run in _join_sections(document.sections):
        yield from _split_run(document, run, path, language)


def _join_sections(sections: tuple[Section, ...]) -> Iterator[tuple[Section, ...]]:
    """Yield runs of adjacent sections with the same headings, since a sentence may continue on a new page."""
    first = 0
    for index in range(1, len(sections) + 1):
        before = sections[index - 1]
        after = sections[index] if index < len(sections) else None
        if not after or before.end != after.start or before.headings != after.headings:
            yield sections[first:index]
            first = index


def _split_run(
    document: SourceDocument, run: tuple[Section, ...], path: str, language: str | None
) -> Iterator[Passage]:
    units = split_units(document.text, run[0].start, run[-1].end)
    headers = _find_table_headers(document.text, units)
    starts = [section.start for section in run]
    for first, last in _group_units(units):
        start, end = units[first].start, units[last].end
        section = run[bisect_right(starts, start) - 1]
        yield Passage(
            path=path,
            start=start,
            end=end,
            text=document.text[start:end],
            headings=section.headings,
            page=section.page,
            title=document.title,
            language=language,
            markup=document.markup,
            table=headers.get(first, ""),
        )


def _group_units(units: list[Unit]) -> Iterator[tuple[int, int]]:
    """Yield the indexes of the first and last unit of each passage."""
    first = 0
    for index, unit in enumerate(units):
        if index > first and unit.end - units[first].start > SIZE:
            yield first, index - 1
            first = index - 1 if _repeats(units, first, index) else index
    if units:
        yield first, len(units) - 1


def _repeats(units: list[Unit], first: int, index: int) -> bool:
    """Return whether the next passage repeats the unit before ``index``: it is short and leaves room."""
    last = units[index - 1]
    return index - 1 > first and last.end - last.start <= _OVERLAP and units[index].end - last.start <= SIZE


def _find_table_headers(text: str, units: list[Unit]) -> dict[int, str]:
    """Return the header row of a table for the index of each row below it."""
    headers: dict[int, str] = {}
    header = ""
    for index, unit in enumerate(units):
        if unit.kind != "row":
            header = ""
        elif header:
            headers[index] = header
        else:
            header = text[unit.start : unit.end]
    return headers
