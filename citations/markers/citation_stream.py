"""Markers, spans and references become citations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..markdown import Document, clean_offsets, clean_text
from ..model.answer import Answer, AnswerKind, Cut, Dialect, Origin, SourceCode, Span
from ..model.answer_event import (
    AnswerEvent,
    DialectKnown,
    KindKnown,
    OriginKnown,
    ProblemFound,
    QueryKnown,
    ReferencesFound,
    SpanFound,
    TextCut,
    TextDelta,
    TextReplaced,
)
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.reference import Reference
from ..model.typed import expect
from .marker_reader import DialectReader
from .positions import Positions
from .source_identity import spellings_of

NESTED: Final = Problem(
    "too-deep", "$.text", "quotes and lists are nested too deeply: they are shown as they were typed"
)

_NO_TEXT: Final = "\0"
_NOTHING_CITED: Final = Problem(
    "nothing-cited", "$.text", "no marker names a reference: the reader is shown none of them"
)


NO_WORDS: Final = Problem(
    "citation-not-placed",
    "$.spans",
    "the text has no words outside code and HTML, so that no badge can stand there",
)


class CitationStream:
    """An answer as it arrives: feed it events and close it to get the cited answer.

    A finished answer is a stream that is fed once and closed, so that both cannot differ.
    """

    def __init__(self, dialect: Dialect | None = None) -> None:
        self._dialect = dialect
        self.pieces: list[str] = []
        """The text so far as it arrived."""
        self._references: list[Reference] = []
        self.origin = Origin()
        self.query: SourceCode | None = None
        """The query that the answer is based on, if it is known."""
        self.kind: AnswerKind | None = None
        """How far the answer answers its question, if it is known."""
        self.spans: list[Span] = []
        """The spans so far."""
        self._reported: list[Problem] = []
        """What the reader of the answer reported."""
        self._cut: Cut | None = None

    def feed(self, event: AnswerEvent) -> None:
        """Take the next event. References may come before, during or after the text."""
        match event:
            case TextDelta(text):
                self.pieces.append(text)
            case TextReplaced(text):
                self.pieces = [text]
                self.spans.clear()
            case SpanFound(start, end, ids, replaces):
                self.spans.append(Span(start, end, ids, replaces))
            case TextCut(cut):
                self._cut = cut or self._cut
                self._leave_out_half()
            case ReferencesFound(references):
                self._references.extend(references)
            case _:
                self._note(event)

    def _note(self, event: AnswerEvent) -> None:
        """Note what an event says about the whole answer. Raises ``TypeError`` for what is no event."""
        expect(event, AnswerEvent, "feed takes an event, such as TextDelta(text)")
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
        """Put controls, which are no text, in place of a partial marker at the end: offsets stay."""
        from .half_marker import find_half_marker  # noqa: PLC0415 - few answers are cut

        text = self.received
        clean = clean_offsets(text)
        if found := find_half_marker(clean_text(text), self._dialect):
            start, end = (bisect_left(range(len(text)), place, key=clean) for place in found)
            self.pieces = [text[:start], _NO_TEXT * (end - start), text[end:]]

    @property
    def whole_text(self) -> str:
        """The text so far as it arrived, without a partial marker at its end."""
        return self.received.replace(_NO_TEXT, "")

    @property
    def received(self) -> str:
        """The text so far as it arrived, with controls in place of a partial marker where it was cut."""
        return "".join(self.pieces)

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
        return (*self._reported, *_report_spans(self.spans, self.received, self._references))

    def _cleaned_spans(self) -> list[Span]:
        """The spans that lie in the answer, with their offsets in its cleaned form."""
        written = self.received
        clean = clean_offsets(written)
        return [
            Span(clean(span.start), clean(span.end), span.ids, span.replaces)
            for span in self.spans
            if _lies_in(span, written)
        ]

    @property
    def text(self) -> str:
        """The text so far, in the form in which it is read."""
        return clean_text(self.received)

    def close(self, *, complete: bool = True) -> CitedAnswer:
        """End the answer and settle every marker. ``complete`` says whether all references have arrived."""
        text = self.text
        positions = Positions()
        positions.add(self._references)
        reader = DialectReader(positions, self._dialect)
        document = reader.read(text, self._cleaned_spans() if self.spans else ())
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
                *(() if not self.spans or has_words(document) else (NO_WORDS,)),
                *positions.problems,
                *report_nothing_cited(text, self._references, positions),
            ),
            complete=complete,
            kind=self.kind,
        )


def has_words(document: Document) -> bool:
    """Whether a badge of a span can stand in ``document``: it has words outside code and HTML."""
    return any(document.inlines())


def _lies_in(span: Span, text: str) -> bool:
    """Whether the offsets of ``span`` are a place in ``text``."""
    return 0 <= span.start <= span.end <= len(text)


def _report_spans(spans: Sequence[Span], text: str, references: Iterable[Reference]) -> Iterator[Problem]:
    """The faults of ``spans``: offsets that are no place in ``text``, and ids that no reference has."""
    known = {spelling for one in references for spelling in spellings_of(one)} if spans else frozenset()
    for number, span in enumerate(spans):
        path = f"$.spans[{number}]"
        if not _lies_in(span, text):
            place = f"{span.start} to {span.end} is no place in the {len(text)} characters of the text"
            yield Problem("citation-not-placed", path, f"{place}: its sources have no badge there")
        for index, identifier in enumerate(span.ids):
            if identifier not in known:
                message = f"no reference has the id {identifier!r}: it has no badge"
                yield Problem("unknown-reference", f"{path}.ids[{index}]", message)


def cite(answer: Answer) -> CitedAnswer:
    """Turn the markers and spans of a finished answer into citations.

    Positions are ``1..n`` in order of first use, one for each distinct source. References with the same
    id or URL share one. ``problems`` report what is left out, and what is missing of a truncated answer.
    """
    expect(answer, Answer, "cite takes an Answer: cite(Answer(text=..., references=...))")
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
