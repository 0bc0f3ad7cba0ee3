"""A place in a line and the containers around it (CommonMark § 5, § 2.2 "Tabs")."""

from __future__ import annotations

from typing import Final, NamedTuple

_BLANK: Final = frozenset(" \t")


class Container(NamedTuple):
    """A block quote, or a list item whose content begins ``indent`` columns in; 0 for a quote.

    ``empty`` says that nothing has followed its marker yet.
    """

    indent: int = 0
    empty: bool = False


class LineCursor:
    """A place in a line: an offset and its column. Tabs stop at every fourth column."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.offset = 0
        self.column = 0

    def indent(self) -> tuple[int, int]:
        """The offset of the next character that is no space, and its distance in columns."""
        line, offset = self.line, self.offset
        if line[offset : offset + 1] not in _BLANK:
            return offset, 0
        start = len(line) - len(line[offset:].lstrip(" \t"))
        if "\t" not in line[offset:start]:
            return start, start - offset
        before = " " * (self.column % 4)
        return start, len((before + line[offset:start]).expandtabs(4)) - len(before)

    def enter(self, containers: tuple[Container, ...]) -> int:
        """Enter those open containers that continue in this line, and return their number."""
        for number, container in enumerate(containers):
            start, indent = self.indent()
            if container.indent == 0:
                if indent > 3 or not self.line.startswith(">", start):
                    return number
                self.quote(start, indent)
            elif start == len(self.line):
                # "A list item can begin with at most one blank line."
                if container.empty:
                    return number
            elif indent >= container.indent:
                self.advance(container.indent)
            else:
                return number
        return len(containers)

    def quote(self, start: int, indent: int) -> None:
        """Advance behind a block quote's marker: ``>`` "together with a following space of indentation"."""
        self.offset, self.column = start + 1, self.column + indent + 1
        if self.line[self.offset : self.offset + 1] in ("\t", " "):
            self.advance(1)

    def advance(self, columns: int) -> None:
        """Advance by ``columns`` of white space. A part of a tab may remain."""
        while columns > 0:
            width = 4 - self.column % 4 if self.line[self.offset] == "\t" else 1
            taken = min(width, columns)
            self.column += taken
            columns -= taken
            self.offset += taken == width
