"""Splits a document into passages of up to two thousand characters.

A passage has whole units. A paragraph, list, table or block of code is cut only where it is longer
than a passage.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from ..document import Markup, Section, SourceDocument
from .passage import Passage
from .sentences import Unit, group_units, has_bullet, split_code, split_units

SIZE: Final = 2000
"""A passage has at most this many characters."""


def split_passages(document: SourceDocument, path: str, language: str | None) -> Iterator[Passage]:
    """Yield the passages of a document in order; every unit of a section is in exactly one."""
    for run in join_sections(document.sections):
        yield from _split_run(document, run, path, language)


def join_sections(sections: tuple[Section, ...]) -> Iterator[tuple[Section, ...]]:
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
    text = document.text
    groups = group_units(text, split_text(document, run[0].start, run[-1].end))
    group_starts = {group[0].start for group in groups if not _goes_on(text, group)}
    group_ends = {
        group[-1].end
        for group, after in zip_longest(groups, groups[1:])
        if not (after and _goes_on(text, after))
    }
    headers = {unit.start: group[0] for group in groups if group[0].kind == "row" for unit in group[1:]}
    for units in _pack_groups(text, groups):
        start, end = units[0].start, units[-1].end
        header = headers.get(start)
        yield Passage(
            path=path,
            start=start,
            end=end,
            text=text[start:end],
            units=tuple(replace(unit, start=unit.start - start, end=unit.end - start) for unit in units),
            headings=run[0].headings,
            places=tuple(_find_places(run, start, end)),
            place_kind=document.place_kind,
            sheet=run[0].headings[0] if document.sheets and run[0].headings else None,
            title=document.title,
            language=language,
            markup=document.markup,
            table=text[header.start : header.end] if header else "",
            goes_on_before=start not in group_starts,
            goes_on_after=end not in group_ends,
        )


def split_text(document: SourceDocument, start: int, end: int) -> list[Unit]:
    """Split a part of a document's text into units, by the document's markup."""
    if document.markup is Markup.CODE:
        return split_code(document.text, start, end)
    return split_units(document.text, start, end, may_indent=document.markup is Markup.MARKDOWN)


def _goes_on(text: str, group: list[Unit]) -> bool:
    """Whether a paragraph continues a sentence from above a list or a page's end."""
    return group[0].kind == "sentence" and text[group[0].start].islower()


def _find_places(run: tuple[Section, ...], start: int, end: int) -> Iterator[tuple[int, int]]:
    first = bisect_right(run, start, key=lambda section: section.end)
    last = bisect_left(run, end, key=lambda section: section.start)
    for section in run[first:last]:
        if section.place is not None:
            yield max(0, section.start - start), section.place


def _pack_groups(text: str, groups: Sequence[list[Unit]]) -> Iterator[list[Unit]]:
    """Yield the units of each passage."""
    passage: list[Unit] = []
    for group in _join_leads(text, groups):
        for part in _cut_group(group):
            if passage and part[-1].end - passage[0].start > SIZE:
                yield passage
                passage = []
            passage = passage + part
    if passage:
        yield passage


def _join_leads(text: str, groups: Sequence[list[Unit]]) -> Iterator[list[Unit]]:
    """Join each paragraph that ends in a colon, and each single line, with the list, table or code below."""
    lead: list[Unit] = []
    for group in groups:
        if lead and group[0].kind == "sentence":
            yield lead
            lead = []
        units, lead = lead + group, []
        last = group[-1]
        is_line = len(group) == 1 and last.kind == "item" and not has_bullet(text, last)
        if is_line or (last.kind == "sentence" and text[last.start : last.end].endswith((":", "："))):
            lead = units
        else:
            yield units
    if lead:
        yield lead


def _cut_group(group: list[Unit]) -> Iterator[list[Unit]]:
    """Cut a group that is longer than a passage into parts of about equal length."""
    length = group[-1].end - group[0].start
    target = length / -(-length // SIZE)
    part: list[Unit] = []
    for unit in group:
        if part and (unit.end - part[0].start > SIZE or unit.start - part[0].start >= target):
            yield part
            part = []
        part = [*part, unit]
    yield part
