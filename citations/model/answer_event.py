"""The events of an answer that is still being written, and the answer that they make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

from .answer import Answer, AnswerKind, Cut, Dialect, Origin, SourceCode, Span, Subquery
from .errors import Problem
from .reference import Reference
from .typed import TypeChecked


@dataclass(frozen=True, slots=True)
class TextDelta(TypeChecked):
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class TextReplaced(TypeChecked):
    """A text that replaces all of the answer's text so far."""

    text: str


@dataclass(frozen=True, slots=True)
class TextCut:
    """The text so far ends too early. A partial marker at its end is not shown.

    ``cut`` is why the model ended it; None where the stream broke off. Text that follows is not the
    model's.
    """

    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class ReferencesFound(TypeChecked):
    """References that became known: before, during or after the text that cites them.

    ``complete`` says that the answer was made with these and the earlier references only. Where a
    sensitivity label could withhold the text, none of it is shown before that.
    """

    references: tuple[Reference, ...]
    complete: bool = False


@dataclass(frozen=True, slots=True)
class SpanFound(Span):
    """A span of the answer. Its offsets count from the start of all text.

    It may come before, during or after the text. A :class:`TextReplaced` drops the spans before it.
    """


@dataclass(frozen=True, slots=True)
class DialectKnown:
    """How the answer is cited. The event comes before the text.

    ``spans_at_end`` says that spans may come behind the text that follows their words. A channel on which
    shown text stays then gets no text before the end.
    """

    dialect: Dialect
    spans_at_end: bool = True


@dataclass(frozen=True, slots=True)
class ProblemFound:
    """What the reader of the answer left out, such as a citation without a place."""

    problem: Problem


@dataclass(frozen=True, slots=True)
class OriginKnown:
    """Who worded the answer. The last one of a stream applies to the whole answer."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class QueryKnown:
    """The query that the answer is based on. The last one of a stream applies to the whole answer."""

    query: SourceCode


@dataclass(frozen=True, slots=True)
class SubqueriesKnown:
    """The parts of the question. The last ones of a stream apply to the whole answer."""

    subqueries: tuple[Subquery, ...]


@dataclass(frozen=True, slots=True)
class KindKnown:
    """How far the answer answers its question. The last one of a stream applies to the whole answer."""

    kind: AnswerKind


@dataclass(frozen=True, slots=True)
class QuestionsSuggested:
    """Questions that the person may ask next, as plain text. The event comes behind the text.

    They become buttons, a list below the text, or both, as the channel shows them. ``title`` is the
    sentence above the list.
    """

    title: str
    questions: tuple[str, ...]


AnswerEvent = (
    TextDelta
    | TextReplaced
    | TextCut
    | ReferencesFound
    | SpanFound
    | DialectKnown
    | ProblemFound
    | OriginKnown
    | QueryKnown
    | SubqueriesKnown
    | KindKnown
    | QuestionsSuggested
)


_LAST: Final[Mapping[type[AnswerEvent], str]] = {
    OriginKnown: "origin",
    QueryKnown: "query",
    SubqueriesKnown: "subqueries",
    KindKnown: "kind",
    DialectKnown: "dialect",
    TextCut: "cut",
}
"""The events of which the last one applies, and the field of the event and of the answer."""


def text_of(events: Iterable[AnswerEvent]) -> str:
    """The text of an answer that consists of ``events``."""
    pieces: list[str] = []
    for event in events:
        match event:
            case TextDelta(text):
                pieces.append(text)
            case TextReplaced(text):
                pieces = [text]
    return "".join(pieces)


def spans_of(events: Iterable[AnswerEvent]) -> tuple[Span, ...]:
    """The spans of an answer that consists of ``events``."""
    spans: list[Span] = []
    for event in events:
        match event:
            case SpanFound(start, end, ids, replaces):
                spans.append(Span(start, end, ids, replaces))
            case TextReplaced():
                spans.clear()
    return tuple(spans)


def answer_of(events: Iterable[AnswerEvent]) -> Answer:
    """The finished answer that consists of ``events``, which may be those of a whole stream.

    Suggested questions are no part of it.
    """
    found = tuple(events)
    references = (event.references for event in found if isinstance(event, ReferencesFound))
    last = {name: getattr(one, name) for one in found if (name := _LAST.get(type(one)))}
    return Answer(
        text=text_of(found),
        references=tuple(chain.from_iterable(references)),
        spans=spans_of(found),
        problems=tuple(event.problem for event in found if isinstance(event, ProblemFound)),
        **last,
    )
