"""The text of a stream that only grows at its end, of an answer whose markers cite."""

from __future__ import annotations

from collections.abc import Sequence

from ..markdown import read_layout
from ..markers.finder import markers_of
from ..markers.half_marker import find_half_marker, outside
from ..markers.positions import Positions
from ..model.citation import Use
from ..model.dialect import Dialect
from ..model.reference import Reference
from .append_only_text import AppendOnlyText


class AppendOnlyStream(AppendOnlyText):
    """Writes each piece as soon as nothing that follows can change how it reads."""

    def __init__(self, dialect: Dialect | None) -> None:
        super().__init__(Positions(dialect, waits=True))
        self._dialect = dialect
        self._halves: list[Use] = []
        """The partial markers where the text was cut."""

    def add_text(self, text: str) -> None:
        """Take the next piece. Its markers get their positions from the references so far."""
        super().add_text(text)
        self._settle()

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. If they are ``complete``, or come before the text, no others are expected."""
        self._positions.waits = bool(self._source) and not complete
        super().add_references(references, complete=complete)

    def cut(self) -> None:
        """Note that the text so far was cut: a partial marker at its end is left out."""
        if half := find_half_marker(read_layout("".join(self._source)), self._dialect):
            self._halves.append(half)

    def _settle(self) -> None:
        self._write_to(self._reader.settle())

    def _write_rest(self, end: int) -> None:
        self._write_to(end)
        self._positions.settle()

    def _write_to(self, end: int) -> None:
        inlines = self._reader.inlines[self._inlines :]
        # A partial marker that has been shown in part stays.
        uses = [half for half in self._halves if self.settled <= half.start and half.end <= end]
        for inline in inlines:
            if inline.brackets:
                uses.extend(self._positions.uses(outside(markers_of(inline, self._dialect), uses)))
        uses.sort(key=lambda use: use.start)
        self._write(inlines, uses, end)
