"""A finished answer, and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from .errors import Problem
from .reference import Reference
from .typed import TypeChecked


class Dialect(Enum):
    """How an answer source writes its markers, if it writes any."""

    NAMED_LINK = "named-link"
    """``[name](id)``, as Writer does. The target is a reference's id or URL."""
    NUMBERED = "numbered"
    """``[1]``, ``[1, 2]``, ``[1-3]``, ``[[1]]``, ``【1】``, ``【1†source】``, ``［1］``, ``[doc1]``,
    ``[Source #1]``, ``[1, p. 6]``, ``[1#x]``. The number is a reference's id."""
    NONE = "none"
    """No markers: a literal ``[1]`` is text. Spans say what is cited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who worded the answer, shown as Schema.org ``claimInterpreter``.

    ``generated`` is False for text that was quoted and not written by a model. Such an answer has no
    ``AIGeneratedContent`` keyword.
    """

    slogan: str | None = None
    provider: str | None = None
    url: str | None = None
    generated: bool = True


@dataclass(frozen=True, slots=True)
class SourceCode(TypeChecked):
    """The query that an answer is based on, as a graph or a database received it.

    ``language`` is the query's language, such as ``sparql``, ``cypher`` or ``sql``. Web Chat shows the
    query as Schema.org ``isBasedOn``; its newer builds do so behind a button below the answer.
    """

    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Subquery(TypeChecked):
    """A question that the provider asked on the way to its answer, and what it found. Both are Markdown."""

    question: str
    answer: str


class AnswerKind(StrEnum):
    """How far an answer answers its question."""

    ANSWERED = "answered"
    """The text answers the question, and cites its sources."""
    UNSURE = "unsure"
    """The text shows what comes nearest to the question, and claims nothing."""
    NOTHING = "nothing"
    """No source says anything about the question."""


class Cut(Enum):
    """Why a model ended an answer too early. The last sentence or marker may be incomplete.

    Governing source: OpenAI API reference, ``finish_reason`` of a chat completion's choice. Other providers
    have names of their own for the same.
    """

    LENGTH = "length"
    """The model reached its limit of output tokens, or of its context."""
    CONTENT_FILTER = "content_filter"
    """A content filter stopped the model."""

    @classmethod
    def of(cls, finish_reason: str | None) -> Cut | None:
        """The cut that a provider's finish reason names; None where the answer is complete."""
        return _CUTS.get(plain_reason(finish_reason or ""))

    @property
    def problem(self) -> Problem:
        """The problem to report for this cut."""
        return _PROBLEMS[self]


def plain_reason(finish_reason: str) -> str:
    """A finish reason in one spelling: Gemini writes ``MAX_TOKENS``, Vercel's AI SDK ``content-filter``."""
    return finish_reason.lower().replace("-", "_")


_LENGTH: Final = """
    length max_tokens max_output_tokens model_length max_token error_limit model_context_window_exceeded
"""
_FILTERED: Final = """
    content_filter content_filtered safety recitation blocklist prohibited_content spii image_safety
    guardrail_intervened error_toxic refusal language
"""
_CUTS: Final = {
    reason: cut
    for cut, reasons in ((Cut.LENGTH, _LENGTH), (Cut.CONTENT_FILTER, _FILTERED))
    for reason in reasons.split()
}
"""What each provider calls a cut, in lower case."""
_PROBLEMS: Final = {
    cut: Problem(
        "answer-cut", "$.text", f"{why}: the end of the answer is missing, perhaps with a citation; {advice}"
    )
    for cut, why, advice in (
        (Cut.LENGTH, "the model reached its limit of tokens", "ask for something narrower, or raise it"),
        (Cut.CONTENT_FILTER, "a content filter stopped the model", "ask in other words"),
    )
}


@dataclass(frozen=True, slots=True)
class Span(TypeChecked):
    """Words of an answer that rest on references: ``text[start:end]``, in code points.

    ``ids`` are the ids of the references. A span with ``end == start`` is a place. With ``replaces``, the
    words are themselves the citation, such as a link that the provider wrote: badges take their place.
    """

    start: int
    end: int
    ids: tuple[str, ...]
    replaces: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(TypeChecked):
    """A finished answer: Markdown, and the references that its markers or its spans name."""

    text: str
    references: tuple[Reference, ...] = ()
    dialect: Dialect | None = None
    """How the markers are written; None accepts all of them. An answer that is cited by spans alone has
    :attr:`Dialect.NONE`."""
    spans: tuple[Span, ...] = ()
    """The words that rest on references, where the provider cites by place."""
    origin: Origin = field(default_factory=Origin)
    query: SourceCode | None = None
    """The query that the provider ran, if it says so."""
    subqueries: tuple[Subquery, ...] = ()
    """The parts that the question was broken down into. They are not part of ``text``."""
    cut: Cut | None = None
    """Why the answer ends too early; None if it is complete, or if the provider doesn't say."""
    kind: AnswerKind | None = None
    """How far it answers the question; None if the provider doesn't say."""
    problems: tuple[Problem, ...] = ()
    """What its reader left out, such as a citation without a place."""
