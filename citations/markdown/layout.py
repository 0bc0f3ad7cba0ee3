"""A whole text, read as CommonMark reads it with GFM's tables, with places in the source.

markdown-it-py reads the blocks. It doesn't say where in the source an inline text stands, but the
lines of the block and the rules of its kind do: each line of a paragraph is a suffix of its source
line (what comes before is the container's ``> `` or list indent), a heading's text stands between
its ``#`` runs, a cell's between its pipes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.token import Token

from .inline import Bracket, Span, read_inline

MAX_NESTING: Final = 60
"""Levels of quotes and lists that are read; a deeper text is shown as it was typed."""
_BLANK: Final = MD_TRIM_CHARS
"""What markdown-it-py takes from both ends of an inline text."""


_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_LINE_ENDS: Final = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Row:
    """``content[start:]`` up to the next row stands at ``source`` in the text."""

    start: int
    source: int


@dataclass(frozen=True, slots=True)
class Inline:
    """One inline text of a block: a paragraph's, a heading's, a table cell's."""

    content: str
    rows: tuple[Row, ...]
    spans: tuple[Span, ...]
    brackets: tuple[Bracket, ...]

    def place(self, offset: int) -> int:
        """The offset in the source of ``content[offset]``."""
        rows = self.rows
        row = rows[0] if len(rows) == 1 else rows[bisect_right(rows, offset, key=lambda row: row.start) - 1]
        return row.source + max(0, offset - row.start)

    def place_end(self, offset: int) -> int:
        """The offset in the source behind ``content[offset - 1]``."""
        return self.place(offset - 1) + 1 if offset else self.place(0)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where ``text[start:end]`` of the source, which begins and ends in here, is in ``content``."""
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, source: int) -> int:
        row = self.rows[max(0, bisect_right(self.rows, source, key=lambda row: row.source) - 1)]
        return row.start + source - row.source


@dataclass(frozen=True, slots=True)
class Raw:
    """Source lines of an HTML block or a link definition: ``text[start:end]`` for each line.

    ``alone`` says that the block stands at the top level, in no quote or list.
    """

    lines: tuple[tuple[int, int], ...]
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    r"""What stands where in ``text``.

    ``unclosed`` is the fence that the text leaves open at its end (````````), or empty.
    ``complete`` is False where a part of the text could not be placed; nothing may then be assumed
    about it.
    """

    text: str
    inlines: tuple[Inline, ...]
    raws: tuple[Raw, ...]
    unclosed: str
    complete: bool


def clean_text(text: str) -> str:
    r"""``text`` with line ends made ``\n``, and without controls and lone surrogates (CommonMark § 2)."""
    return _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))


def read_layout(text: str) -> Layout:
    r"""Read ``text``: line ends are ``\n`` and there is no NUL (CommonMark § 2.3)."""
    tokens: list[Token] = []
    _PARSER.block.parse(text, _PARSER, {}, tokens)
    source = _Source(text)
    inlines: list[Inline] = []
    raws: list[Raw] = []
    complete = True
    for inline in source.inlines(tokens):
        if inline is None:
            complete = False
        else:
            inlines.append(inline)
    for token in tokens:
        if token.type in ("html_block", "definition"):
            raws.append(source.raw(token))
        elif token.level > MAX_NESTING - 4:
            complete = False
    return Layout(
        text=text,
        inlines=tuple(inlines),
        raws=tuple(raws),
        unclosed=source.unclosed(tokens),
        complete=complete,
    )


class _Source:
    """The lines of a text, to place the tokens of its blocks in."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts: list[int] = []
        start = 0
        for line in self.lines:
            self.starts.append(start)
            start += len(line) + 1

    def inlines(self, tokens: list[Token]) -> Iterator[Inline | None]:
        """The inline texts in order; None for one that could not be placed."""
        row, cursor = -1, 0
        for index, token in enumerate(tokens):
            if token.type != "inline" or not token.map:
                continue
            line = token.map[0]
            kind = tokens[index - 1].type
            if kind in ("td_open", "th_open"):
                if line != row:
                    row, cursor = line, 0
                rows, cursor = self._cell(line, token.content, cursor)
                yield self._read(token.content, rows)
                if tokens[index + 2].type == "tr_close":
                    yield self._surplus(line, cursor)
            elif kind == "heading_open" and tokens[index - 1].markup.startswith("#"):
                yield self._read(token.content, self._heading(line, token.content))
            else:
                yield self._read(token.content, self._paragraph(line, token.map[1], token.content))

    def _read(self, content: str, rows: tuple[Row, ...] | None) -> Inline | None:
        return None if rows is None else Inline(content, rows, *read_inline(content))

    def _paragraph(self, first: int, last: int, content: str) -> tuple[Row, ...] | None:
        """Where the lines of a paragraph stand; lines of which nothing is left come before them."""
        parts = content.split("\n")
        for line in range(first, max(first, last - len(parts)) + 1):
            if rows := self._suffixes(line, parts):
                return rows
        return None

    def _suffixes(self, first: int, parts: list[str]) -> tuple[Row, ...] | None:
        rows: list[Row] = []
        start = 0
        for number, part in enumerate(parts, first):
            source = self.lines[number].rstrip(_BLANK)
            stripped = part.strip(_BLANK)
            if not source.endswith(stripped):
                return None
            lead = len(part) - len(part.lstrip(_BLANK))
            place = self.starts[number] + len(source) - len(stripped)
            rows.append(Row(start + lead if stripped else start, place))
            start += len(part) + 1
        return tuple(rows)

    def _heading(self, line: int, content: str) -> tuple[Row, ...] | None:
        # "The closing sequence is optional": the text is the last that stands before it.
        found = self.lines[line].rfind(content)
        return None if found < 0 else (Row(0, self.starts[line] + found),)

    def _cell(self, line: int, content: str, cursor: int) -> tuple[tuple[Row, ...] | None, int]:
        """Where a cell stands, and where the next one may begin."""
        # GFM § "Tables": a pipe in a cell is written `\|`, and loses its backslash before the
        # cell is read as inline text.
        written = content.replace("|", r"\|")
        source = self.lines[line]
        found = source.find(written, cursor)
        if found < 0:
            return None, cursor
        rows = [Row(0, self.starts[line] + found)]
        if written != content:
            offset = -1
            for number in range(content.count("|")):
                offset = content.index("|", offset + 1)
                rows.append(Row(offset, self.starts[line] + found + offset + number + 1))
        return tuple(rows), found + len(written)

    def _surplus(self, line: int, cursor: int) -> Inline | None:
        """Cells beyond the header's, which GFM doesn't show and plain CommonMark does."""
        rest = self.lines[line][cursor:]
        return Inline(rest, (Row(0, self.starts[line] + cursor),), (), ())

    def raw(self, token: Token) -> Raw:
        """The lines of an HTML block or a definition, without the prefix of their container."""
        first, last = token.map or (0, 0)
        contents = token.content.split("\n") if token.content else []
        lines: list[tuple[int, int]] = []
        for number in range(first, last):
            source = self.lines[number]
            content = contents[number - first] if number - first < len(contents) else None
            if content is None or not source.endswith(content):
                content = source.lstrip(" \t>") if content is None else content.lstrip(_BLANK)
            if number == first and token.type == "definition":
                content = source[source.index("[") :]
            start = self.starts[number] + len(source) - len(content)
            lines.append((start, self.starts[number] + len(source)))
        return Raw(tuple(lines), token.level == 0)

    def unclosed(self, tokens: list[Token]) -> str:
        """The opening fence that has no closing one, at the top level."""
        # "If the end of the containing block (or document) is reached and no closing code fence
        # has been found, the code block contains all of the lines after the opening code fence".
        if not tokens or tokens[-1].type != "fence" or tokens[-1].level:
            return ""
        fence = tokens[-1]
        first, last = fence.map or (0, 0)
        # "The closing code fence may be preceded by up to three spaces of indentation, and may be
        # followed only by spaces or tabs".
        closing = re.compile(rf" {{0,3}}{re.escape(fence.markup)}{re.escape(fence.markup[0])}*[ \t]*")
        closed = last - first > 1 and closing.fullmatch(self.lines[last - 1])
        return "" if closed else fence.markup


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    md.enable("table")
    # A definition with any scheme is one: what its target may be is judged elsewhere.
    md.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    return md


_PARSER: Final = _parser()
