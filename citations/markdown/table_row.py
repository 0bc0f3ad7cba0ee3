"""A row of a table as it arrives: its cells, each with an inline text of its own (GFM § "Tables").

Engines divide some rows into different cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from .block_mark import BlockMark
from .inline_buffer import Inline, InlineBuffer, before_pair

DELIMITERS: Final = re.compile(r"[-:|][-:| \t]*\Z")
"""The beginning of a delimiter row, up to its end."""
_COLUMN: Final = re.compile(r":?-+:?")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_UNESCAPED: Final = re.compile(r"(?<!\\)((?:\\\\)*)\|")
"""A pipe behind an even number of backslashes. To micromark they escape each other, and not the pipe."""
_STOP: Final = re.compile(r"\\\||\||\\\Z")


def columns_of(line: str) -> int:
    """The number of cells of ``line`` as the header of a table; 0 if it can't be one."""
    if "|" not in line:
        return 0
    cells = _PIPE.split(line.strip())
    # "leading and trailing pipes are optional"
    return len(cells) - (not cells[0]) - (len(cells) > 1 and not cells[-1])


def delimits(rest: str, columns: int) -> bool:
    """Whether ``rest`` is the delimiter row of a table with ``columns`` columns."""
    if not columns or not DELIMITERS.match(rest) or len(rest) < 2 or rest[:2] in ("- ", "-\t"):
        return False
    cells = [cell.strip() for cell in rest.split("|")]
    inner = [cell for number, cell in enumerate(cells) if cell or 0 < number < len(cells) - 1]
    return len(inner) == columns and all(_COLUMN.fullmatch(cell) for cell in inner)


def divided_cells(text: str, tables: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The cells of micromark in those rows of ``tables`` that it divides as others don't.

    To other engines each pipe behind a backslash is a part of its cell, also in code (GFM § "Tables").
    ``tables`` are the lines of each, as ``(first, behind the last)``.
    """
    lines = text.split("\n") if tables and "\\\\|" in text else []
    for first, last in tables if lines else ():
        for line in lines[first:last]:
            pipes = list(_UNESCAPED.finditer(line))
            if any(pipe[1] for pipe in pipes):
                bounds = [0, *(pipe.end() for pipe in pipes), len(line) + 1]
                yield from (line[start : end - 1] for start, end in pairwise(bounds))


class TableRow:
    """Reads the cells of one row, whose text begins at offset ``source``.

    Its pipes are added to ``marks``. ``begun`` says that some of the first cell was taken before. Cells
    beyond ``columns`` are plain text: GFM doesn't show them, but CommonMark does.
    """

    def __init__(self, columns: int, source: int, marks: list[BlockMark], *, begun: bool = False) -> None:
        self._columns = columns
        self._source = source
        self._marks = marks
        self._cell = InlineBuffer(source)
        self._blank = not begun
        """Whether only white space has arrived."""
        self._number = 0
        """The number of complete cells."""
        self._escape = ""
        """A backslash at the end of the text so far. With a pipe behind it, it isn't text."""
        self._inlines: list[Inline] = []

    def append(self, text: str) -> None:
        """Take the next piece of the row."""
        text, self._escape = self._escape + text, ""
        behind = 0
        for found in _STOP.finditer(text):
            self._add(text[behind : found.start()])
            behind = found.end()
            if found[0] == "|":
                self._end_cell()
            elif found[0] == "\\":
                self._escape = "\\"
            else:
                self._cell.skip(1)
                self._add("|")
                self._source += 1
        self._add(text[behind:])

    def settle(self, *, final: bool) -> list[Inline]:
        """Take the settled parts."""
        if final:
            self._add(self._escape)
            self._escape = ""
        self._part(final=final)
        inlines, self._inlines = self._inlines, []
        return inlines

    def settled(self) -> int:
        """The offset in the source of the text that hasn't been taken."""
        return self._cell.settled()

    def _add(self, text: str) -> None:
        if text:
            self._cell.append(text)
            self._source += len(text)
            self._blank = self._blank and not text.strip(" \t")

    def _end_cell(self) -> None:
        self._part(final=True)
        # "leading … pipes are optional": the space before one is no cell.
        self._number += not self._blank
        self._blank = False
        source = self._source
        self._marks.append(BlockMark("pipe", source, source + 1, column=self._number))
        self._source = source + 1
        self._cell = InlineBuffer(source + 1)

    def _part(self, *, final: bool) -> None:
        """Add the rest of the open cell, or its settled part."""
        cell = self._cell
        if self._number < self._columns:
            part = cell.rest() if final else cell.settle()
        else:
            end = len(cell.content)
            part = cell.take(end if final else before_pair(cell.content, end))
            part = part and Inline(part.content, part.rows, (), (), shown=False)
        if part:
            self._inlines.append(part)
