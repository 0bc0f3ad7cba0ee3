"""Writes the rows of a sheet as tables, so that each row can be read with its column headings.

An empty row ends a table. The first row of a table is its header where it has only text. Rows without a
header are below the letters of their columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Final

from ..passages import LONGEST
from .outline import Outline

_LONGEST_NAME: Final = 100
_BRIEF: Final = 60
"""Characters of a column's name, and of a merged cell, that are repeated row after row."""
_VALUE: Final = re.compile(r"[-+(]?[\s$€£¥%.,:/'\d()-]*\d[\s$€£¥%.,:/'\dTZ()-]*|true|false", re.IGNORECASE)
"""A number, an amount, a date or a truth value, which no column heading is."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row as a person sees it: its number, which counts from 1, and the texts of its columns.

    ``is_bold`` says whether all of its cells are bold. ``spans`` says whether a cell spans columns.
    """

    number: int
    cells: Sequence[str]
    is_bold: bool = False
    spans: bool = False

    @property
    def filled(self) -> list[str]:
        """The texts that are not empty."""
        return [cell for cell in self.cells if cell]


def add_rows(outline: Outline, rows: Iterable[SheetRow]) -> None:
    """Add the rows of one sheet to an outline, each at its place."""
    names: list[str] = []
    for is_filled, group in groupby(rows, key=lambda row: bool(row.filled)):
        if is_filled:
            names = _add_block(outline, list(group), names)


def _add_block(outline: Outline, rows: list[SheetRow], names: list[str]) -> list[str]:
    """Add rows without an empty one between them, and return the column headings of the last."""
    first = 0
    while first < len(rows) and _is_line(rows[first]) and not _is_in_table(rows[first], names):
        outline.start_place(rows[first].number)
        outline.add_paragraph(rows[first].filled[0])
        first += 1
    rows = rows[first:]
    if not rows:
        return names
    outline.start_place(rows[0].number)
    headers = _count_headers(rows, names)
    if headers:
        names = _join_headers(rows[:headers])
    elif not names:
        names = [_name_column(index) for index in range(max(len(row.cells) for row in rows))]
    table: list[SheetRow] = []
    above: Sequence[str] = ()
    for row in rows[headers:]:
        if _is_short(names) and _is_short(row.cells):
            table.append(row)
        else:
            _add_table(outline, names, table)
            table = []
            _add_record(outline, names, row, above)
        above = row.cells
    _add_table(outline, names, table)
    if headers == len(rows):
        outline.add_paragraph("; ".join(filter(None, names)))
    return names


def _is_line(row: SheetRow) -> bool:
    """Whether a row is one text, perhaps in a cell that spans all columns."""
    return len(row.filled) == 1 or (row.spans and len(set(row.filled)) == 1)


def _is_in_table(row: SheetRow, names: list[str]) -> bool:
    """Whether a row with one text has it in a column of the table above, behind the first."""
    return not row.spans and any(row.cells[1 : len(names)])


def _count_headers(rows: list[SheetRow], names: list[str]) -> int:
    """The number of rows that are column headings: none, one, or two where the upper one spans."""
    if not _may_be_header(rows[0]):
        return 0
    has_values = any(_VALUE.fullmatch(cell) for row in rows[1:50] for cell in row.filled)
    if names and not (rows[0].is_bold or has_values):
        return 0
    return 2 if rows[0].spans and len(rows) > 2 and _may_be_header(rows[1]) else 1


def _may_be_header(row: SheetRow) -> bool:
    if len(row.filled) < 2 or any(len(cell) > _LONGEST_NAME for cell in row.filled):
        return False
    is_named = not any(_VALUE.fullmatch(cell) and not _YEAR.fullmatch(cell) for cell in row.filled)
    return is_named or row.is_bold or row.spans


def _join_headers(rows: list[SheetRow]) -> list[str]:
    columns = zip_longest(*(row.cells for row in rows), fillvalue="")
    return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]


def _name_column(index: int) -> str:
    """The letters of a column: A to Z, then AA.

    >>> [_name_column(index) for index in (0, 25, 26)]
    ['A', 'Z', 'AA']
    """
    above, letter = divmod(index, 26)
    return (_name_column(above - 1) if above else "") + chr(ord("A") + letter)


def _is_short(cells: Sequence[str]) -> bool:
    """Whether cells make a row that is quoted as a whole."""
    return len(f"| {' | '.join(cells)} |") <= LONGEST


def _add_table(outline: Outline, names: list[str], rows: list[SheetRow]) -> None:
    """Add rows as a table, without columns that have neither a name nor a value."""
    if rows:
        columns = zip_longest(names, *(row.cells for row in rows), fillvalue="")
        header, *cells = zip(*filter(any, columns), strict=True)
        outline.add_rows(header, zip((row.number for row in rows), cells, strict=True))


def _add_record(outline: Outline, names: list[str], row: SheetRow, above: Sequence[str]) -> None:
    """Add a row that is too long for one line: its first text above a list of the others.

    What the row ``above`` has in the same column, as a merged cell has, is said in a few words.
    """
    named = [
        (_shorten(name), _shorten(cell) if cell == before else cell)
        for name, cell, before in zip_longest(names, row.cells, above[: len(row.cells)], fillvalue="")
        if cell
    ]
    first, *others = (f"{name}: {cell}" if name else cell for name, cell in named)
    outline.start_place(row.number)
    outline.add_paragraph(f"{first}:")
    for pair in others:
        outline.add_item(pair)
    outline.end_list()


def _shorten(words: str) -> str:
    return words if len(words) <= _BRIEF else words[:_BRIEF].rsplit(" ", 1)[0] + "…"
