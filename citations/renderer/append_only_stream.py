"""The text of a stream that only grows at its end: each piece is written once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..markdown import read_layout
from ..markdown.block_mark import BlockMark
from ..markers.finder import markers_of
from ..markers.half_marker import find_half_marker, outside
from ..markers.positions import Positions
from ..model.citation import CitedAnswer, Use
from ..model.dialect import Dialect
from ..model.reference import Reference
from .append_only_text import AppendOnlyText


class AppendOnlyStream(AppendOnlyText):
    """Writes each piece once, as soon as nothing that follows can change how it reads."""

    def __init__(self, dialect: Dialect | None) -> None:
        super().__init__(Positions(dialect, waits=True))
        self._dialect = dialect
        self._tail = ""
        """The text behind the settled part."""
        self._halves: list[Use] = []
        """The partial markers where the text was cut."""
        self._flowing = False
        """Whether text without special characters can be shown without reading it."""
        self._plain: list[str] = []
        self._waiting = False
        """Whether an open construct waits for its end, so that plain text can be deferred."""
        self._deferred: list[str] = []
        """Plain text that the reader doesn't have yet."""

    def add_text(self, text: str) -> None:
        """Take the next piece of the answer's text."""
        self._source.append(text)
        self.extend(text)

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. If they are ``complete``, or come before the text, no others are expected."""
        self._positions.waits = bool(self._source) and not complete
        self._positions.add(references)
        self._references.extend(references)

    def cut(self) -> None:
        """Note that the text so far was cut: a partial marker at its end is left out."""
        if half := find_half_marker(read_layout("".join(self._source)), self._dialect):
            self._halves.append(half)

    def extend(self, text: str) -> str:
        """Take the next piece of the answer's text and return the text that may be shown now."""
        if text.isprintable() and _SPECIAL.isdisjoint(text) and not _MAY_BE_ADDRESS.search(text):
            if self._flowing:
                self._plain.append(text)
                return text
            if self._waiting and len(self._deferred) < _PATIENCE:
                self._deferred.append(text)
                return ""
        self._take_plain()
        if self._deferred:
            text = "".join(self._deferred) + text
            self._deferred.clear()
        self._tail += text
        self._reader.feed(text)
        written = self._write(self._reader.settle())
        self._flowing = not (self._tail or self._text.ends_in_badge) and self._reader.flowing
        self._waiting = self._reader.waiting
        return written

    def _settle(self) -> None:
        """Pass the deferred text to the reader."""
        self._take_plain()
        if self._deferred:
            self._waiting = False
            text = self._deferred.pop()
            self.extend(text)

    def _take_plain(self) -> None:
        """Tell the reader the length of the plain text that it didn't need to read."""
        if self._plain:
            plain = "".join(self._plain)
            self._plain.clear()
            self._reader.skip(plain)
            self._written.append(self._text.write(plain, (), self._new_raws(), (), ()))
            self.settled += len(plain)

    def close(self) -> CitedAnswer:
        """The citations of the complete answer."""
        self._settle()
        text = "".join(self._source)
        layout = self._reader.close(text)
        self._write(len(text))
        self._positions.settle()
        return self._cite_whole(text, layout)

    def _write(self, end: int) -> str:
        """Write the text up to ``end`` of the answer."""
        start = self.settled
        marks = self._marks_before(end)
        if end == start and not marks:
            return ""
        inlines = self._reader.inlines[self._inlines :]
        raws = self._new_raws()
        self._inlines += len(inlines)
        # A partial marker that has been shown in part stays.
        uses = [half for half in self._halves if start <= half.start and half.end <= end]
        for inline in inlines:
            if inline.brackets:
                markers = outside(markers_of(inline, self._dialect), uses)
                uses.extend(self._positions.uses(markers))
        uses.sort(key=lambda use: use.start)
        self._uses.extend(uses)
        text, self._tail = self._tail[: end - start], self._tail[end - start :]
        self.settled = end
        written = self._text.write(text, inlines, raws, marks, uses)
        self._written.append(written)
        return written

    def _new_raws(self) -> list[tuple[int, int]]:
        raws = self._reader.shown[self._raws :]
        self._raws += len(raws)
        return raws

    def _marks_before(self, end: int) -> list[BlockMark]:
        """The marks before ``end`` that aren't written yet."""
        first = last = self._marks
        marks = self._reader.marks
        while last < len(marks) and marks[last].end <= end:
            last += 1
        self._marks = last
        return marks[first:last]


_PATIENCE: Final = 16
"""Pieces of plain text that wait at once for the end of an open construct."""
_SPECIAL: Final = frozenset("`[]【［<&\\!|:;@{⟬$")
"""Characters that are not, or may not be, plain text in the middle of a line."""
_MAY_BE_ADDRESS: Final = re.compile(r"[Ww](?:[Ww]|\Z)")
"""The beginning of ``www.``, which clients turn into a link."""
