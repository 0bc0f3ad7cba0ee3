"""Writes blocks that Teams doesn't show as paragraphs: headings, tables, thematic breaks, HTML.

"Teams supports a limited subset" of Markdown (Teams, "Format your bot messages"). Each edit depends only
on the text before it, so that an answer can be written as it arrives.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final

from ...markdown import Inline
from ...markdown.block_mark import BlockMark, Part
from ...markdown.edit import Edit
from ...model.citation import Use
from ...model.link_definition import clean_name
from .escapes import INVISIBLE, sanitize_words
from .line import TeamsLine

_RULE: Final = "———"
_ITEM: Final = "• "
_APART: Final[frozenset[Part]] = frozenset(
    {"heading", "rule", "html", "definition", "header", "bare header", "row"}
)
"""Parts that are written as a paragraph, which no other text may continue (CommonMark § 4.8)."""
_ALONE: Final[frozenset[Part]] = frozenset({"heading", "rule", "header", "row", "html"})
"""Parts that don't continue the paragraph above."""
_NAME: Final = 40
"""Characters of a column's name where it is repeated."""
_PIPE: Final = re.compile(r"\|")
_MARKUP: Final = re.compile(r"[`*\[\]\\~|;]|(?<!\w)_+|_+(?!\w)")


class Blocks:
    """The edits of blocks, from their marks, texts and citations in source order."""

    def __init__(self) -> None:
        self._block: Part = "block"
        self._opened = False
        """Whether the block began on the line of a container's marker."""
        self._parted = False
        """Whether a blank line was written above."""
        self._cited = False
        """Whether the block has a badge."""
        self._line: TeamsLine | None = None
        self._columns = self._column = 0
        self._cells = 0
        """The number of cells of the row that have been written."""
        self._names: list[str] = []
        """The names of the columns."""

    def mark(self, mark: BlockMark) -> Iterator[Edit]:
        """The edits at a mark."""
        match mark.part:
            case "markup":
                yield Edit(mark.start, mark.end, _RULE if self._block == "rule" else "")
                self._parted = self._block not in ("heading", "rule")
            case "pipe":
                bare = self._block == "bare header" and self._column == 0 < mark.column
                yield Edit(mark.start, mark.end, "·" if bare else self._end_line())
                self._column = mark.column
                self._line = self._cell()
            case "end":
                yield Edit(mark.start, mark.end, self._end_line() or self._empty_line())
                self._line = None
            case "definition":
                self._block = mark.part
            case _:
                if mark.apart:
                    yield Edit(mark.start, mark.start, mark.apart)
                elif mark.blank and self._stands_apart(mark):
                    yield Edit(mark.start, mark.start, mark.blank)
                self._begin(mark)

    def text(self, inline: Inline, uses: Sequence[Use]) -> Iterator[Edit]:
        """The edits of a text for its block."""
        if self._block in ("header", "bare header") and self._line:
            self._name(inline, uses)
        if self._line is None:
            return
        if self._block != "heading":
            yield from _code_of_cell(inline)
        # The first cell of a bare header may have been shown as the text of a paragraph.
        if self._block != "bare header" or self._column:
            yield from self._line.edits(inline, uses)

    def cite(self) -> None:
        """Note a badge in the block."""
        self._cited = True

    def _stands_apart(self, mark: BlockMark) -> bool:
        """Whether a line needs a blank line above."""
        if self._parted:
            return False
        # markdown-it takes code on the line of a list's marker for a table's header, if delimiters follow.
        header = self._block == "code" and self._opened and mark.part == "block"
        # Teams' emulator finds badges only in paragraphs. A list item has a paragraph if its list is loose:
        # "its constituent list items are separated by blank lines" (CommonMark § 5.3).
        lenient = mark.opened == "-" and self._cited
        return self._block in _APART or header or lenient or (mark.part in _ALONE and not mark.opened)

    def _begin(self, mark: BlockMark) -> None:
        self._block, self._opened = mark.part, bool(mark.opened)
        self._parted, self._cited = False, False
        self._column = self._cells = 0
        self._line = None
        if mark.part == "heading":
            self._line = TeamsLine(bold=True, heading=True)
        elif mark.part == "row":
            self._line = self._cell()
        elif mark.part in ("header", "bare header"):
            self._columns, self._names = mark.column, [""] * mark.column
            self._line = self._cell()
            self._cells = int(mark.part == "bare header")

    def _cell(self) -> TeamsLine:
        """The writer of the row's current cell."""
        if self._block == "bare header":
            return TeamsLine(begin=" · " if self._cells > 1 else " ")
        if self._block == "header":
            return TeamsLine(begin=" · " if self._cells else "", bold=True)
        name = self._names[self._column] if 0 < self._column < self._columns and self._columns > 2 else ""
        begin = f"{self._separator()}{name}{': ' if name else ''}"
        return TeamsLine(begin=begin, bold=self._column == 0 and self._columns > 1)

    def _separator(self) -> str:
        """The separator before a cell."""
        if not self._cells:
            return _ITEM
        if self._column == self._cells == 1:
            return ": " if self._columns == 2 else " – "
        return "; "

    def _end_line(self) -> str:
        line = self._line
        if line is None:
            return ""
        end = line.close()
        self._cells += not line.is_empty
        return end

    def _empty_line(self) -> str:
        """The text of an empty header or heading: without one, a list around it would change."""
        if self._block == "heading":
            return INVISIBLE if self._line and self._line.is_empty else ""
        return "" if self._cells or self._block != "header" else "—"

    def _name(self, inline: Inline, uses: Sequence[Use]) -> None:
        """Add a text to the name of its column."""
        if self._column < self._columns:
            self._names[self._column] = sanitize_words(clean_name(_plain(inline, uses), _NAME))


def _code_of_cell(inline: Inline) -> Iterator[Edit]:
    r"""The edits that remove the ``\`` of a pipe in code, which only a table needs."""
    for kind, first, last in inline.spans:
        if kind == "code":
            for match in _PIPE.finditer(inline.content, first, last):
                yield Edit(inline.place_end(match.start()), inline.place(match.start()), "")


def _plain(inline: Inline, uses: Sequence[Use]) -> str:
    """The words of a header's cell, without badges, targets of links and markup."""
    content = inline.content
    left_out = [inline.span(use.start, use.end) for use in _within(inline, uses)]
    left_out.extend((one.close, one.link.end) for one in inline.brackets if one.link)
    words, behind = "", 0
    for start, end in sorted(left_out):
        words += content[behind:start]
        behind = max(behind, end)
    return _MARKUP.sub("", unescape(words + content[behind:]))


def _within(inline: Inline, uses: Sequence[Use]) -> Sequence[Use]:
    first, end = inline.rows[0].source, inline.place_end(len(inline.content))
    return uses[_before(uses, first) : _before(uses, end)]


def _before(uses: Sequence[Use], place: int) -> int:
    return bisect_left(uses, place, key=lambda use: use.start)
