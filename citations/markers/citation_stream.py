"""Markers, spans and references become citations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..markdown import Document, clean_offsets, clean_text
from ..model.answer import (
    Answer,
    AnswerEvent,
    AnswerKind,
    Cut,
    DialectKnown,
    KindKnown,
    Origin,
    OriginKnown,
    ProblemFound,
    QueryKnown,
    ReferencesFound,
    SourceCode,
    Span,
    SpanFound,
    TextCut,
    TextDelta,
    TextReplaced,
)
from ..model.citation import CitedAnswer
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from .marker_reader import DialectReader
from .positions import Positions
from .spans import NO_WORDS, lies_in, report_spans

NESTED: Final = Problem(
    "too-deep", "$.text", "quotes and lists are nested too deeply: they are shown as they were typed"
)

_NOTHING_CITED: Final = Problem(
    "nothing-cited", "$.text", "no marker names a reference: the reader is shown none of them"
)


class CitationStream:
    """An answer as it arrives: feed it events and close it to get the cited answer.

    A finished answer is a stream that is fed once and closed, so that both cannot differ.
    """

    def __init__(self, dialect: Dialect | None = None) -> None:
        self._dialect = dialect
        self._text: list[str] = []
        self._references: list[Reference] = []
        self.origin = Origin()
        self.query: SourceCode | None = None
        """The query that the answer is based on, if it is known."""
        self.kind: AnswerKind | None = None
        """How far the answer answers its question, if it is known."""
        self._halves: list[tuple[int, int]] = []
        """The partial markers where the text was cut, by their offsets in the cleaned text."""
        self._spans: list[Span] = []
        self._reported: list[Problem] = []
        """What the reader of the answer reported."""
        self._cut: Cut | None = None

    def feed(self, event: AnswerEvent) -> None:
        """Take the next event. References may come before, during or after the text."""
        match event:
            case TextDelta(text):
                self._text.append(text)
            case TextReplaced(text):
                self._text = [text]
                self._halves.clear()
                self._spans.clear()
            case SpanFound(start, end, ids, replaces):
                self._spans.append(Span(start, end, ids, replaces))
            case TextCut(cut):
                self._cut = cut or self._cut
                self._leave_out_half()
            case ReferencesFound(references):
                self._references.extend(references)
            case _:
                self._note(event)

    def _note(self, event: AnswerEvent) -> None:
        """Note what an event says about the whole answer."""
        match event:
            case DialectKnown(dialect):
                self._dialect = dialect
            case OriginKnown(origin):
                self.origin = origin
            case QueryKnown(query):
                self.query = query
            case KindKnown(kind):
                self.kind = kind
            case ProblemFound(problem):
                self._reported.append(problem)

    def _leave_out_half(self) -> None:
        from .half_marker import find_half_marker  # noqa: PLC0415 - few answers are cut

        text = self.text
        if found := find_half_marker(text, self._dialect):
            start, end = (self._with_halves(place) for place in found)
            self._halves.append((start, end))

    def _with_halves(self, offset: int) -> int:
        """The offset in the cleaned text of an offset in :attr:`text`."""
        for start, end in self._halves:
            offset += end - start if start <= offset else 0
        return offset

    @property
    def whole_text(self) -> str:
        """The text so far as it arrived, without a partial marker at its end."""
        return self.text if self._halves else self.received

    @property
    def received(self) -> str:
        """The text so far as it arrived."""
        return "".join(self._text)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans so far."""
        return tuple(self._spans)

    @property
    def references(self) -> tuple[Reference, ...]:
        """The references so far."""
        return tuple(self._references)

    @property
    def cut_problems(self) -> tuple[Problem, ...]:
        """The problems of an answer that was cut."""
        return (self._cut.problem,) if self._cut else ()

    @property
    def reported_problems(self) -> tuple[Problem, ...]:
        """What the reader of the answer left out, and the faults of its spans."""
        return (*self._reported, *report_spans(self._spans, self.received, self._references))

    def _cleaned_spans(self) -> list[Span]:
        """The spans that lie in the answer, with their offsets in its cleaned form."""
        written = self.received
        clean = clean_offsets(written)

        def place(offset: int) -> int:
            cleaned = clean(offset)
            return cleaned - sum(min(end, cleaned) - start for start, end in self._halves if start < cleaned)

        return [
            Span(place(span.start), place(span.end), span.ids, span.replaces)
            for span in self._spans
            if lies_in(span, written)
        ]

    @property
    def text(self) -> str:
        """The text so far, in the form in which it is read."""
        text = clean_text(self.received)
        for start, end in reversed(self._halves):
            text = text[:start] + text[end:]
        return text

    def close(self, *, complete: bool = True) -> CitedAnswer:
        """End the answer and settle every marker. ``complete`` says whether all references have arrived."""
        text = self.text
        positions = Positions()
        positions.add(self._references)
        reader = DialectReader(positions, self._dialect)
        document = reader.read(text, self._cleaned_spans() if self._spans else ())
        return CitedAnswer(
            text=text,
            document=document,
            citations=positions.citations(),
            references=self.references,
            origin=self.origin,
            query=self.query,
            problems=(
                *self.cut_problems,
                *(() if document.complete else (NESTED,)),
                *self.reported_problems,
                *(() if not self._spans or has_words(document) else (NO_WORDS,)),
                *positions.problems,
                *report_nothing_cited(text, self._references, positions),
            ),
            complete=complete,
            kind=self.kind,
        )


def has_words(document: Document) -> bool:
    """Whether a badge of a span can stand in ``document``: it has words outside code and HTML."""
    return any(document.inlines())


def cite(answer: Answer) -> CitedAnswer:
    """Turn the markers and spans of a finished answer into citations.

    Positions are ``1..n`` in order of first use, one for each distinct source. References with the same
    id or URL share one. ``problems`` report what is left out, and what is missing of a truncated answer.
    """
    stream = CitationStream(answer.dialect)
    stream.feed(ReferencesFound(answer.references))
    stream.feed(OriginKnown(answer.origin))
    for problem in answer.problems:
        stream.feed(ProblemFound(problem))
    for span in answer.spans:
        stream.feed(SpanFound(span.start, span.end, span.ids, span.replaces))
    if answer.query:
        stream.feed(QueryKnown(answer.query))
    if answer.kind:
        stream.feed(KindKnown(answer.kind))
    stream.feed(TextDelta(answer.text))
    if answer.cut:
        stream.feed(TextCut(answer.cut))
    return stream.close()


def report_nothing_cited(
    text: str, references: Sequence[Reference], positions: Positions
) -> Iterator[Problem]:
    """The problem of a text that cites none of its references."""
    if references and text.strip() and not positions.citations():
        yield _NOTHING_CITED
