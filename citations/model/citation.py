"""An answer whose markers have become citations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..markdown import Layout
from .answer import Origin, SourceCode
from .errors import Problem
from .reference import Reference


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited reference and its position, counted from 1 in order of first use."""

    position: int
    reference: Reference
    parts: tuple[Reference, ...] = ()
    """The references that were joined into it, as they were found: those with its id or its URL.
    Its sensitivity label is the highest of theirs."""


@dataclass(frozen=True, slots=True)
class Use:
    """One marker of the text that cites something: ``text[start:end]`` becomes these positions.

    ``rest`` is what the marker said besides, and stays readable: a page (``p. 6``), the numbers of
    a list that no reference has (``[9]``), the name of a link whose citation was dropped. ``formula``
    is the rest of the formula that the marker stood in; it comes before the badges.
    """

    start: int
    end: int
    positions: tuple[int, ...]
    rest: str = ""
    formula: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedAnswer:
    r"""The text as it came (line ends made ``\n``, controls removed), and what it cites.

    ``references`` are all that were found, cited or not: the message's label comes from them all.
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
    """Whether ``references`` are all: an answer that broke off may be made with others, too."""

    @property
    def sources(self) -> tuple[Reference, ...]:
        """All that it is known to be made with, each once: what was found, and what is cited."""
        cited = (one for citation in self.citations for one in (citation.reference, *citation.parts))
        return tuple(dict.fromkeys((*self.references, *cited)))


def read_pieces(pieces: Iterable[str | int]) -> tuple[str, tuple[Use, ...]]:
    """The text of ``pieces``, in which each number is a marker, and the use of each."""
    text, uses = "", []
    for piece in pieces:
        written = f"[{piece}]" if isinstance(piece, int) else piece
        if isinstance(piece, int):
            uses.append(Use(len(text), len(text) + len(written), (piece,)))
        text += written
    return text, tuple(uses)
