"""What both ways of writing a text that only grows at its end have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..channels.teams.text import TeamsText
from ..markdown import Inline, LayoutReader, read_layout
from ..markers.citation_stream import NESTED, report_nothing_cited
from ..markers.positions import Positions
from ..model.answer import Origin
from ..model.citation import Citation, CitedAnswer, Use
from ..model.errors import Problem
from ..model.link_definition import LinkDefinition
from ..model.reference import Reference


class AppendOnlyText(ABC):
    """The text that has been written so far, and its citations. Each piece is written once.

    ``settled`` is the length of the answer's text that has been written.
    """

    def __init__(self, positions: Positions) -> None:
        self.origin = Origin()
        self.settled = 0
        self._positions = positions
        self._reader = LayoutReader()
        self._references: list[Reference] = []
        self._source: list[str] = []
        self._tail: list[str] = []
        """The text behind the settled part."""
        self._written: list[str] = []
        self._uses: list[Use] = []
        self._late: dict[Problem, None] = {}
        """The problems of what came after its text was shown."""
        self._text = TeamsText()
        self._inlines = self._raws = self._marks = 0
        """How many of the reader's inline texts, raw texts and marks have been written."""
        self._shown: tuple[int, tuple[Citation, ...]] = (0, ())

    def add_text(self, text: str) -> None:
        """Take the next piece of the answer's text."""
        self._source.append(text)
        self._tail.append(text)
        self._reader.feed(text)

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:  # noqa: ARG002
        """Add references. ``complete`` says whether no others are expected."""
        self._positions.add(references)
        self._references.extend(references)

    @abstractmethod
    def _settle(self) -> None:
        """Write all text that cannot change any more."""

    @abstractmethod
    def _write_rest(self, end: int) -> None:
        """Write the rest of the complete answer, which has ``end`` characters."""

    def interim(self) -> CitedAnswer | None:
        """The citations so far; None if there is nothing new to show."""
        self._settle()
        shown = self.settled, self._positions.citations()
        if shown == self._shown:
            return None
        self._shown = shown
        return self._cite("")

    def write(self, cited: CitedAnswer, definitions: tuple[LinkDefinition, ...]) -> str:  # noqa: ARG002
        """The text that may be shown now."""
        self._written = ["".join(self._written)]
        return self._written[0]

    def close(self) -> CitedAnswer:
        """The citations of the complete answer."""
        text = "".join(self._source)
        layout = self._reader.close(text)
        self._write_rest(len(text))
        cited = self._cite(text)
        nested = () if layout.complete else (NESTED,)
        uncited = report_nothing_cited(text, self._references, self._positions)
        return replace(cited, layout=layout, problems=(*nested, *cited.problems, *uncited))

    def _write(self, inlines: Sequence[Inline], uses: Sequence[Use], end: int) -> None:
        """Write the text up to ``end`` of the answer, which has these texts and citations."""
        raws = self._reader.shown[self._raws :]
        raws = raws[: bisect_right(raws, end, key=lambda raw: raw[1])]
        marks = self._reader.marks[self._marks :]
        marks = marks[: bisect_right(marks, end, key=lambda mark: mark.end)]
        if end == self.settled and not marks:
            return
        tail = "".join(self._tail)
        text, self._tail = tail[: end - self.settled], [tail[end - self.settled :]]
        self._written.append(self._text.write(text, inlines, raws, marks, uses))
        self._uses.extend(uses)
        self._inlines += len(inlines)
        self._raws += len(raws)
        self._marks += len(marks)
        self.settled = end

    def _cite(self, text: str) -> CitedAnswer:
        return CitedAnswer(
            text=text,
            layout=_NO_LAYOUT,
            uses=tuple(self._uses),
            citations=self._positions.citations(),
            references=tuple(self._references),
            origin=self.origin,
            problems=(*self._positions.problems, *self._late),
        )


_NO_LAYOUT: Final = read_layout("")
