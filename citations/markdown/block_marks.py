"""Collects the marks of a text as its lines are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from .block_line import MAX_START, BlockLine, Leaf, Open
from .block_mark import BlockMark, Part
from .cursor import Container

_PARTS: Final[Mapping[Leaf, Part]] = {
    "heading": "heading",
    "html": "html",
    "code": "code",
    "fence": "fence",
}
_LATE: Final = re.compile(r"(?<![0-9])(?!1[.)])[0-9]+[.)](?=[ \t]|\Z)")
_UNINTERRUPTED: Final = frozenset({"paragraph", "code", "table"})
_INVISIBLE: Final = "\u200b"


class BlockMarks:
    """Collects the marks of each line in ``found``."""

    def __init__(self) -> None:
        self.found: list[BlockMark] = []
        self._parted = True
        """Whether the text above the line can't continue."""
        self._above = self._text = self._paragraph = 0
        """The offsets of the line above, of the last line's text, and of the open paragraph's text."""

    def begin(self, line: BlockLine, source: str, start: int, before: Open) -> bool:
        """Mark the block that ``source``, at offset ``start``, begins. ``before`` is open above it.

        Returns whether something must stand between the two.
        """
        leaf, new = line.open.leaf, line.open.containers[line.kept :]
        rule = leaf == "none" and bool(source[line.offset :].strip(" \t"))
        if leaf == "none" and not rule and not new:
            return False
        part: Part = "rule" if rule else _PARTS.get(leaf, "block")
        place, blank = start, self._blank_line(line.open.containers[: line.kept])
        indent = source[: len(source) - len(source.lstrip(" \t"))]
        if len(indent) > MAX_START:
            # The line end above has been released, so it becomes the blank line.
            place, blank = start + len(indent), blank and f"\n{indent}"
        apart = ""
        if leaf == "code" and place == start and self._becomes_text(before):
            # Code can't interrupt a paragraph.
            apart = blank
        elif new and place == start and before.leaf in _UNINTERRUPTED and _is_late(line, source, before):
            apart = _apart(before, blank)
        self.found.append(BlockMark(part, place, place, blank, _kind(new), outer=not line.kept, apart=apart))
        if rule:
            self.markup(start + line.offset, start + len(source))
        elif leaf == "heading":
            self.markup(start + len(source[: line.offset].rstrip("#")), start + line.offset)
        elif leaf == "paragraph":
            self._paragraph = start + line.offset
        return bool(apart)

    def _becomes_text(self, before: Open) -> bool:
        """Whether the block above is a paragraph once it is written, or to a reader without tables."""
        if before.leaf == "table":
            return True
        # At the top level, blank lines are written around HTML and definitions.
        return bool(before.containers and self.found) and self.found[-1].part in ("html", "definition")

    def markup(self, start: int, end: int) -> None:
        """Mark an underline or a table's delimiters."""
        self.found.append(BlockMark("markup", start, end))

    def row(self, containers: Sequence[Container], start: int) -> None:
        """Mark the line at ``start`` as a row of the table."""
        self.found.append(BlockMark("row", start, start, self._blank_line(containers)))

    def header(self, text: str, source: int, before: Open) -> bool:
        """Mark the line above as a table's header, of which ``text`` at offset ``source`` is left.

        Returns whether some of it was taken before.
        """
        begun = source > self._text
        if begun or not text.startswith("|"):
            self.found.append(BlockMark("bare header", source, source, column=before.columns))
        else:
            blank = "" if self._text == self._paragraph else _blank_line(before.containers)
            self.found.append(BlockMark("header", self._above, self._above, blank, column=before.columns))
        return begun

    def end(self, place: int, part: Part = "end") -> None:
        """Mark the end of a heading, a row or a definition."""
        self.found.append(BlockMark(part, place, place))
        self._parted = self._parted and part != "definition"

    def go_on(self, text: int) -> None:
        """Note the offset of the line's text."""
        self._text = text

    def end_line(self, line: BlockLine, text: str, start: int, after: Open, *, blank: bool) -> None:
        """Note the end of the line with that ``text``, and the blocks that it leaves open."""
        # "A list item can begin with at most one blank line."
        empty = bool(after.containers) and after.containers[-1].empty
        goes_on = line.continues or line.open.leaf == "heading" or after.leaf != "none" or text.strip(" \t")
        self._parted = blank or empty or not goes_on
        self._above = start

    def _blank_line(self, containers: Sequence[Container]) -> str:
        return "" if self._parted else _blank_line(containers)


def _blank_line(containers: Sequence[Container]) -> str:
    """A blank line in these containers, with its line end."""
    return f"{_prefix(containers).rstrip()}\n"


def _prefix(containers: Sequence[Container]) -> str:
    """The beginning of a line in these containers."""
    return "".join(" " * container.indent or "> " for container in containers)


def _is_late(line: BlockLine, source: str, before: Open) -> bool:
    """Whether ``line`` begins a list that "can't interrupt a paragraph", in the containers of ``before``.

    "It must start with 1", and not be empty. micromark applies this also below code, and to a list inside
    another one.
    """
    new = line.open.containers[line.kept :]
    if line.kept < len(before.containers) or not any(container.indent for container in new):
        return False
    return new[-1].empty or _LATE.search(source, 0, line.offset) is not None


def _apart(before: Open, blank: str) -> str:
    """The text that ends the block of ``before``, in its containers. A blank line doesn't end code."""
    if before.leaf != "code":
        return blank
    prefix = _prefix(before.containers)
    return f"{blank}{prefix}{_INVISIBLE}\n{prefix.rstrip()}\n"


def _kind(containers: Sequence[Container]) -> str:
    """The kind of the first of ``containers``; empty if there is none."""
    if not containers:
        return ""
    return "-" if containers[0].indent else ">"
