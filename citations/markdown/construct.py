"""What an inline text is made of, where it isn't plain text."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["code", "html", "autolink", "image", "literal", "formula"]
"""What a span is, where it isn't plain text. A literal is a backslash escape or an entity: it shows a
character and can't be part of a construct. A formula is harmless where a client reads it as text."""


class Span(NamedTuple):
    """``content[start:end]`` of an inline text is of this kind."""

    kind: Kind
    start: int
    end: int


class LinkTarget(NamedTuple):
    """What follows ``[…]`` as ``(target)``; ``end`` is the offset behind its parenthesis."""

    target: str
    end: int


class Bracket(NamedTuple):
    """A matched pair ``[…]``, ``【…】`` or ``［…］``: ``content[start:close]``, brackets included.

    ``link`` is the tail that makes it an inline link (CommonMark § "Links"). ``lenient`` are the tails
    that CommonMark doesn't read as one, because the target has spaces or a parenthesis too many:
    answer sources write them all the same.
    """

    start: int
    close: int
    link: LinkTarget | None = None
    lenient: tuple[LinkTarget, ...] = ()

    @property
    def end(self) -> int:
        """Behind the whole construct, the tail of a link included."""
        return self.link.end if self.link else self.close
