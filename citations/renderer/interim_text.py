"""The text of the interims of an answer, and what it cites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..channels import InterimMode
from ..markdown import Block, Document, open_fence
from ..markers.citation_stream import NO_WORDS, CitationStream, has_words, report_nothing_cited
from ..markers.half_marker import find_half_marker
from ..markers.marker_reader import DialectReader
from ..markers.positions import Positions
from ..model.answer import Span
from ..model.citation import Citation, CitedAnswer
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from .growing_text import MAX_HELD, GrowingText
from .received_text import ReceivedText
from .renderings import Renderer

_SPAN_TOO_LATE: Final = Problem(
    "citation-too-late",
    "$.spans",
    "a span came after its words were shown where what is shown stays: its sources have no badge there",
)
_NOT_REPLACED: Final = Problem(
    "text-not-replaced",
    "$.text",
    "the provider replaced its text when some of it had been shown, where what is shown stays: both are",
)
_TEXT_KEPT: Final = Problem(
    "text-kept",
    "$.text",
    "the end of the answer would have changed text that was shown and stays: it follows as plain paragraphs",
)
KEPT: Final = frozenset(one.code for one in (_SPAN_TOO_LATE, _NOT_REPLACED, _TEXT_KEPT))
"""The problems of a final that begins with what was shown, although the finished answer reads otherwise."""


class InterimText:
    """Writes the text that is settled.

    Where interims replace each other, the open block is written anew each time. On an append-only channel
    each piece is written as soon as nothing that follows can change how it reads. There an answer that
    spans cite (:attr:`Dialect.NONE`) is written block by block: each of its spans arrives before any text
    behind it.

    ``whole`` has what has arrived. Its references are ``complete`` if no others may arrive. With ``waits``,
    markers wait for others.
    """

    def __init__(
        self,
        renderer: Renderer,
        whole: CitationStream,
        dialect: Dialect | None,
        *,
        waits: bool,
        complete: bool,
    ) -> None:
        self.appends = renderer.channel.interim is InterimMode.APPEND_ONLY
        """Whether what was shown stays."""
        self.by_block = self.appends and dialect is Dialect.NONE
        """Whether spans cite, so that the text grows block by block."""
        self.by_marker = self.appends and not self.by_block
        """Whether what was shown stays, and has badges for markers alone."""
        self._renderer = renderer
        self._whole = whole
        self._dialect = dialect
        self._positions = Positions(dialect, waits=waits and not self.by_block, keeps_text=self.appends)
        self._positions.add(whole.references)
        self._complete = complete
        self._reader = DialectReader(self._positions, dialect)
        self._received = ReceivedText(whole)
        self.outdated = False
        """Whether text that was read already must be read again, by another one of these."""
        self._text = self._begin()
        self._above = ""
        """What stands above the text that grows."""
        self._has_news = True
        """Whether something besides text has arrived since the text was written."""
        self._has_spans = False
        self._source: list[str] = []
        self.body = ""
        """The text that has been shown."""
        self.settled = 0
        """The length of the answer's text that has been shown."""
        self._blocks: list[Block] = []
        """The blocks above the text that grows."""
        self._shown: tuple[str, tuple[Citation, ...]] = ("", ())
        self._cited = CitedAnswer(text="", document=Document())
        """The citations of the last interim, and what they were made of."""
        self._news: tuple[object, ...] = ()
        self._badges: frozenset[int] = frozenset()
        """The positions whose badges are shown."""
        self._late: dict[Problem, None] = {}
        """The problems of what came after its text was shown."""

    def _begin(self, *, plain: bool = False) -> GrowingText:
        there = self._renderer.channel
        if there.writer is None:
            raise AssertionError("the channel streams")
        writer = there.writer(self._renderer.live_hosts)
        if not self.appends:
            writer.cites, writer.keeps_numbers = self._positions.is_certain, False
        return GrowingText(
            self._reader,
            writer,
            appends=self.appends,
            plain=plain,
            may_write=self._may_write if self.by_block else None,
        )

    def advance(self, *, end: bool = False) -> None:
        """Read what has arrived since the last call, and the spans whose words it completes."""
        if text := self._received.take(end=end):
            self._source.append(text)
            self._text.source += text
        spans = self._received.take_spans()
        self._has_spans = self._has_spans or bool(spans)
        for span in spans:
            self._has_news = True
            if not self.by_marker and (span.end > self._text.start or not self._text.written):
                self._text.spans.append(span)
            elif self.appends:
                self._late.setdefault(_SPAN_TOO_LATE)
            else:
                self.outdated = True

    def add_references(self, references: Sequence[Reference], *, waits: bool, complete: bool) -> None:
        """Add references. Where what was shown stays, markers that were read keep their positions."""
        self._complete, self._has_news = complete, True
        if not self.appends:
            self.outdated = True
            return
        if not self.by_block:
            if self._positions.waits and self._source:
                # Markers get their positions from the references before them.
                self._text.interim()
            self._positions.waits = waits
            self._text.read_anew()
        self._positions.add(references)

    def cut(self) -> None:
        """Note that the text so far was cut: a partial marker at its end is left out, if it was not shown."""
        self._received.skip()
        source = self._text.source
        found = find_half_marker(source, self._dialect)
        if found and self._text.start + found[0] >= self.settled:
            self._text.source = source[: found[0]] + source[found[1] :]

    def replace(self) -> None:
        """Go on below what was shown, with the text that was meant to replace it."""
        self._late.setdefault(_NOT_REPLACED)
        self._received = ReceivedText(self._whole)
        self._source.clear()
        self.settled = 0
        self._go_on()

    def interim(self) -> CitedAnswer | None:
        """The citations so far; None if there is nothing new to show."""
        self.advance()
        if not (self._has_news or self._text.may_have_grown()):
            return None
        self._has_news = False
        self._show(self._text.interim())
        cited = self._cite()
        if (self.body, cited.citations) == self._shown:
            return None
        self._shown = self.body, cited.citations
        return cited

    @property
    def held(self) -> int:
        """The characters that have arrived and are not shown."""
        return self._received.cleaned - self.settled

    def _show(self, written: str) -> None:
        """Show what was written, where what was shown stays only if it begins with that."""
        if not self.appends:
            self.body, self.settled = written, self._text.settled
            self._badges = self._text.badges
            return
        body = f"{self._above}{written}".rstrip()
        if body.startswith(self.body):
            self.body = body
            self._badges |= self._text.badges
            self.settled = max(self.settled, self._text.settled)
        elif not self.body.startswith(body) and self._text.settled - self.settled > MAX_HELD:
            self._go_on_plainly()
            self._show(self._text.interim())

    def _go_on(self, *, plain: bool = False) -> None:
        """Write what follows below what was shown."""
        self._above = f"{self.body}{open_fence(self.body)}\n\n"
        self._blocks += self._text.blocks
        self._text = self._begin(plain=plain)

    def _go_on_plainly(self) -> None:
        """Write what follows the shown text in paragraphs of plain words."""
        self._late.setdefault(_TEXT_KEPT)
        spans = [one for one in self._text.spans if one.end > self.settled]
        self._go_on(plain=True)
        self._text.spans = spans
        self._text.start = self.settled
        self._text.source = "".join(self._source)[self.settled :]

    def _may_write(self, spans: Iterable[Span]) -> bool:
        return self._complete or all(self._positions.knows(one) for span in spans for one in span.ids)

    def close(self) -> CitedAnswer:
        """The citations of the complete answer, whose text begins with what was shown."""
        self.advance(end=True)
        body = self._above + self._text.close()
        if not body.startswith(self.body):
            self._go_on_plainly()
            body = (self._above + self._text.close()).rstrip()
        self.body = body
        self._badges |= self._text.badges
        self._positions.settle()
        text = self._whole.text
        uncited = report_nothing_cited(text, self._whole.references, self._positions)
        document = Document((*self._blocks, *self._text.blocks))
        if self._has_spans and not has_words(document):
            self._late.setdefault(NO_WORDS)
        cited = self._cite()
        return replace(cited, text=text, document=document, problems=(*cited.problems, *uncited))

    def _cite(self) -> CitedAnswer:
        """The citations whose badges are shown: the same object until something has changed."""
        citations = self._positions.citations() if self.appends else self._positions.certain()
        news = (
            tuple(one for one in citations if one.position in self._badges),
            self._whole.references,
            self._whole.origin,
            (*self._positions.problems, *self._late) if self.appends else (),
        )
        if news != self._news:
            self._news, (shown, references, origin, problems) = news, news
            self._cited = CitedAnswer(
                text="",
                document=Document(),
                citations=shown,
                references=references,
                origin=origin,
                problems=problems,
            )
        return self._cited
