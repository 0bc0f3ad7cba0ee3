"""Reads Excel workbooks: visible sheets, rows and columns, as Excel shows them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from typing import Any, Final

import openpyxl
from lxml import etree
from openpyxl.utils import range_boundaries

from citations.model import PlaceKind

from ..passages import SourceDocument, say_unread
from .number_format import format_value
from .office import check_office
from .outline import Outline, clean_title
from .sheet import SheetRow, add_rows

_MERGED: Final = 10_000
"""Merged cells beyond this number are read as single ones."""
_LAST_COLUMN: Final = 16_384
_UNITS: Final = ("row", "col", "mergeCell")


def read(data: bytes) -> SourceDocument:
    """Read an XLSX or XLSM file. Raises ``UnreadableError`` where it is encrypted, or of the old format."""
    check_office(data, ".xls")
    outline = Outline(PlaceKind.ROW, sheets=True)
    # With `read_only` the rows come one by one, and with `data_only` a formula is its last result.
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        hidden_rows = 0
        for sheet in shown:
            outline.add_heading(1, sheet.title)
            sheet.reset_dimensions()  # programs write wrong ones
            layout = _read_layout(packed, sheet._worksheet_path)
            hidden_rows += len(layout.hidden_rows)
            add_rows(outline, _read_rows(sheet, layout))
    hidden_sheets = say_unread(len(book.worksheets) - len(shown), "hidden sheet")
    unread = (*hidden_sheets, *say_unread(hidden_rows, "hidden row"))
    return outline.build(clean_title(book.properties.title), unread)


@dataclass(slots=True)
class _SheetLayout:
    """What a sheet's cells don't say: its hidden rows and columns, and its merged cells.

    ``shown_at`` has for each cell within a merged one, by row and column, the row and column of the first.
    ``widths`` has the last column of merged cells, by row.
    """

    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    shown_at: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    widths: dict[int, int] = field(default_factory=dict)


def _read_layout(packed: zipfile.ZipFile, path: str) -> _SheetLayout:
    layout = _SheetLayout()
    with packed.open(path) as part:
        for _, element in etree.iterparse(
            part, tag=[f"{{*}}{unit}" for unit in _UNITS], resolve_entities=False, no_network=True
        ):
            name = etree.QName(element).localname
            if name == "mergeCell" and len(layout.shown_at) < _MERGED:
                _add_merged(layout, element.get("ref", ""))
            elif element.get("hidden") in ("1", "true"):
                if name == "row":
                    layout.hidden_rows.add(int(element.get("r", "0")))
                else:
                    last = min(int(element.get("max", "0")), _LAST_COLUMN)
                    layout.hidden_columns.update(range(int(element.get("min", "1")), last + 1))
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    return layout


def _add_merged(layout: _SheetLayout, reference: str) -> None:
    left, top, right, bottom = range_boundaries(reference)
    if None in (left, top, right, bottom) or (right - left + 1) * (bottom - top + 1) > _MERGED:
        return
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            layout.shown_at[row, column] = (top, left)
        layout.widths[row] = max(right, layout.widths.get(row, 0))


def _read_rows(sheet: Any, layout: _SheetLayout) -> Iterator[SheetRow]:
    """Yield the rows that are shown, with the text of a merged cell in each row that it spans."""
    merged: dict[tuple[int, int], str] = {}
    for number, row in enumerate(sheet.iter_rows(), 1):
        cells: list[str] = []
        spans = False
        bold: list[bool] = []
        width = max(len(row), layout.widths.get(number, 0))
        for column, cell in enumerate(islice(chain(row, repeat(None)), width), 1):
            first = layout.shown_at.get((number, column))
            text = _read_cell(cell) if cell else ""
            if first == (number, column):
                merged[first] = text
            elif first:
                text = merged.get(first, "")
                spans = spans or first[0] == number
            if column not in layout.hidden_columns:
                cells.append(text)
                bold += [bool(cell.font and cell.font.b)] if text and cell else []
        if number not in layout.hidden_rows:
            while cells and not cells[-1]:
                cells.pop()
            yield SheetRow(number, cells, is_bold=bool(bold) and all(bold), spans=spans)


def _read_cell(cell: Any) -> str:
    if cell.value is None:
        return ""
    return " ".join(format_value(cell.value, cell.number_format or "General").split())
