"""What an answer source says: a finished answer, or the events of a stream."""

from __future__ import annotations

from dataclasses import dataclass, field

from .marker import Dialect
from .reference import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who put the answer into words, shown as Schema.org ``claimInterpreter``.

    ``generated`` is False for text that was quoted rather than written by a model: such an answer
    carries no ``AIGeneratedContent`` keyword.
    """

    slogan: str = "Surfaced with AI"
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


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer's text."""

    text: str


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


AnswerEvent = TextDelta | ReferencesFound | OriginKnown | QueryKnown
