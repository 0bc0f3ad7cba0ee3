"""The beginning of a line: its containers, and the kind of block that its text belongs to.

CommonMark's appendix, "Phase 1: block structure", with GFM's tables. Where these leave a choice, the
module follows markdown-it-py. A line is read as soon as enough of it has arrived.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from markdown_it.common.html_blocks import block_names
from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR

from .cursor import Container, LineCursor
from .table_row import DELIMITERS, delimits

MAX_NESTING: Final = 28
"""Nested quotes and list items that are read. A deeper marker is text."""
MAX_START: Final = 300
"""Characters of an undecided line. A longer one is text."""

_MAY_START: Final = re.compile(
    r"(?:#{1,6}|`{1,2}|`{3,}[^`\n]*|~+|[-+*_=][-+*_= \t]*|[0-9]{1,9}(?:[.)][ \t]*)?|<(?:[A-Za-z/!?].*)?)\Z"
)
"""A line so far from which more than one kind of block may develop."""
_HEADING: Final = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_FENCE: Final = re.compile(r"(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})")
_RULE: Final = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_SETEXT: Final = re.compile(r"(?:=+|-+)[ \t]*\Z")
_ITEM: Final = re.compile(r"(?:[-+*]|(?P<number>[0-9]{1,9})[.)])(?=[ \t]|\Z)")
_HTML: Final = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=\s|>|\Z)", re.IGNORECASE | re.ASCII),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE | re.ASCII),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{'|'.join(block_names)})(?=\s|/?>|\Z)", re.IGNORECASE | re.ASCII), None),
)
"""The beginnings and ends of HTML blocks (CommonMark § 4.6). None ends one at a blank line. The seventh
kind is below."""
_TAG_ALONE: Final = re.compile(rf"{HTML_OPEN_CLOSE_TAG_STR[1:]}\s*\Z")


Leaf = Literal["none", "paragraph", "heading", "table", "fence", "code", "html"]
"""The kind of block that a line's text belongs to.

``none`` is for a blank line, a thematic break or an underline. A row belongs to a table. The row above
the delimiter row was read as a paragraph's text."""


class Open(NamedTuple):
    """The block that the next line may continue.

    ``closing`` ends a fence or an HTML block; None ends it at a blank line. ``columns`` is the number of
    cells of a paragraph's last line, read as a table's header. It is 0 if the line can't be one.
    """

    containers: tuple[Container, ...] = ()
    leaf: Leaf = "none"
    closing: re.Pattern[str] | None = None
    columns: int = 0


_BEGINS: Final = frozenset("#`~-+*_=<>|: \t0123456789")
"""The possible first characters of a line that isn't plain text."""


class BlockLine(NamedTuple):
    """The beginning of a line: its block, and the place of its text.

    ``continues`` says that the block was open before. ``header`` says that the line delimits a table
    whose header is the paragraph's last line. ``heads`` says that the line may be such a header.
    ``fence`` is the opening of a fence. ``kept`` is the number of open containers that continue.
    ``too_deep`` says that the line would open more containers than are read.
    """

    open: Open
    offset: int
    continues: bool = False
    header: bool = False
    heads: bool = False
    fence: str = ""
    kept: int = 0
    too_deep: bool = False


_BLANK_LINE: Final = BlockLine(Open(), 0)
_FIRST_LINE: Final = BlockLine(Open((), "paragraph"), 0, heads=True)


def read_line(line: str, before: Open, *, complete: bool) -> BlockLine | None:
    """The beginning of ``line`` after ``before``; None while more of the line is needed."""
    if not before.containers and before.leaf in ("none", "paragraph", "table"):
        if not line:
            return _BLANK_LINE if complete else None
        if line[0] not in _BEGINS:
            return _at_margin(before)
    place = LineCursor(line)
    kept = place.enter(before.containers)
    start, indent = place.indent()
    if start == len(line):
        return _blank_line(before, kept, start) if complete else None
    if kept == len(before.containers) and (going := _continue(before, start, indent, place)):
        return going
    return _new_block(_LineReader(place, before, complete, kept, _mark_begun(before.containers[:kept])))


def _mark_begun(containers: tuple[Container, ...]) -> tuple[Container, ...]:
    """``containers``, marked as not empty."""
    if containers and containers[-1].empty:
        return (*containers[:-1], Container(containers[-1].indent))
    return containers


@dataclass(slots=True)
class _LineReader:
    """Reads the beginning of a line into new blocks."""

    place: LineCursor
    before: Open
    complete: bool
    kept: int
    """The number of open containers that continue."""
    containers: tuple[Container, ...]
    """These containers and the ones that the line has opened."""
    too_deep: bool = False

    @property
    def lazy(self) -> bool:
        """Whether the text may continue the open paragraph, inside or outside its containers."""
        return self.before.leaf == "paragraph" and len(self.containers) == self.kept

    @property
    def interrupts(self) -> bool:
        """Whether a new block here would stand in the open paragraph's own containers."""
        return self.lazy and self.kept == len(self.before.containers)

    @property
    def in_table(self) -> bool:
        """Whether text here would be another row of the open table."""
        whole = self.kept == len(self.before.containers) == len(self.containers)
        return whole and self.before.leaf == "table"

    def line(
        self, offset: int, leaf: Leaf, closing: re.Pattern[str] | None = None, fence: str = ""
    ) -> BlockLine:
        """The line as the first one of a new block."""
        return BlockLine(
            Open(self.containers, leaf, closing),
            offset,
            heads=leaf == "paragraph",
            fence=fence,
            kept=self.kept,
            too_deep=self.too_deep,
        )

    def empty_line(self, offset: int) -> BlockLine:
        """The line as markers without text."""
        *outer, last = self.containers
        return BlockLine(
            Open((*outer, Container(last.indent, empty=last.indent > 0))), offset, kept=self.kept
        )


def _at_margin(before: Open) -> BlockLine:
    """A line that begins with an ordinary character, outside all containers."""
    if before.leaf in ("paragraph", "table"):
        return BlockLine(before, 0, continues=True, heads=before.leaf == "paragraph")
    return _FIRST_LINE


def _blank_line(before: Open, kept: int, offset: int) -> BlockLine:
    """A blank line. It ends a paragraph and a table, and belongs to code and most HTML."""
    html = before.leaf == "html" and before.closing is not None
    if kept == len(before.containers) and (html or before.leaf in ("code", "fence")):
        return BlockLine(before, offset, continues=True)
    return BlockLine(Open(before.containers[:kept]), offset, kept=kept)


def _continue(before: Open, start: int, indent: int, place: LineCursor) -> BlockLine | None:
    """The line as another one of a block that takes lines literally."""
    if before.leaf in ("fence", "html"):
        return BlockLine(before, place.offset, continues=True)
    if before.leaf == "code" and indent >= 4:
        return BlockLine(before, start, continues=True)
    return None


def _new_block(reading: _LineReader) -> BlockLine | None:
    """The line with the containers and the block that it opens or continues."""
    while True:
        start, indent = reading.place.indent()
        rest = reading.place.line[start:]
        if not rest:
            return reading.empty_line(start) if reading.complete else None
        if indent >= 4:
            return _paragraph(reading, start, indent) if reading.lazy else reading.line(start, "code")
        if rest[0] not in _BEGINS:
            return _text(reading, start, indent)
        if _is_undecided(rest, reading):
            return _paragraph(reading, start, indent) if len(rest) > MAX_START else None
        if line := _under_paragraph(reading, start, rest) or _leaf(reading, start, rest):
            return line
        if not _enter(reading, start, indent, rest):
            return _text(reading, start, indent)


def _is_undecided(rest: str, reading: _LineReader) -> bool:
    """Whether more of the line could make it another block, up to :data:`MAX_START`."""
    if reading.complete and len(rest) <= MAX_START:
        return False
    beginning = rest[:MAX_START]
    if reading.interrupts and reading.before.columns and DELIMITERS.match(beginning):
        return True
    if not _MAY_START.match(beginning):
        return False
    return len(rest) <= MAX_START or not any(begins.match(rest) for begins, _ in _HTML)


def _under_paragraph(reading: _LineReader, start: int, rest: str) -> BlockLine | None:
    """A line that turns the open paragraph into a table or a heading: delimiters, an underline."""
    if not reading.interrupts:
        return None
    if delimits(rest, reading.before.columns):
        return BlockLine(Open(reading.before.containers, "table"), start, header=True)
    if _SETEXT.match(rest):
        return BlockLine(Open(reading.before.containers), start, continues=True)
    return None


def _leaf(reading: _LineReader, start: int, rest: str) -> BlockLine | None:
    """A block that is neither a paragraph nor a container."""
    first = rest[0]
    if first == "#" and (heading := _HEADING.match(rest)):
        return reading.line(start + heading.end(), "heading")
    if first in "`~" and (fence := _FENCE.match(rest)):
        mark = fence["mark"]
        closing = re.compile(rf" {{0,3}}{re.escape(mark)}{re.escape(first)}*[ \t]*\Z")
        return reading.line(start, "fence", closing, mark)
    if first in "*-_" and _RULE.match(rest):
        return reading.line(start, "none")
    return _html(reading, start, rest) if first == "<" else None


def _html(reading: _LineReader, start: int, rest: str) -> BlockLine | None:
    for begins, ends in _HTML:
        if begins.match(rest):
            return reading.line(start, "html", ends)
    # "…any type except type 7 may interrupt a paragraph", and a table.
    if not reading.lazy and not reading.in_table and len(rest) <= MAX_START and _TAG_ALONE.match(rest):
        return reading.line(start, "html")
    return None


def _enter(reading: _LineReader, start: int, indent: int, rest: str) -> bool:
    """Enter the container that begins here; False if none does."""
    marker = _ITEM.match(rest)
    if not marker and rest[0] != ">":
        return False
    if len(reading.containers) >= MAX_NESTING:
        reading.too_deep = True
        return False
    if not marker:
        reading.place.quote(start, indent)
        reading.containers += (Container(),)
        return True
    return _enter_item(reading, start, indent, marker)


def _enter_item(reading: _LineReader, start: int, indent: int, marker: re.Match[str]) -> bool:
    # "In order for a list item to interrupt a paragraph, it must start with 1", and not be empty.
    empty = not marker.string[marker.end() :].strip(" \t")
    if reading.interrupts and (empty or (marker["number"] and int(marker["number"]) != 1)):
        return False
    place = reading.place
    place.offset, place.column = start + marker.end(), place.column + indent + marker.end()
    content, width = place.indent()
    # "If the list item begins with indented code or a blank line, one space belongs to its marker."
    if empty or width > 4:
        width = 1
    if content < len(place.line):
        place.advance(width)
    reading.containers += (Container(indent + marker.end() + width),)
    return True


def _text(reading: _LineReader, start: int, indent: int) -> BlockLine:
    """The line as a row of the open table, or as text."""
    if reading.in_table:
        return BlockLine(reading.before, start, continues=True, too_deep=reading.too_deep)
    return _paragraph(reading, start, indent)


def _paragraph(reading: _LineReader, start: int, indent: int) -> BlockLine:
    """The line as text of the open paragraph, or of a new one."""
    if not reading.lazy:
        return reading.line(start, "paragraph")
    heads = reading.interrupts and indent < 4
    return BlockLine(reading.before, start, continues=True, heads=heads, too_deep=reading.too_deep)
