"""What both ways of writing a text that only grows at its end have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..channels.teams.text import TeamsText
from ..markdown import Layout, LayoutReader, read_layout
from ..markers.citation_stream import NESTED, report_nothing_cited
from ..markers.positions import Positions
from ..model.answer import Origin
from ..model.citation import Citation, CitedAnswer, Use
from ..model.errors import Problem
from ..model.link_definition import LinkDefinition
from ..model.reference import Reference


class AppendOnlyText(ABC):
    """The text that has been written so far, and its citations.

    ``settled`` is the length of the answer's text that has been written.
    """

    def __init__(self, positions: Positions) -> None:
        self.origin = Origin()
        self.settled = 0
        self._positions = positions
        self._reader = LayoutReader()
        self._references: list[Reference] = []
        self._source: list[str] = []
        self._written: list[str] = []
        self._uses: list[Use] = []
        self._late: dict[Problem, None] = {}
        """The problems of what came after its text was shown."""
        self._text = TeamsText()
        self._inlines = self._raws = self._marks = 0
        """How many of the reader's inline texts, raw texts and marks have been written."""
        self._shown: tuple[int, tuple[Citation, ...]] = (0, ())

    @abstractmethod
    def add_text(self, text: str) -> None:
        """Take the next piece of the answer's text."""

    @abstractmethod
    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. ``complete`` says whether no others are expected."""

    @abstractmethod
    def close(self) -> CitedAnswer:
        """The citations of the complete answer."""

    @abstractmethod
    def _settle(self) -> None:
        """Write all text that cannot change any more."""

    def interim(self) -> CitedAnswer | None:
        """The citations so far; None if there is nothing new to show."""
        self._settle()
        shown = self.settled, self._positions.citations()
        if shown == self._shown:
            return None
        self._shown = shown
        return self._cite_part("", _NO_LAYOUT)

    def write(self, cited: CitedAnswer, definitions: tuple[LinkDefinition, ...]) -> str:  # noqa: ARG002
        """The text that may be shown now."""
        self._written = ["".join(self._written)]
        return self._written[0]

    def _cite_whole(self, text: str, layout: Layout) -> CitedAnswer:
        cited = self._cite_part(text, layout)
        uncited = report_nothing_cited(text, self._references, self._positions)
        return replace(cited, problems=(*cited.problems, *uncited))

    def _cite_part(self, text: str, layout: Layout) -> CitedAnswer:
        return CitedAnswer(
            text=text,
            layout=layout,
            uses=tuple(self._uses),
            citations=self._positions.citations(),
            references=tuple(self._references),
            origin=self.origin,
            problems=(*(() if layout.complete else (NESTED,)), *self._positions.problems, *self._late),
        )


_NO_LAYOUT: Final = read_layout("")
