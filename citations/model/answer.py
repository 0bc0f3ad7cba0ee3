"""What an answer source says: a finished answer, or the events of a stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from .dialect import Dialect
from .errors import Problem
from .reference import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who put the answer into words, shown as Schema.org ``claimInterpreter``.

    ``slogan`` is what is shown; where it is None, :attr:`Wording.surfaced_with` is, with ``provider`` or
    else :attr:`Wording.ai`.
    ``generated`` is False for text that was quoted rather than written by a model: such an answer
    carries no ``AIGeneratedContent`` keyword.
    """

    slogan: str | None = None
    provider: str | None = None
    url: str | None = None
    generated: bool = True


@dataclass(frozen=True, slots=True)
class SourceCode:
    """The query that an answer is based on, as it was asked of a graph or a database.

    ``language`` is what the query is written in (``sparql``, ``cypher``, ``sql``). Web Chat shows it
    as Schema.org ``isBasedOn`` (its newer builds, behind a button below the answer).
    """

    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Subquery:
    """A question that the source asked on the way to its answer, and what it found; both are Markdown."""

    question: str
    answer: str


class Cut(Enum):
    """Why a model ended an answer that is not complete: its last sentence or marker may be half of one.

    Governing source: OpenAI API reference, ``finish_reason`` of a chat completion's choice.
    """

    LENGTH = "length"
    """It reached the limit of tokens that it may write, or that its context holds."""
    CONTENT_FILTER = "content_filter"
    """A filter stopped it."""

    @classmethod
    def of(cls, finish_reason: str | None) -> Cut | None:
        """What a ``finish_reason`` says; None for all but those of an answer that is cut."""
        return _CUTS.get(finish_reason or "")

    @property
    def problem(self) -> Problem:
        """The same for whoever reads the problems of an answer."""
        return _PROBLEMS[self]


_CUTS: Final = {one.value: one for one in Cut} | {"model_length": Cut.LENGTH}
"""``model_length`` is Mistral's word for a context that is full."""
_PROBLEMS: Final = {
    cut: Problem(
        "answer-cut", "$.text", f"{why}: the end of the answer is missing, perhaps with a citation; {advice}"
    )
    for cut, why, advice in (
        (Cut.LENGTH, "the model reached its limit of tokens", "ask for something narrower, or raise it"),
        (Cut.CONTENT_FILTER, "a content filter stopped the model", "ask in other words"),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A finished answer: Markdown with markers, and the references the markers may name."""

    text: str
    references: tuple[Reference, ...] = ()
    dialect: Dialect | None = None
    """How its markers are written; None accepts both dialects."""
    origin: Origin = field(default_factory=Origin)
    query: SourceCode | None = None
    """What was asked of the source, where that is a query language; None where it said none."""
    subqueries: tuple[Subquery, ...] = ()
    """What the question was broken down into; no part of the answer's text."""
    cut: Cut | None = None
    """Why it ends too early; None for an answer that is complete, or whose provider doesn't say."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class TextReplaced:
    """A text that takes the place of all of the answer's text so far."""

    text: str


@dataclass(frozen=True, slots=True)
class TextCut:
    """The text so far ends too early: half a marker at its end is not shown.

    ``cut`` is why the model ended it; None where it broke off. Text that follows is not the model's.
    """

    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class ReferencesFound:
    """References that became known: before, during or after the text that cites them.

    ``complete`` is the source's word that these and those before are all that the answer is made
    with. Where a sensitivity label could withhold the text, none of it is shown before that.
    """

    references: tuple[Reference, ...]
    complete: bool = False


@dataclass(frozen=True, slots=True)
class OriginKnown:
    """Who is writing; the last one of a stream holds for the whole answer."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class QueryKnown:
    """What the answer is based on; the last one of a stream holds for the whole answer."""

    query: SourceCode


@dataclass(frozen=True, slots=True)
class SubqueriesKnown:
    """What the question was broken down into; the last one of a stream holds for the whole answer."""

    subqueries: tuple[Subquery, ...]


AnswerEvent = (
    TextDelta | TextReplaced | TextCut | ReferencesFound | OriginKnown | QueryKnown | SubqueriesKnown
)


def text_of(events: Iterable[AnswerEvent]) -> str:
    """The text of an answer, once these are all of its events."""
    pieces: list[str] = []
    for event in events:
        match event:
            case TextDelta(text):
                pieces.append(text)
            case TextReplaced(text):
                pieces = [text]
    return "".join(pieces)
