"""The text of a stream whose interims replace each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..channels import Channel
from ..markdown import Document
from ..markers.marker_reader import DialectReader
from ..markers.positions import Positions
from ..model.answer import Origin, Span
from ..model.citation import CitedAnswer
from ..model.dialect import Dialect
from ..model.reference import Reference
from .growing_text import GrowingText
from .shown_badges import ShownBadges


class ReplacingStream:
    """Writes all of the text that is settled, each time anew."""

    def __init__(self, channel: Channel, dialect: Dialect | None, live_hosts: frozenset[str]) -> None:
        self.origin = Origin()
        self._channel = channel
        self._dialect = dialect
        self._live_hosts = live_hosts
        self._references: list[Reference] = []
        self._spans: list[Span] = []
        self._pieces: list[str] = []
        """All of the text."""
        self._waits = True
        """Whether further references may arrive."""
        self._outdated = False
        """Whether text that was read already must be read again."""
        self._positions, self._text = self._begin()
        self.body = ""
        """The text that the last interim showed."""

    def _begin(self) -> tuple[Positions, GrowingText]:
        if self._channel.writer is None:
            raise AssertionError("the channel streams")
        self._badges = ShownBadges()
        positions = Positions(self._dialect, waits=self._waits)
        positions.add(self._references)
        writer = self._channel.writer(self._live_hosts)
        writer.cites, writer.keeps_numbers = positions.is_certain, False
        return positions, GrowingText(DialectReader(positions, self._dialect), writer, appends=False)

    @property
    def settled(self) -> int:
        """The length of the text that the last interim showed."""
        return self._text.settled

    def add_text(self, text: str) -> None:
        """Take the next piece of the answer's text."""
        self._pieces.append(text)
        self._text.source += text

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. If they are ``complete``, or come before the text, no others are expected."""
        self._waits = bool(self._pieces) and not complete
        self._references.extend(references)
        self._outdated = True

    def add_spans(self, spans: Iterable[Span]) -> None:
        """Add spans of the text so far. Their badges come with the next interim."""
        for span in spans:
            self._spans.append(span)
            # A badge behind words that are complete, or in front of the others.
            self._outdated = self._outdated or span.end <= self._text.settled

    def interim(self) -> CitedAnswer | None:
        """The citations so far; None if there is nothing new to show."""
        if self._outdated:
            self._outdated = False
            self._positions, self._text = self._begin()
            self._text.source = "".join(self._pieces)
        elif not self._text.may_have_grown():
            return None
        start = self._text.start
        behind = (one for one in self._spans if one.end > start or not start)
        spans = [replace(one, start=one.start - start, end=one.end - start) for one in behind]
        self.body = self._text.interim(spans)
        written = self._text.written
        return CitedAnswer(
            text="",
            document=Document(),
            citations=self._badges.choose(self._positions.certain(), written, self.body[len(written) :]),
            references=tuple(self._references),
            origin=self.origin,
        )
