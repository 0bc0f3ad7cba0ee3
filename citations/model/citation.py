"""An answer whose markers have become citations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..markdown import Layout
from .answer import AnswerKind, Origin, SourceCode
from .errors import Problem
from .reference import Reference


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited reference and its position, counted from 1 in order of first use."""

    position: int
    reference: Reference
    parts: tuple[Reference, ...] = ()
    """The references that were joined into it, in the order of arrival: those with its id or its URL. The
    citation's sensitivity label is the highest of theirs."""


@dataclass(frozen=True, slots=True)
class Use:
    """One marker that cites something: ``positions`` replace ``text[start:end]``.

    ``rest`` is the part of the marker that stays readable. It may be a page (``p. 6``), a number without
    a reference (``[9]``), or the name of a dropped link. ``formula`` is the rest of the formula around
    the marker; it comes before the badges.
    """

    start: int
    end: int
    positions: tuple[int, ...]
    rest: str = ""
    formula: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedAnswer:
    r"""The text of an answer and what it cites.

    ``text`` has ``\n`` at its line ends and no control characters. ``references`` are all that were
    found, cited or not, because all of them count for the message's label.
    """

    text: str
    layout: Layout = field(repr=False, compare=False)
    """What stands where in ``text``, as it was read to find the markers."""
    uses: tuple[Use, ...] = ()
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
    def sources(self) -> tuple[Reference, ...]:
        """All references that the answer is known to be based on, found or cited, without duplicates."""
        cited = (one for citation in self.citations for one in (citation.reference, *citation.parts))
        return tuple(dict.fromkeys((*self.references, *cited)))


def read_pieces(pieces: Iterable[str | int]) -> tuple[str, tuple[Use, ...]]:
    """The text and the uses of ``pieces``, in which each number stands for a marker."""
    text, uses = "", []
    for piece in pieces:
        written = f"[{piece}]" if isinstance(piece, int) else piece
        if isinstance(piece, int):
            uses.append(Use(len(text), len(text) + len(written), (piece,)))
        text += written
    return text, tuple(uses)
