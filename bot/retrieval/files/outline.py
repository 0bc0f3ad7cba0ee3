"""Makes a document from headings and text; every reader ends with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from citations.model import PlaceKind
from citations.text.languages import either

from ...languages import LANGUAGES
from ..document import LOST, Markup, Section, SourceDocument, find_fence, find_shared, say_unread
from .sections import DocumentHeading, PlaceMarks, cut_sections, find_title

_DEEPEST: Final = 6
"""The deepest level of a heading that Markdown has marks for."""
_WIDEST: Final = 50
"""Columns that a cell spans at most, and in which it goes on below; a hostile file says a million."""
_REPEATED: Final = 200
"""Characters of a cell that are repeated in each row that it spans."""
_SPARE: Final = 5000
"""Characters that are repeated in a table, beside four times those that it has."""
_BEGINNING: Final = 4000
"""So many characters at the beginning and the end are asked for the words of a title."""
_NUMBER: Final = re.compile(r"(\d+)[.)]?")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_NO_TITLE: Final = re.compile(
    # What programs write into a file's metadata where a person wrote no title.
    rf"""microsoft\ (?:word|excel|powerpoint)\b.*
    | .*\.(?:docx?|dotx?|rtf|odt|pptx?|xlsx?|pdf|indd|qxd|dvi|tex|pages|txt|md|html?)
    | {either(LANGUAGES.words_of("text", "untitled"))}(?:\ document)?[-_ \d]* | \(anonymous\) | <string>
    | \S*_\S* | \S+\.\w{{1,4}} | .*(?:\ufffd|\{{\{{).*
    | (?!.*[^\W\d_]{{2}}).*""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def clean_title(title: str | None) -> str | None:
    """The title in a file's metadata on one line; None where a program made it up.

    >>> clean_title("Travel  policy"), clean_title("Microsoft Word - travel_v2.docx"), clean_title("untitled")
    ('Travel policy', None, None)
    >>> clean_title("( '7)/h-\N{REPLACEMENT CHARACTER}1cd")
    """
    words = " ".join((title or "").split())
    return None if _NO_TITLE.fullmatch(words) else words


class TableCell(NamedTuple):
    """A cell of a table, with the numbers of columns and rows that it spans; 0 rows are all that follow.

    Without a text, the cell above goes on.
    """

    text: str | None
    columns: int = 1
    rows: int = 1


def _spread(rows: Sequence[Sequence[TableCell]]) -> Iterator[list[str]]:
    """Yield the texts of each row by columns (HTML § 4.9.12).

    A cell that spans rows has its text in each of them. One that spans columns has it in the first.
    """
    spare = _SPARE + 4 * sum(len(cell.text or "") for row in rows for cell in row)

    def repeat(text: str) -> str:
        nonlocal spare
        again = text[:_REPEATED] if spare > 0 else ""
        spare -= len(again)
        return again

    before: dict[int, str] = {}
    above: dict[int, tuple[str, int]] = {}
    """What goes on in a column, and the number of rows that are left of it."""
    for row in rows:
        texts = {column: repeat(text) for column, (text, _) in above.items()}
        below = {column: (text, left - 1) for column, (text, left) in above.items() if left != 1}
        column, last = 0, max((one for one, text in texts.items() if text), default=0)
        for cell in row:
            while column in texts:
                column += 1
            last = max(last, column)
            said = repeat(before.get(column, "")) if cell.text is None else cell.text
            for place in range(column, column + min(max(cell.columns, 1), _WIDEST)):
                texts[place] = said if place == column else ""
                if cell.rows != 1 and place < _WIDEST:
                    below[place] = texts[place], cell.rows - 1
        yield [texts.get(place, "") for place in range(last + 1)]
        before, above = texts, below


class Outline:
    """A document that is written piece by piece, for formats that are not plain text.

    ``place_kind`` says what :meth:`start_place` counts. Where ``apart`` is true, no passage goes on from one
    place to the next. ``sheets`` says whether the outermost headings are the names of sheets, and ``marks``
    whether headings have the marks of Markdown. Where ``flat`` is true, all blocks are lines of words, as
    those of a cell or a note.
    """

    def __init__(
        self,
        place_kind: PlaceKind | None = None,
        *,
        apart: bool = False,
        sheets: bool = False,
        marks: bool = False,
        flat: bool = False,
    ) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._end = ""
        """The last two characters so far."""
        self._headings: list[DocumentHeading] = []
        self._places = PlaceMarks()
        self._place_kind = place_kind
        self._apart = apart
        self._sheets = sheets
        self._marks = marks
        self._flat = flat

    def start_place(self, number: int) -> None:
        """Begin the slide, row or line with this number."""
        self._places.add(self._length, number)

    def add_heading(self, level: int, title: str) -> None:
        """Add a heading."""
        if (title := " ".join(title.split())).replace(LOST, ""):
            self._add_heading(level, title)

    def end_headings(self, level: int = 1) -> None:
        """End the headings of this level and below: what follows stands below none of them."""
        self._add_heading(level, "")

    def _add_heading(self, level: int, title: str) -> None:
        if self._flat:
            self.add_paragraph(title)
            return
        self.end_list()
        start = self._length
        marks = f"{'#' * min(level, _DEEPEST)} " * self._marks
        self.write(f"{marks}{title}\n\n" if marks or title else "")
        self._headings.append(DocumentHeading(start, self._length, level, title))

    def add_paragraph(self, text: str) -> None:
        """Add a paragraph."""
        if text.replace(LOST, "").strip():
            self.end_list()
            self.write(text.strip() + "\n\n")

    def add_code(self, code: str) -> None:
        """Add lines of code between fences, with their indentation."""
        if self._flat:
            self.add_paragraph(code)
        elif code.strip():
            self.end_list()
            lines = code.strip("\n")
            fence = find_fence(lines, 3)
            self.write(f"{fence}\n{lines}\n{fence}\n\n")

    def add_document(self, document: SourceDocument, level: int) -> None:
        """Add the text of another document, whose outermost headings get this level."""
        shown: tuple[str, ...] = ()
        for section in document.sections:
            for depth, title in enumerate(section.headings):
                if shown[: depth + 1] != section.headings[: depth + 1]:
                    self.add_heading(level + depth, title)
            if len(shown) > len(section.headings):
                self.end_headings(level + len(section.headings))
            shown = section.headings
            self.end_list()
            self.write(document.text[section.start : section.end].strip("\n") + "\n\n")

    def add_item(self, text: str, level: int = 0, label: str = "") -> None:
        """Add a list item with its label, such as ``3.``; ``level`` counts the items that it stands below."""
        if self._flat:
            self.add_paragraph(f"{label} {text}" if text.strip() else "")
        elif (text := " ".join(text.split())).replace(LOST, ""):
            number = _NUMBER.fullmatch(label)
            mark = f"{number[1]}." if number else f"- {label}" if label else "-"
            self.write(f"{'  ' * min(level, _DEEPEST)}{mark} {text}\n")

    def add_table(self, rows: Sequence[Sequence[str]]) -> None:
        """Add a table as pipe rows, the first of which is the header."""
        cells = [[" ".join(cell.split()) for cell in row] for row in rows]
        cells = [row for row in cells if any(row)]
        is_layout = len(cells) == 1 or max(map(len, cells), default=1) == 1
        if self._flat or is_layout:
            for row in cells:
                self.add_paragraph((" " if self._flat else "\n\n").join(filter(None, row)))
        else:
            self.add_rows(cells[0], ((None, row) for row in cells[1:]))

    def add_cells(self, rows: Sequence[Sequence[TableCell]]) -> None:
        """Add a table with cells that may span columns and rows."""
        self.add_table(list(_spread(rows)))

    def add_rows(self, names: Sequence[str], rows: Iterable[tuple[int | None, Sequence[str]]]) -> None:
        """Add a table below the names of its columns; a row may have a place."""
        self.end_list()
        self._write_row(names)
        self.write("|" + " --- |" * len(names) + "\n")
        for number, row in rows:
            if number is not None:
                self.start_place(number)
            self._write_row(row)
        self.write("\n")

    def _write_row(self, cells: Iterable[str]) -> None:
        written = (" ".join(cell.split()).replace("|", "/") for cell in cells)
        self.write(f"| {' | '.join(written)} |\n")

    def end_list(self) -> None:
        """Write an empty line behind items, if there are some."""
        if self._end not in ("", "\n\n"):
            self.write("\n")

    def list_headings(self, level: int) -> list[str]:
        """The headings of a level so far."""
        return [heading.title for heading in self._headings if heading.level == level]

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def write(self, text: str) -> None:
        """Add text as it is."""
        self._pieces.append(text)
        self._length += len(text)
        self._end = (self._end + text)[-2:]

    def add_margins(self, lines: Iterable[str]) -> None:
        """Add what stands at the heads and feet of pages: once, below no heading, without lone numbers."""
        once = dict.fromkeys(" ".join(line.split()) for line in lines)
        if said := [line for line in once if _LETTERS.search(line)]:
            self.end_headings()
            for line in said:
                self.add_paragraph(line)

    def build(
        self, title: str | None = None, unread: Mapping[str, int] = MappingProxyType({})
    ) -> SourceDocument:
        """The document; ``unread`` counts what is not read.

        ``title`` is that of the file's properties. They are often those of a file that was copied. So where
        the text has no more than half of its words, the title is that of :func:`find_title`.
        """
        text = self.text
        said = find_shared(title or "", text[:_BEGINNING] + text[-_BEGINNING:])
        if not title or (said and 2 * sum(said) <= len(said)):
            title = None if self._place_kind else find_title(self._headings)
        return SourceDocument(
            text=text,
            sections=tuple(self._cut_places(text)),
            title=title,
            markup=Markup.PLAIN,
            place_kind=self._place_kind,
            sheets=self._sheets,
            unread=tuple(words for name in sorted(unread) for words in say_unread(unread[name], name)),
        )

    def _cut_places(self, text: str) -> Iterator[Section]:
        names = {one.start for one in self._headings if one.title and one.level == 1 and self._sheets}
        for section in cut_sections(text, self._headings):
            if section.start in names:  # the name of a sheet without rows
                continue
            for part in self._places.cut(section):
                if words := text[part.start : part.end].rstrip():
                    # Sections that touch each other are read as one text.
                    yield replace(part, end=part.start + len(words)) if self._apart else part
