"""The text of the interims of an answer, and what it cites: in the three ways in which a channel streams."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..markdown import Block, Document, MarkdownWriter, open_fence
from ..markers.citation_stream import NO_WORDS, CitationStream, has_words, report_nothing_cited
from ..markers.half_marker import find_half_marker
from ..markers.marker_reader import DialectReader
from ..markers.positions import Positions
from ..model.answer import Dialect, Span
from ..model.citation import Citation, CitedAnswer
from ..model.errors import Problem
from ..model.reference import Reference
from ..renderer.renderings import Renderer
from .growing_text import MAX_HELD, GrowingText
from .received_text import ReceivedText

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


class SilentText:
    """Shows nothing before the end: the channel does not stream, or a badge would come behind its text."""

    held = 0

    def advance(self) -> None:
        """Read nothing: the finished answer is read whole."""


class InterimText(ABC):
    """Writes the text that is settled. What becomes of it then, its two kinds say.

    ``whole`` has what has arrived. With ``waits``, markers wait for other references.
    """

    def __init__(
        self,
        renderer: Renderer,
        whole: CitationStream,
        dialect: Dialect | None,
        *,
        waits: bool,
        keeps_text: bool,
    ) -> None:
        self._renderer = renderer
        self._whole = whole
        self._dialect = dialect
        self._positions = Positions(dialect, waits=waits, keeps_text=keeps_text)
        self._positions.add(whole.references)
        self._reader = DialectReader(self._positions, dialect)
        self._received = ReceivedText(whole)
        self._text = self._begin()
        self._has_news = True
        """Whether something besides text has arrived since the text was written."""
        self.body = ""
        """The text that has been shown."""
        self.settled = 0
        """The length of the answer's text that has been shown."""
        self._badges: frozenset[int] = frozenset()
        """The positions whose badges are shown."""
        self._shown: tuple[str, tuple[Citation, ...]] = ("", ())
        self._cited = CitedAnswer(text="", document=Document())
        """The citations of the last interim, and what they were made of."""
        self._news: tuple[object, ...] = ()

    @abstractmethod
    def _begin(self) -> GrowingText:
        """The text that grows."""

    def _writer(self) -> MarkdownWriter:
        there = self._renderer.channel
        if there.writer is None:
            raise AssertionError("the channel streams")
        return there.writer(self._renderer.live_hosts)

    def advance(self, *, end: bool = False) -> None:
        """Read what has arrived since the last call, and the spans whose words it completes."""
        self._text.source += self._received.take(end=end)
        for span in self._received.take_spans():
            self._has_news = True
            self._add_span(span)

    @abstractmethod
    def _add_span(self, span: Span) -> None:
        """Take a span whose words have arrived."""

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

    @abstractmethod
    def _show(self, written: str) -> None:
        """Show what was written."""

    @property
    def held(self) -> int:
        """The characters that have arrived and are not shown."""
        return self._received.cleaned - self.settled

    @abstractmethod
    def _found(self) -> tuple[Iterable[Citation], tuple[Problem, ...]]:
        """The citations so far, and what is left out of them."""

    def _cite(self) -> CitedAnswer:
        """The citations whose badges are shown: the same object until something has changed."""
        citations, problems = self._found()
        shown = tuple(one for one in citations if one.position in self._badges)
        news = (shown, self._whole.references, self._whole.origin, problems)
        if news != self._news:
            self._news = news
            self._cited = CitedAnswer(
                text="",
                document=Document(),
                citations=shown,
                references=self._whole.references,
                origin=self._whole.origin,
                problems=problems,
            )
        return self._cited


class ReplacingText(InterimText):
    """Each interim replaces the one before it: the open block is written anew each time."""

    def __init__(
        self, renderer: Renderer, whole: CitationStream, dialect: Dialect | None, *, waits: bool
    ) -> None:
        super().__init__(renderer, whole, dialect, waits=waits, keeps_text=False)
        self.outdated = False
        """Whether text that was read has other badges now, and must be read again by another one of these."""

    def _begin(self) -> GrowingText:
        writer = self._writer()
        # A badge whose source may never come would have another number in the final.
        writer.cites, writer.keeps_numbers = self._positions.is_certain, False
        return GrowingText(self._reader, writer, appends=False)

    def _add_span(self, span: Span) -> None:
        if span.end > self._text.start or not self._text.written:
            self._text.spans.append(span)
        else:
            self.outdated = True

    def _show(self, written: str) -> None:
        self.body, self.settled, self._badges = written, self._text.settled, self._text.badges

    def _found(self) -> tuple[Iterable[Citation], tuple[Problem, ...]]:
        return self._positions.certain(), ()


class AppendingText(InterimText):
    """What was shown stays: each piece is written as soon as nothing that follows can change how it reads.

    An answer that spans cite (:attr:`Dialect.NONE`) is written block by block: each of its spans arrives
    before any text behind it. Its references are ``complete`` if no others may arrive.
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
        self.by_block = dialect is Dialect.NONE
        """Whether spans cite, so that the text grows block by block; else markers alone have badges."""
        self._complete = complete
        self._above = ""
        """What stands above the text that grows."""
        self._blocks: list[Block] = []
        """The blocks above the text that grows."""
        self._source: list[str] = []
        """What has arrived since the text was replaced, or all of it."""
        self._has_spans = False
        self._late: dict[Problem, None] = {}
        """The problems of what came after its text was shown."""
        super().__init__(renderer, whole, dialect, waits=waits and not self.by_block, keeps_text=True)

    def _begin(self, *, plain: bool = False) -> GrowingText:
        may_write = self._may_write if self.by_block else None
        return GrowingText(self._reader, self._writer(), appends=True, plain=plain, may_write=may_write)

    def _may_write(self, spans: Iterable[Span]) -> bool:
        return self._complete or all(self._positions.knows(one) for span in spans for one in span.ids)

    def advance(self, *, end: bool = False) -> None:
        """Read what has arrived since the last call, and the spans whose words it completes."""
        before = len(self._text.source)
        super().advance(end=end)
        self._source.append(self._text.source[before:])

    def _add_span(self, span: Span) -> None:
        self._has_spans = True
        if self.by_block and (span.end > self._text.start or not self._text.written):
            self._text.spans.append(span)
        else:
            self._late.setdefault(_SPAN_TOO_LATE)

    def add_references(self, references: Sequence[Reference], *, waits: bool, complete: bool) -> None:
        """Add references. Markers that were read keep their positions."""
        self._complete, self._has_news = complete, True
        if not self.by_block:
            if self._positions.waits and any(self._source):
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

    def _show(self, written: str) -> None:
        """Show what was written, if it begins with what was shown."""
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

    def close(self, *, complete: bool) -> CitedAnswer:
        """The citations of the answer, whose text begins with what was shown.

        ``complete`` says whether all references have arrived.
        """
        self.advance(end=True)
        body = self._above + self._text.close()
        if not body.startswith(self.body):
            self._go_on_plainly()
            body = (self._above + self._text.close()).rstrip()
        self.body = body
        self._badges |= self._text.badges
        self._positions.settle()
        whole = self._whole
        text = whole.text
        uncited = report_nothing_cited(text, whole.references, self._positions)
        document = Document((*self._blocks, *self._text.blocks))
        if self._has_spans and not has_words(document):
            self._late.setdefault(NO_WORDS)
        cited = self._cite()
        return replace(
            cited,
            text=text,
            document=document,
            query=whole.query,
            complete=complete,
            problems=(*whole.cut_problems, *whole.reported_problems, *cited.problems, *uncited),
            kind=whole.kind,
        )

    def _found(self) -> tuple[Iterable[Citation], tuple[Problem, ...]]:
        return self._positions.citations(), (*self._positions.problems, *self._late)
