"""The text of a stream that only grows at its end: what was shown stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from ..channels import Channel
from ..markdown import Block, Document, open_fence
from ..markers.citation_stream import has_words, report_nothing_cited
from ..markers.half_marker import find_half_marker
from ..markers.marker_reader import DialectReader
from ..markers.positions import Positions
from ..markers.spans import NO_WORDS, order_of_spans
from ..model.answer import Origin, Span
from ..model.citation import Citation, CitedAnswer
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from .growing_text import MAX_HELD, GrowingText
from .shown_badges import ShownBadges

SPAN_TOO_LATE: Final = Problem(
    "citation-too-late",
    "$.spans",
    "a span came after its words were shown where what is shown stays: its sources have no badge there",
)
TEXT_KEPT: Final = Problem(
    "text-kept",
    "$.text",
    "the end of the answer would have changed text that was shown and stays: it follows as plain paragraphs",
)


class AppendOnlyStream:
    """Writes each piece as soon as nothing that follows can change how it reads.

    An answer that spans cite (:attr:`Dialect.NONE`) is written block by block: each of its spans arrives
    before any text behind it.
    """

    def __init__(self, channel: Channel, dialect: Dialect | None, live_hosts: frozenset[str]) -> None:
        self.origin = Origin()
        if channel.writer is None:
            raise AssertionError("the channel streams")
        self.by_block = dialect is Dialect.NONE
        """Whether spans cite, so that the text grows block by block."""
        self._dialect = dialect
        self._positions = Positions(dialect, waits=not self.by_block, keeps_text=True)
        self._reader = DialectReader(self._positions, dialect)
        self._new_writer = partial(channel.writer, live_hosts)
        self._text = GrowingText(self._reader, self._new_writer(), appends=True)
        self._above = ""
        """What stands above the text that grows."""
        self._references: list[Reference] = []
        self._complete = False
        """Whether all references have arrived."""
        self._spans: list[Span] = []
        """The spans without badges yet."""
        self._has_spans = False
        self._source: list[str] = []
        self.body = ""
        """The text that has been shown."""
        self._written = ""
        """The text that grows, as it was last written."""
        self._shown_to = 0
        """The length of the answer's text that has been shown."""
        self._blocks: list[Block] = []
        """The blocks above the text that grows."""
        self._shown: tuple[str, tuple[Citation, ...]] = ("", ())
        self._badges = ShownBadges()
        self._late: dict[Problem, None] = {}
        """The problems of what came after its text was shown."""

    @property
    def settled(self) -> int:
        """The length of the text that has been shown."""
        return self._shown_to

    def add_text(self, text: str) -> None:
        """Take the next piece of the answer's text."""
        self._source.append(text)
        self._text.source += text

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. If they are ``complete``, or come before the text, no others are expected."""
        self._complete = complete
        if not self.by_block:
            if self._positions.waits and self._source:
                # Markers get their positions from the references before them.
                self._written = self._text.interim()
            self._positions.waits = bool(self._source) and not complete
        self._positions.add(references)
        self._references.extend(references)

    def add_spans(self, spans: Iterable[Span]) -> None:
        """Add spans of the text so far."""
        for span in spans:
            self._has_spans = True
            if span.end > self._text.start or not self._text.written:
                self._spans.append(span)
            else:
                self._late.setdefault(SPAN_TOO_LATE)

    def cut(self) -> None:
        """Note that the text so far was cut: a partial marker at its end is left out, if it was not shown."""
        source = self._text.source
        found = find_half_marker(source, self._dialect)
        if found and self._text.start + found[0] >= self._shown_to:
            self._text.source = source[: found[0]] + source[found[1] :]

    def interim(self) -> CitedAnswer | None:
        """The citations so far; None if there is nothing new to show."""
        if self.by_block:
            self._send(self._text.complete_blocks(self._own_spans(), self._may_write))
        else:
            if self._text.may_have_grown():
                self._written = self._text.interim()
            self._send(self._written)
        cited = self._cite()
        if (self.body, cited.citations) == self._shown:
            return None
        self._shown = self.body, cited.citations
        return cited

    def _send(self, written: str) -> None:
        """Show what was written, if it begins with what was shown."""
        body = f"{self._above}{written}".rstrip()
        if body.startswith(self.body):
            self.body = body
            self._shown_to = max(self._shown_to, self._text.settled)
        elif not self.body.startswith(body) and self._text.settled - self._shown_to > MAX_HELD:
            self._go_on_plainly()
            self._written = self._text.interim()
            self._send(self._written)

    def _go_on_plainly(self) -> None:
        """Write what follows the shown text in paragraphs of plain words."""
        self._late.setdefault(TEXT_KEPT)
        self._above = f"{self.body}{open_fence(self.body)}\n\n"
        self._blocks += self._text.blocks
        self._text = GrowingText(self._reader, self._new_writer(), appends=True, plain=True)
        self._text.start = self._shown_to
        self._text.source = "".join(self._source)[self._shown_to :]

    def _own_spans(self) -> list[Span]:
        start = self._text.start
        self._spans.sort(key=order_of_spans)
        del self._spans[: self._text.placed]
        self._text.placed = 0
        return [replace(one, start=one.start - start, end=one.end - start) for one in self._spans]

    def _may_write(self, spans: Sequence[Span]) -> bool:
        return self._complete or all(self._positions.knows(one) for span in spans for one in span.ids)

    def close(self) -> CitedAnswer:
        """The citations of the complete answer, whose text begins with what was shown."""
        text = "".join(self._source)
        body = self._above + self._text.close(self._own_spans())
        if not body.startswith(self.body):
            self._go_on_plainly()
            body = (self._above + self._text.close(())).rstrip()
        self.body = body
        self._positions.settle()
        uncited = report_nothing_cited(text, self._references, self._positions)
        document = Document((*self._blocks, *self._text.blocks))
        if self._has_spans and not has_words(document):
            self._late.setdefault(NO_WORDS)
        cited = self._cite()
        return replace(cited, text=text, document=document, problems=(*cited.problems, *uncited))

    def _cite(self) -> CitedAnswer:
        return CitedAnswer(
            text="",
            document=Document(),
            citations=self._badges.choose(self._positions.citations(), self.body),
            references=tuple(self._references),
            origin=self.origin,
            problems=(*self._positions.problems, *self._late),
        )
