"""Collects the text of one block as its lines arrive, with the places of its constructs."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

from markdown_it.token import Token

from .construct import Bracket, InlineSpan
from .inline import read_inline
from .inline_state import MARKDOWN, InlineState

MAX_DEFINITION: Final = 2048
"""Characters of a link reference definition, including the line behind it. A longer one is text."""
_TITLES: Final = ('"', "'", "(")
_MAY_DEFINE: Final = re.compile(r"\[(?:\\.|[^\[\]\\])*+(?:\\|\](?::.*)?)?\Z", re.DOTALL)
"""Text, up to its end, that begins like a definition."""


MAX_ROW: Final = 600
"""Characters of a table's header. A longer line is none."""
_PAIR: Final = re.compile(r"<[A-Za-z/!?]|\][(:]|:/|[\[;][0-9]|[Ww][Ww.]|\{[\sAa]|\n[^\n]|(?<=\n)[:|\-][-:| ]")
"""Two characters of which the second decides how the first is written. They stay together."""
_OPEN_PAIR: Final = re.compile(r"(?:[<\[\]:;wW{\n]|\n[|\-])\Z")
"""The first character of such a pair, at the end of a text."""
MAX_ENTITY: Final = 34
_OPEN_ENTITY: Final = re.compile(r"&[#\w]*\Z")


def before_pair(text: str, end: int) -> int:
    """``end``, or the start of the pair that a cut at ``end`` would divide."""
    if end == len(text) and (entity := _OPEN_ENTITY.search(text, max(0, end - MAX_ENTITY))):
        end = entity.start()
    while end and (
        _PAIR.match(text, end - 1) or (end == len(text) and _OPEN_PAIR.search(text, max(0, end - 2)))
    ):
        end -= 1
    return end


class LineMap(NamedTuple):
    """``content[start:]``, up to the next row, stands at offset ``source`` in the text."""

    start: int
    source: int
    indented: bool = False
    """Whether a line of a paragraph stands outside its containers, or is indented like code."""


class Inline(NamedTuple):
    """One inline text of a paragraph, a heading or a table cell, or a settled part of it.

    No construct extends beyond a part.
    """

    content: str
    rows: tuple[LineMap, ...]
    spans: tuple[InlineSpan, ...]
    brackets: tuple[Bracket, ...]
    shown: bool = True
    """False for a cell beyond the columns of its table, which only some clients show."""

    @property
    def is_shown(self) -> bool:
        """Whether it has words that all clients show."""
        return self.shown and not self.content.isspace()

    @property
    def first_word(self) -> int:
        """The offset in the source of the first word."""
        return self.place(len(self.content) - len(self.content.lstrip()))

    def place(self, offset: int) -> int:
        """The offset in the source of ``content[offset]``."""
        return _place(self.rows, offset)

    def place_end(self, offset: int) -> int:
        """The offset in the source behind ``content[offset - 1]``."""
        return self.place(offset - 1) + 1 if offset else self.place(0)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in ``content`` of ``text[start:end]`` of the source, which must lie in this part."""
        first = self._offset(start)
        return first, self._offset(end - 1) + 1 if start < end else first

    def _offset(self, source: int) -> int:
        rows = self.rows
        if len(rows) == 1:
            row = rows[0]
        else:
            row = rows[max(0, bisect_right(rows, source, key=lambda row: row.source) - 1)]
        return row.start + source - row.source


def _place(rows: tuple[LineMap, ...] | list[LineMap], offset: int) -> int:
    row = rows[0] if len(rows) == 1 else rows[bisect_right(rows, offset, key=lambda row: row.start) - 1]
    return row.source + max(0, offset - row.start)


class InlineBuffer:
    """The inline text of the open block: lines are added, and settled parts are taken.

    Offsets count from the end of the last taken part.
    """

    line = 0
    """The offset of the last line."""

    def __init__(self, source: int, text: str = "", *, defining: bool = False, heads: bool = False) -> None:
        self.state = InlineState(text)
        self.rows = [LineMap(0, source)]
        self.defining = defining
        """Whether the text may still begin with a link reference definition."""
        self.heads = heads
        """Whether the last line may become the header of a table."""

    @property
    def content(self) -> str:
        """The text that hasn't been taken."""
        return self.state.src

    def append(self, text: str) -> None:
        """Add ``text`` to the last line."""
        self.state.src += text

    def begin_line(self, source: int, *, heads: bool) -> None:
        """Begin another line, whose text stands at offset ``source``."""
        self.append("\n")
        self.line = len(self.content)
        self.rows.append(LineMap(self.line, source, not heads))
        self.heads = heads

    def skip(self, count: int) -> None:
        """Leave out ``count`` characters of the source, which are markup of the block."""
        end = len(self.content)
        self.rows.append(LineMap(end, _place(self.rows, end) + count))

    def settle(self) -> Inline | None:
        """Take the part that can't change any more; None if there is none."""
        if self._may_define():
            return None
        read_inline(self.state, final=False)
        end = self.state.settled()
        if end and self.heads:
            end = self._before_table(end)
        return self.take(self._between(end)) if end else None

    @property
    def first_word(self) -> int | None:
        """The offset in the source of the first word; None if it isn't known.

        Behind a pipe it isn't known: the line may become the header of a table.
        """
        words = self.content.lstrip()
        if not words or words == "\\" or words.startswith(("|", "\\|")):
            return None
        return _place(self.rows, len(self.content) - len(words))

    def settled(self) -> int:
        """The offset in the source of the text that hasn't been taken."""
        return _place(self.rows, 0)

    def _may_define(self) -> bool:
        content = self.content
        if self.defining:
            self.defining = len(content) <= MAX_DEFINITION and (
                not content or _MAY_DEFINE.match(content) is not None
            )
        return self.defining

    def _before_table(self, end: int) -> int:
        """``end``, or an earlier offset if a construct stands there that a table would break.

        The last line may still become a table's header.
        """
        content = self.content
        if len(content) - self.line > MAX_ROW:
            return end
        pipe = content.find("|", max(0, self.line), end)
        if pipe >= 0:
            # A header that begins with a pipe may begin a paragraph of its own.
            end = len(content[:pipe].rstrip(" \t\n\\"))
        if self.line > 0:
            crossing = (start for start, behind in self.state.constructs() if start < self.line <= behind)
            end = min((end, *crossing))
        return end

    def _between(self, end: int) -> int:
        """``end``, or the start of a construct or pair of characters that a cut at ``end`` would divide."""
        content = self.content
        while end:
            inside = [start for start, behind in self.state.constructs() if start < end < behind]
            safe = min(inside) if inside else before_pair(content, end)
            if safe == end:
                break
            end = safe
        return end

    def rest(self) -> Inline | None:
        """Take all of the text, which is complete; None if it is empty."""
        state, rows = self.state, self.rows
        content = state.src
        if not content:
            return None
        read_inline(state, final=True)
        if rows[-1].start >= len(content):
            rows = [row for row in rows if row.start < len(content)]
        return Inline(content, tuple(rows), tuple(state.spans), tuple(state.brackets))

    def take(self, end: int) -> Inline | None:
        """Take the part up to ``end``; None if it is empty."""
        if not end:
            return None
        content = self.content[:end]
        rows = tuple(row for row in self.rows if row.start < end)
        part = Inline(content, rows, *self.state.cut(end))
        source = _place(self.rows, end)
        self.rows = [
            LineMap(0, source),
            *(row._replace(start=row.start - end) for row in self.rows if row.start > end),
        ]
        self.line -= end
        return part

    def drop_line(self) -> str:
        """Remove the last line, which is the header of a table, and return its text."""
        kept, taken = self.content[: max(0, self.line)].removesuffix("\n"), self.content[max(0, self.line) :]
        before, self.state = self.state, InlineState(kept)
        # Brackets that were open before the last cut are open again.
        self.state.openers = [one - before.base for one in before.openers if one < before.base]
        return taken

    def definition(self, following: str) -> tuple[tuple[int, int], ...]:
        """The lines of the definition at the beginning of the text, as spans of the source.

        ``following`` is the text of the next line, empty at the end of the block.
        """
        content = self.content
        if not self.defining or len(content) > MAX_DEFINITION or not content.startswith("["):
            return ()
        lines = content.split("\n")
        if following and len(lines) & (len(lines) - 1):
            # An open title is only read again after 1, 2, 4, 8… lines, and at the end.
            return ()
        count = _definition_lines(content)
        if not count:
            return ()
        # "The title … may extend over multiple lines": the next line may be its first.
        behind = lines[count] if count < len(lines) else following
        if following and behind.startswith(_TITLES):
            return ()
        places, start = [], 0
        for line in lines[:count]:
            place = _place(self.rows, start)
            places.append((place, place + len(line)))
            start += len(line) + 1
        return tuple(places)


def _definition_lines(content: str) -> int:
    """The number of lines of the definition at the beginning of ``content``; 0 if there is none."""
    tokens: list[Token] = []
    MARKDOWN.block.parse(content, MARKDOWN, {}, tokens)
    first = tokens[0] if tokens else None
    return first.map[1] if first and first.type == "definition" and first.map else 0
