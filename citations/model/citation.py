"""An answer whose markers have become citations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ..markdown import Badge, Document, Paragraph, Text, escape_text
from .answer import AnswerKind, Origin, SourceCode
from .errors import Problem
from .reference import Reference

MAX_CITATIONS: Final = 20
"""Citations of an answer. Teams refuses more (400), and Web Chat's time grows with their square."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited reference and its position, counted from 1 in order of first use."""

    position: int
    reference: Reference
    parts: tuple[Reference, ...] = ()
    """The references that were joined into it, in the order of arrival: those with its id or its URL. The
    citation's sensitivity label is the highest of theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedAnswer:
    r"""The text of an answer and what it cites.

    ``text`` has ``\n`` at its line ends and no control characters. ``references`` are all that were
    found, cited or not, because all of them count for the message's label.
    """

    text: str
    document: Document = field(repr=False, compare=False)
    """The tree of ``text``, in which a badge stands in place of each marker."""
    citations: tuple[Citation, ...] = ()
    references: tuple[Reference, ...] = ()
    origin: Origin = field(default_factory=Origin)
    query: SourceCode | None = None
    problems: tuple[Problem, ...] = ()
    complete: bool = True
    """Whether ``references`` are all. An answer that broke off may be based on more."""
    kind: AnswerKind | None = None
    """How far the answer answers its question; None if the provider doesn't say."""

    @property
    def uses(self) -> tuple[Badge, ...]:
        """The badges of the text, in order."""
        return tuple(self.document.badges())

    @property
    def sources(self) -> tuple[Reference, ...]:
        """All references that the answer is known to be based on, found or cited, without duplicates."""
        cited = (one for citation in self.citations for one in (citation.reference, *citation.parts))
        return tuple({id(one): one for one in (*self.references, *cited)}.values())


def write_pieces(pieces: Iterable[str | int]) -> str:
    """The Markdown of such a paragraph, with ``[1]`` for a position."""
    return "".join(f"[{one}]" if isinstance(one, int) else escape_text(one) for one in pieces)


def paragraph(pieces: Iterable[str | int]) -> Paragraph:
    """A paragraph of words, and of positions whose badges stand between them."""
    return Paragraph(tuple(Badge((one,), "") if isinstance(one, int) else Text(one, 0, 0) for one in pieces))
