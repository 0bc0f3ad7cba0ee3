"""This module makes a document from headings and text; every reader ends with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..passage import Markup, Section, SourceDocument

_LONGEST_TITLE: Final = 150


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at ``text[start:end]``, marks included; ``level`` counts from 1, the outermost."""

    start: int
    end: int
    level: int
    title: str


def cut_sections(
    text: str, headings: Iterable[Heading], gaps: Iterable[tuple[int, int]] = ()
) -> tuple[Section, ...]:
    """Cut a text into sections at its headings, which are in order, and leave out the gaps."""
    path: list[Heading] = []
    sections: list[Section] = []
    offset = 0
    cuts: list[tuple[int, int, Heading | None]] = [
        (heading.start, heading.end, heading) for heading in headings
    ]
    cuts += [(start, end, None) for start, end in gaps]
    for start, end, heading in (*sorted(cuts, key=lambda cut: cut[:2]), (len(text), len(text), None)):
        if text[offset:start].strip():
            sections.append(Section(offset, start, tuple(above.title for above in path)))
        if heading:
            path = [above for above in path if above.level < heading.level] + [heading]
        offset = max(offset, end)
    return tuple(sections)


def find_title_line(text: str) -> str | None:
    """Return the first line if it is short and an empty line follows, as below a title; otherwise None."""
    first, _, rest = text.lstrip().partition("\n")
    stands_alone = not rest.split("\n", 1)[0].strip()
    return first.strip() if rest.strip() and stands_alone and len(first) <= _LONGEST_TITLE else None


class Outline:
    """A document that is written piece by piece, for formats that are not plain text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []

    def add_heading(self, level: int, title: str) -> None:
        """Add a heading."""
        if title := " ".join(title.split()):
            start = self._length
            self._write(title + "\n\n")
            self._headings.append(Heading(start, self._length, level, title))

    def add_paragraph(self, text: str) -> None:
        """Add a paragraph."""
        if text.strip():
            self._write(text.strip() + "\n\n")

    def add_item(self, text: str) -> None:
        """Add a list item."""
        if text := " ".join(text.split()):
            self._write(f"- {text}\n")

    def add_table(self, rows: Sequence[Sequence[str]]) -> None:
        """Add a table as pipe rows, the first of which is the header."""
        cells = [[" ".join(cell.split()).replace("|", "/") for cell in row] for row in rows]
        cells = [row for row in cells if any(row)]
        if len(cells) == 1 or (cells and max(map(len, cells)) == 1):  # such a table only lays out the page
            for row in cells:
                self.add_paragraph("\n\n".join(cell for cell in row if cell))
            return
        for number, row in enumerate(cells):
            self._write(f"| {' | '.join(row)} |\n")
            if number == 0:
                self._write("|" + " --- |" * len(row) + "\n")
        self._write("\n")

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def build(self, title: str | None = None) -> SourceDocument:
        """Return the document. Without ``title``, the first heading of the outermost level is the title."""
        text = "".join(self._pieces)
        top = min((heading.level for heading in self._headings), default=1)
        first = next((heading.title for heading in self._headings if heading.level == top), None)
        return SourceDocument(
            text=text,
            sections=cut_sections(text, self._headings),
            title=title or first,
            markup=Markup.PLAIN,
        )
