"""Reads Excel workbooks: visible sheets, rows and columns, as Excel shows them (ECMA-376 part 1, 18)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from lxml import etree
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils import range_boundaries
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel, from_ISO8601

from citations.model import PlaceKind

from ..document import SourceDocument
from .drawing import KINDS, iter_drawn
from .elements import name_element, read_number
from .number_format import format_value
from .office import XML, Package, open_office
from .outline import Outline
from .sheet import SheetRow, add_rows
from .shown import is_shown, read_attributes, read_declarations, read_switches

_MERGED: Final = 10_000
"""Merged cells beyond this number are read as single ones."""
_LAST_COLUMN: Final = 16_384
_ON: Final = ("1", "true")
_UNITS: Final = ("row", "col", "mergeCell")
_ROW, _CELL, _VALUE, _STRING, _TEXT, _RUN, _BOLD, _RELATION = map(
    name_element, ("x:row", "x:c", "x:v", "x:is", "x:t", "x:r", "x:b", "r:id")
)
_EDGE_CODE: Final = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f+-]+|\d+|&|[A-Za-z])')
"""A code in the head or the foot of a page: its place, its font, or the number of the page (18.3.1.46)."""


class _CellStyle(NamedTuple):
    """How the cells of a style are shown."""

    number_format: str = "General"
    is_bold: bool = False
    is_struck: bool = False


def read(data: bytes) -> SourceDocument:
    """Read an XLSX or XLSM file. Raises ``UnreadableError`` where it is encrypted, or of the old format."""
    package, main, book = open_office(data, ".xls", "xl/workbook.xml", "x:workbook")
    return _BookReader(package, main, book).read(book)


@dataclass(slots=True)
class _SheetLayout:
    """What a sheet's cells don't say: its hidden rows and columns, its merged cells, and their comments.

    ``shown_at`` has for each cell within a merged one, by row and column, the row and column of the first.
    ``widths`` has the last column of merged cells, by row.
    """

    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    shown_at: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    widths: dict[int, int] = field(default_factory=dict)
    comments: dict[tuple[int, int], list[str]] = field(default_factory=dict)


class _BookReader:
    def __init__(self, package: Package, main: str, book: Any) -> None:
        self._package = package
        self._related = package.relate(main)
        self._outline = Outline(PlaceKind.ROW, sheets=True)
        properties = book.find(name_element("x:workbookPr"))
        is_mac = properties is not None and properties.get("date1904") in _ON
        self._epoch = CALENDAR_MAC_1904 if is_mac else CALENDAR_WINDOWS_1900
        self._strings: list[str] = []
        for part in package.find_related(main, "sharedStrings"):
            with package.guard("list of texts"), package.open(part) as opened:
                self._strings += (_read_string(one) for one in _iterate(opened, name_element("x:si")))
        self._styles: list[_CellStyle] = []
        for root in package.parse_related(main, "styles", "list of styles"):
            self._styles += _read_styles(root)

    def read(self, book: Any) -> SourceDocument:
        """The document of a workbook."""
        edges: list[str] = []
        for sheet in book.iter(name_element("x:sheet")):
            related = self._related.get(sheet.get(_RELATION, ""))
            if not is_shown(read_attributes(sheet)):
                self._package.unread["hidden sheet"] += 1
            elif related is None:
                self._package.unread["sheet"] += 1
            else:
                self._outline.add_heading(1, sheet.get("name", ""))
                with self._package.guard("sheet"):
                    self._add_sheet(related.part, edges, has_rows=related.kind == "worksheet")
        self._outline.add_margins(edges)
        return self._outline.build(self._package.read_title(), self._package.unread)

    def _add_sheet(self, part: str, edges: list[str], *, has_rows: bool) -> None:
        if has_rows:
            layout = _read_layout(self._package, part, edges)
            self._package.unread["hidden row"] += len(layout.hidden_rows)
            self._add_comments(part, layout)
            with self._package.open(part) as opened:
                add_rows(self._outline, self._read_rows(opened, layout))
            for (row, column), comments in layout.comments.items():  # those of empty cells
                if row not in layout.hidden_rows and column not in layout.hidden_columns:
                    self._outline.add_paragraph("\n\n".join(comments))
        for drawn in self._package.find_related(part, "drawing"):
            with self._package.guard("drawing"):
                for one in iter_drawn(self._package, drawn, [self._package.parse(drawn)]):
                    one.add_to(self._outline)
        for root in self._package.parse_related(part, "vmlDrawing", "form control"):
            for words in _list_controls(root):
                self._outline.add_paragraph(words)

    def _add_comments(self, part: str, layout: _SheetLayout) -> None:
        """Note the comments of a sheet by their cells. A thread takes the place of its copy."""
        for kind in ("comments", "threadedComment"):
            found: dict[tuple[int, int], list[str]] = {}
            for root in self._package.parse_related(part, kind, "list of comments"):
                for one in root.iter("{*}comment", "{*}threadedComment"):
                    said = one.find("{*}text")
                    words = _read_string(said) or said.text or ""
                    found.setdefault(_find_place(one.get("ref")), []).append(" ".join(words.split()))
            layout.comments |= found

    def _read_rows(self, opened: Any, layout: _SheetLayout) -> Iterator[SheetRow]:
        """Yield the rows that are shown, with the text of a merged cell in each row that it spans."""
        merged: dict[tuple[int, int], str] = {}
        last = 0
        for row in _iterate(opened, _ROW):
            number = read_number(row.get("r"), last + 1)
            for empty in range(last + 1, min(number, last + 2 + len(layout.widths))):
                yield self._read_row(empty, (), layout, merged)
            last = number
            read = self._read_row(number, row, layout, merged)
            if number not in layout.hidden_rows:
                yield read

    def _read_row(
        self, number: int, row: Any, layout: _SheetLayout, merged: dict[tuple[int, int], str]
    ) -> SheetRow:
        found = dict(self._read_cells(number, row, layout))
        cells: list[str] = []
        spans = False
        bold: list[bool] = []
        for column in range(1, max((*found, layout.widths.get(number, 0)), default=0) + 1):
            first = layout.shown_at.get((number, column))
            text, is_bold = found.get(column, ("", False))
            if first == (number, column):
                merged[first] = text
            elif first:
                text = merged.get(first, "")
                spans = spans or first[0] == number
            if column not in layout.hidden_columns:
                cells.append(text)
                bold += [is_bold] if text and column in found else []
        while cells and not cells[-1]:
            cells.pop()
        return SheetRow(number, cells, is_bold=bool(bold) and all(bold), spans=spans)

    def _read_cells(
        self, number: int, row: Any, layout: _SheetLayout
    ) -> Iterator[tuple[int, tuple[str, bool]]]:
        """Yield the column, the text and the weight of each cell of a row."""
        column = 0
        for cell in row:
            if cell.tag == _CELL:
                column = _find_place(cell.get("r"))[1] or column + 1
                index = read_number(cell.get("s"))
                style = self._styles[index] if index < len(self._styles) else _CellStyle()
                text = (
                    "" if style.is_struck else " ".join(self._read_value(cell, style.number_format).split())
                )
                for words in layout.comments.pop((number, column), ()):
                    text = f"{text} ({words})".strip()
                if column <= _LAST_COLUMN:
                    yield column, (text, style.is_bold)

    def _read_value(self, cell: Any, number_format: str) -> str:
        """The text of a cell as Excel shows it."""
        kind, value = cell.get("t", "n"), cell.findtext(_VALUE)
        if kind == "inlineStr":
            string = cell.find(_STRING)
            return format_value(_read_string(string), number_format) if string is not None else ""
        if value is None:
            return ""
        try:
            return format_value(self._convert(kind, value, number_format), number_format)
        except (ValueError, OverflowError, IndexError):
            return str(value)

    def _convert(self, kind: str, value: str, number_format: str) -> Any:
        if kind == "s":
            return self._strings[int(value)]
        if kind == "b":
            return value in _ON
        if kind == "d":
            return from_ISO8601(value)
        if kind != "n":
            return value
        number = float(value)
        if is_date_format(number_format):
            is_span = bool(is_timedelta_format(number_format))
            return from_excel(number, self._epoch, timedelta=is_span)
        return number


def _find_place(reference: str | None) -> tuple[int, int]:
    """The row and the column of a cell such as ``B7``; zeros where the reference names no cell."""
    try:
        return coordinate_to_tuple(reference) if reference else (0, 0)
    except (ValueError, IndexError):
        return 0, 0


def _iterate(opened: Any, *tags: str) -> Iterator[Any]:
    """Yield the elements of a part as they come, and forget those that have been read."""
    for _, element in etree.iterparse(opened, tag=tags, **XML):
        yield element
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _read_string(string: Any) -> str:
    """The text of a string without the runs that are struck out, and without how it is pronounced."""
    pieces = [string.findtext(_TEXT) or ""]
    for run in string.iterchildren(_RUN):
        properties = run.find(name_element("x:rPr"))
        if is_shown(read_switches(properties)):
            pieces.append(run.findtext(_TEXT) or "")
    return "".join(pieces)


def _read_styles(root: Any) -> Iterator[_CellStyle]:
    """Yield the styles of cells in their order."""
    formats = dict(BUILTIN_FORMATS)
    for one in root.iter(name_element("x:numFmt")):
        formats[read_number(one.get("numFmtId"))] = one.get("formatCode", "General")
    listed = root.find(name_element("x:fonts"))
    fonts = [
        (
            any(bold.get("val", "1") in _ON for bold in one.iterchildren(_BOLD)),
            not is_shown(read_switches(one)),
        )
        for one in (listed if listed is not None else ())
    ]
    cells = root.find(name_element("x:cellXfs"))
    for one in cells if cells is not None else ():
        font = read_number(one.get("fontId"))
        number_format = formats.get(read_number(one.get("numFmtId")), "General")
        yield _CellStyle(number_format, *(fonts[font] if font < len(fonts) else ()))


def _read_layout(package: Package, path: str, edges: list[str]) -> _SheetLayout:
    layout, root = _SheetLayout(), None
    tags = [name_element(f"x:{unit}") for unit in _UNITS]
    tags += [
        name_element(f"x:{page}{edge}") for page in ("odd", "even", "first") for edge in ("Header", "Footer")
    ]
    with package.open(path) as part:
        for element in _iterate(part, *tags):
            name = etree.QName(element).localname
            if name == "mergeCell":
                if len(layout.shown_at) < _MERGED:
                    _add_merged(layout, element.get("ref", ""))
            elif name not in _UNITS:
                edges.append(_EDGE_CODE.sub(" ", element.text or ""))
            elif not is_shown({"hidden": element.get("hidden", "0")}):
                if name == "row":
                    layout.hidden_rows.add(read_number(element.get("r")))
                else:
                    last = min(read_number(element.get("max")), _LAST_COLUMN)
                    layout.hidden_columns.update(range(read_number(element.get("min"), 1), last + 1))
            root = element.getroottree().getroot()
    for one in root if root is not None else ():
        package.find_kind(one, KINDS)
    return layout


def _list_controls(root: Any) -> Iterator[str]:
    """Yield the labels of buttons and other controls of a sheet (ECMA-376 part 4, 19.4); not of comments."""
    for shape in root.iterchildren("{*}shape"):
        data = shape.find("{*}ClientData")
        is_control = data is not None and data.get("ObjectType") != "Note"
        if is_control and is_shown(read_declarations(shape.get("style", ""))):
            yield " ".join("".join(box.itertext()) for box in shape.iterchildren("{*}textbox")).strip()


def _add_merged(layout: _SheetLayout, reference: str) -> None:
    try:
        left, top, right, bottom = range_boundaries(reference)
    except ValueError:
        return
    if None in (left, top, right, bottom) or (right - left + 1) * (bottom - top + 1) > _MERGED:
        return
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            layout.shown_at[row, column] = (top, left)
        layout.widths[row] = max(right, layout.widths.get(row, 0))
