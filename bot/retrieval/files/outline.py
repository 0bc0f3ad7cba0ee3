"""This module makes a document from headings and text; every reader ends with it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from ..passage import Markup, Section, SourceDocument

_LONGEST_TITLE: Final = 150
_WORD_FIRST: Final = re.compile(r"""[¿¡"'“„«‹(\[]?[^\W_]""")
_NO_TITLE: Final = re.compile(
    # What programs write into a file's metadata where a person wrote no title.
    r"""microsoft\ (?:word|excel|powerpoint)\b.*
    | .*\.(?:docx?|dotx?|rtf|odt|pptx?|xlsx?|pdf|indd|qxd|dvi|tex|pages|txt|md|html?)
    | (?:untitled|unbenannt|ohne\ titel|sans\ titre|sin\ título|document|dokument|documento|slide|folie
        |layout|page|seite|cover|print|powerpoint[-\ ]presentation|powerpoint-präsentation|word\ document
        |template|vorlage|title|titel)[-_ \d]*
    | \S*_\S* | \S+\.\w{1,4}
    | (?!.*[^\W\d_]{2}).*""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


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


def find_title(headings: Sequence[Heading]) -> str | None:
    """Return the first heading of the outermost level; None if that is one of several below level 1."""
    top = min((heading.level for heading in headings), default=0)
    outermost = [heading.title for heading in headings if heading.level == top]
    return outermost[0] if outermost and (top <= 1 or len(outermost) == 1) else None


def clean_title(title: str | None) -> str | None:
    """Return the title in a file's metadata on one line; None where a program made it up.

    >>> clean_title("Travel  policy"), clean_title("Microsoft Word - travel_v2.docx"), clean_title("untitled")
    ('Travel policy', None, None)
    """
    words = " ".join((title or "").split())
    return None if _NO_TITLE.fullmatch(words) else words


def find_title_line(text: str) -> str | None:
    """Return the first line if it is short, begins with a word, and has an empty line below."""
    first, _, rest = text.lstrip().partition("\n")
    stands_alone = rest.strip() and not rest.split("\n", 1)[0].strip()
    is_title = stands_alone and len(first) <= _LONGEST_TITLE and _WORD_FIRST.match(first)
    return first.strip() if is_title else None


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

    def add_code(self, code: str) -> None:
        """Add lines of code between fences, with their indentation."""
        if code.strip():
            lines = code.strip("\n")
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", lines)), default=0))
            self._write(f"{fence}\n{lines}\n{fence}\n\n")

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

    def list_headings(self, level: int) -> list[str]:
        """Return the headings of a level so far."""
        return [heading.title for heading in self._headings if heading.level == level]

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def build(self, title: str | None = None) -> SourceDocument:
        """Return the document. Without ``title``, its title is that of :func:`find_title`."""
        text = "".join(self._pieces)
        return SourceDocument(
            text=text,
            sections=cut_sections(text, self._headings),
            title=title or find_title(self._headings),
            markup=Markup.PLAIN,
        )
