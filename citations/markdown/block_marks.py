"""The marks of a text, noted as its lines are read."""

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
_LATE: Final = re.compile(r"[ \t]*(?!1[.)])[0-9]")


class BlockMarks:
    """Told of each line, it adds to ``found``."""

    def __init__(self) -> None:
        self.found: list[BlockMark] = []
        self._parted = True
        """Whether nothing can be joined to what stands above the line."""
        self._within = False
        """Whether a quote or a list item is open."""
        self._above = self._text = self._paragraph = 0
        """Where the line above begins, the text of the last line, and that of the open paragraph."""

    def begin(self, line: BlockLine, source: str, start: int) -> None:
        """``source``, which stands at ``start``, begins a block."""
        leaf, new = line.open.leaf, line.open.containers[line.kept :]
        rule = leaf == "none" and bool(source[line.offset :].strip(" \t"))
        if leaf == "none" and not rule and not new:
            return
        part: Part = "rule" if rule else _PARTS.get(leaf, "block")
        place, blank = start, self._blank_line(line.open.containers[: line.kept])
        indent = source[: len(source) - len(source.lstrip(" \t"))]
        if len(indent) > MAX_START:
            # It has been released: it becomes the blank line.
            place, blank = start + len(indent), blank and f"\n{indent}"
        kind, outer = _kind(new), not line.kept
        late = kind == "-" and not self._within and _LATE.match(source) is not None
        self.found.append(BlockMark(part, place, place, blank, kind, outer=outer, late=late))
        if rule:
            self.markup(start + line.offset, start + len(source))
        elif leaf == "heading":
            self.markup(start + len(source[: line.offset].rstrip("#")), start + line.offset)
        elif leaf == "paragraph":
            self._paragraph = start + line.offset

    def markup(self, start: int, end: int) -> None:
        """An underline, a table's delimiters."""
        self.found.append(BlockMark("markup", start, end))

    def row(self, containers: Sequence[Container], start: int) -> None:
        """The line that stands at ``start`` is a row of the table."""
        self.found.append(BlockMark("row", start, start, self._blank_line(containers)))

    def header(self, text: str, source: int, before: Open) -> bool:
        """The line above is a table's header: ``text``, which stands at ``source``, is what is left of it.

        Whether some of it has gone before.
        """
        begun = source > self._text
        if begun or not text.startswith("|"):
            self.found.append(BlockMark("bare header", source, source, column=before.columns))
        else:
            blank = "" if self._text == self._paragraph else _blank_line(before.containers)
            self.found.append(BlockMark("header", self._above, self._above, blank, column=before.columns))
        return begun

    def end(self, place: int, part: Part = "end") -> None:
        """A heading, a row or a definition ends."""
        self.found.append(BlockMark(part, place, place))
        self._parted = self._parted and part != "definition"

    def go_on(self, text: int) -> None:
        """The text of the line stands at ``text``."""
        self._text = text

    def end_line(self, line: BlockLine, text: str, start: int, after: Open, *, blank: bool) -> None:
        """The line with that ``text`` has ended, and leaves these blocks open."""
        # "A list item can begin with at most one blank line."
        empty = bool(after.containers) and after.containers[-1].empty
        goes_on = line.continues or line.open.leaf == "heading" or after.leaf != "none" or text.strip(" \t")
        self._parted = blank or empty or not goes_on
        self._above = start
        self._within = bool(after.containers)

    def _blank_line(self, containers: Sequence[Container]) -> str:
        return "" if self._parted else _blank_line(containers)


def _blank_line(containers: Sequence[Container]) -> str:
    """A blank line in these quotes and list items, with its end."""
    prefix = "".join(" " * container.indent or "> " for container in containers)
    return f"{prefix.rstrip()}\n"


def _kind(containers: Sequence[Container]) -> str:
    """The kind of the first of ``containers``; empty where there is none."""
    if not containers:
        return ""
    return "-" if containers[0].indent else ">"
