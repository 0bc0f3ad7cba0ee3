"""Markers, spans and references become citations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..markdown import clean_offsets, clean_text, read_layout
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
from ..model.citation import CitedAnswer, Use
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from .finder import find_markers
from .half_marker import ends_text, find_half_marker, outside
from .positions import Positions
from .span_finder import find_spans, lies_in, merge, report_spans, report_wordless

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
        self.halves: dict[Use, None] = {}
        """The partial markers where the text was cut."""
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
                self.halves.clear()
                self._spans.clear()
            case SpanFound(start, end, ids, replaces):
                self._spans.append(Span(start, end, ids, replaces))
            case TextCut(cut):
                self._cut = cut or self._cut
                if half := find_half_marker(read_layout(self.text), self._dialect):
                    self.halves[half] = None
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

    @property
    def whole_text(self) -> str:
        """The text so far as it arrived, without a partial marker at its end."""
        text = self.text
        last = next(reversed(self.halves), None)
        if last is None or not ends_text(text, last):
            return self.received
        return text[: last.start] + text[last.end :]

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
        place = clean_offsets(written)
        return [
            Span(place(span.start), place(span.end), span.ids, span.replaces)
            for span in self._spans
            if lies_in(span, written)
        ]

    @property
    def text(self) -> str:
        """The text so far, in the form in which it is read."""
        return clean_text(self.received)

    def close(self, *, complete: bool = True) -> CitedAnswer:
        """End the answer and settle every marker. ``complete`` says whether all references have arrived."""
        problems = []
        text = self.text
        layout = read_layout(text)
        if not layout.complete:
            problems.append(NESTED)
        positions = Positions()
        positions.add(self._references)
        markers = outside(find_markers(layout, self._dialect), self.halves)
        if self._spans:
            markers = merge((*markers, *find_spans(layout.inlines, self._cleaned_spans())))
        uses = positions.uses(markers)
        return CitedAnswer(
            text=text,
            layout=layout,
            uses=tuple(sorted((*uses, *self.halves), key=lambda use: use.start)),
            citations=positions.citations(),
            references=self.references,
            origin=self.origin,
            query=self.query,
            problems=(
                *self.cut_problems,
                *problems,
                *self.reported_problems,
                *report_wordless(layout.inlines, self._spans),
                *positions.problems,
                *report_nothing_cited(text, self._references, positions),
            ),
            complete=complete,
            kind=self.kind,
        )


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
