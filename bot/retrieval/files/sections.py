"""Cuts a text into sections, where its headings and its places begin."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from ..document import Section

_HEADING_WORDS: Final = re.compile(r"(?>(?:[#=\s]*\n)?)\s*+(?>(?:#{1,6}[ \t]++)?)(?P<words>[^\n]*[^\s#])")


@dataclass(frozen=True, slots=True)
class DocumentHeading:
    """A heading at ``text[start:end]``, marks included; ``level`` counts from 1, the outermost.

    Below an empty title stands what belongs to no heading of this level.
    """

    start: int
    end: int
    level: int
    title: str


def cut_sections(
    text: str, headings: Iterable[DocumentHeading], gaps: Iterable[tuple[int, int]] = ()
) -> tuple[Section, ...]:
    """Cut a text into sections at its headings, which are in order, and leave out the gaps.

    A heading is text: one with neither text nor a deeper heading below is a section of its own.
    """
    path: list[DocumentHeading] = []
    sections: list[Section] = []
    offset = 0
    is_bare = False
    """Whether nothing stands below the last heading so far."""
    cuts: list[tuple[int, int, DocumentHeading | None]] = [
        (heading.start, heading.end, heading) for heading in headings
    ]
    cuts += [(start, end, None) for start, end in gaps]
    end_of_all = DocumentHeading(len(text), len(text), 0, "")
    for start, end, heading in (*sorted(cuts, key=lambda cut: cut[:2]), (len(text), len(text), end_of_all)):
        if text[offset:start].strip():
            sections.append(Section(offset, start, _list_titles(path)))
            is_bare = False
        if heading:
            named = [above for above in path if above.title]
            if is_bare and named and heading.level <= named[-1].level:
                sections.append(_cut_heading(text, named))
            is_bare = bool(heading.title) or (is_bare and bool(named) and heading.level > named[-1].level)
            path = [above for above in path if above.level < heading.level] + [heading]
        offset = max(offset, end)
    return tuple(sorted(sections, key=lambda section: section.start))


def _list_titles(path: Sequence[DocumentHeading]) -> tuple[str, ...]:
    return tuple(heading.title for heading in path if heading.title)


def _cut_heading(text: str, path: Sequence[DocumentHeading]) -> Section:
    """The section that a heading is, below those above it, without its marks in Markdown."""
    heading = path[-1]
    words = _HEADING_WORDS.match(text, heading.start, heading.end)
    start, end = words.span("words") if words else (heading.start, heading.end)
    return Section(start, end, _list_titles(path[:-1]))


@dataclass(slots=True)
class PlaceMarks:
    """The offsets of a text at which places begin, such as pages, and the numbers of the places."""

    starts: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, start: int, number: int) -> None:
        """Begin a place, unless it is the one that the text stands at."""
        if not self.numbers or self.numbers[-1] != number:
            self.starts.append(start)
            self.numbers.append(number)

    def cut(self, section: Section) -> Iterator[Section]:
        """Cut a section where places begin."""
        first = bisect_right(self.starts, section.start)
        last = bisect_left(self.starts, section.end)
        bounds = (section.start, *self.starts[first:last], section.end)
        for number, (start, end) in enumerate(pairwise(bounds), first - 1):
            yield replace(section, start=start, end=end, place=self.numbers[number] if number >= 0 else None)


def find_title(headings: Sequence[DocumentHeading]) -> str | None:
    """The first heading of the outermost level; None if that is one of several below level 1."""
    headings = [heading for heading in headings if heading.title]
    top = min((heading.level for heading in headings), default=0)
    outermost = [heading.title for heading in headings if heading.level == top]
    return outermost[0] if outermost and (top <= 1 or len(outermost) == 1) else None
