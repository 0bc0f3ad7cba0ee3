"""The table of GFM § 4.10 with the cells that were written, for markdown-it-py's block parser.

Its own rule fills each row up to the width of the header: 300 columns and 300 rows of one character become
90,000 cells. "The excess is ignored" there, with the words and markers in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_block.table import escapedSplit, getLine

_TICKS: Final = re.compile("`+")
_DELIMITERS: Final = re.compile(r"[-:|][-:|\s]*+")

Fit = Callable[[Sequence[str], int], Sequence[str]]
"""Says which of the cells of a row are read in a table of so many columns."""


def find_table(state: StateBlock, first: int, end: int, silent: bool, *, fit: Fit) -> bool:
    """Find a table. A row has no cell that wasn't written."""
    # "The delimiter row consists of cells whose only content are hyphens … and optionally … a colon".
    below = first + 1
    if below >= end or not _DELIMITERS.fullmatch(
        state.src, state.bMarks[below] + state.tShift[below], state.eMarks[below]
    ):
        return False
    opening = len(state.tokens)
    if not table(state, first, first + 2, silent):
        return False
    if silent:
        return True
    width = sum(token.type == "th_open" for token in state.tokens[opening:])
    closing = state.tokens.pop()
    state.level += 1
    outer, state.parentType = state.parentType, "table"
    while state.line < end and (cells := _cells(state, state.line, end)):
        _push_row(state, fit(cells, width))
        state.line += 1
    state.parentType = outer
    state.level -= 1
    state.tokens.append(closing)
    state.tokens[opening].map = [first, state.line]
    return True


def _cells(state: StateBlock, line: int, end: int) -> list[str]:
    """The cells of the row on a line, with the blanks around their words; none if the table ends there."""
    if state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return []
    # "The table is broken at the first empty line, or beginning of another block-level structure."
    if any(rule(state, line, end, True) for rule in state.md.block.ruler.getRules("blockquote")):
        return []
    text = mdTrim(getLine(state, line))
    cells = escapedSplit(text) if "\\" in text else text.split("|")
    if cells[0] == "":
        cells.pop(0)
    if cells and cells[-1] == "":
        cells.pop()
    return cells or [""] * bool(text)


def _push_row(state: StateBlock, cells: Sequence[str]) -> None:
    state.push("tr_open", "tr", 1).map = [state.line, state.line + 1]
    for cell in cells:
        state.push("td_open", "td", 1)
        leaf = state.push("inline", "", 0)
        leaf.map, leaf.content, leaf.children = [state.line, state.line + 1], mdTrim(cell), []
        state.push("td_close", "td", -1)
    state.push("tr_close", "tr", -1)


def drop_excess(cells: Sequence[str], width: int) -> Sequence[str]:
    """The cells that every client shows: "the excess is ignored"."""
    return cells[:width]


def keep_excess(cells: Sequence[str], width: int) -> Sequence[str]:
    """All words of a row with more cells than the header.

    Cells that a pipe in code has divided are one again. The last one has what is still too much.
    """
    kept = list(cells)
    while len(kept) > width and not kept[-1].strip():
        kept.pop()
    if len(kept) > width:
        kept = _join_code(kept, len(kept) - width)
    while len(kept) > width and not kept[width - 1].strip():
        del kept[width - 1]
    return [*kept[: width - 1], "|".join(kept[width - 1 :])] if len(kept) > width else kept


def _join_code(cells: Sequence[str], excess: int) -> list[str]:
    """``cells``, of which at most so many are joined with the ones in front of them, whose code goes on."""
    joined: list[str] = []
    opened: int | None = None
    for cell in cells:
        if opened and excess:
            joined[-1] += f"|{cell}"
            excess -= 1
        else:
            joined.append(cell)
            opened = None
        for run in _TICKS.findall(cell):
            # "A backtick string of equal length" ends a code span (CommonMark § 6.1).
            opened = len(run) if opened is None else None if opened == len(run) else opened
    return joined
