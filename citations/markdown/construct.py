"""The constructs of an inline text: spans and pairs of brackets."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["code", "html", "autolink", "image", "literal", "formula"]
"""The kind of a span. A literal is a backslash escape or an entity. It shows a character, which can't be
part of a construct. A formula is harmless where a client reads it as text."""


class InlineSpan(NamedTuple):
    """``content[start:end]`` of an inline text is of this kind."""

    kind: Kind
    start: int
    end: int


class LinkTarget(NamedTuple):
    """The ``(target)`` behind ``[…]``; ``end`` is the offset behind its parenthesis."""

    target: str
    end: int


class Bracket(NamedTuple):
    """A matched pair ``[…]``, ``【…】`` or ``［…］``: ``content[start:close]``, including the brackets.

    ``link`` is the tail of an inline link (CommonMark § "Links"). ``lenient`` are tails that CommonMark
    doesn't read as one, because the target has spaces or an additional parenthesis. Providers write such
    tails.
    """

    start: int
    close: int
    link: LinkTarget | None = None
    lenient: tuple[LinkTarget, ...] = ()

    @property
    def end(self) -> int:
        """The offset behind the whole construct, including the tail of a link."""
        return self.link.end if self.link else self.close
