"""The state of an inline text that is being read, and the constructs found in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from markdown_it import MarkdownIt

from .construct import Bracket, InlineSpan, LinkTarget

MAX_LABEL: Final = 300
"""Characters of a ``[…]`` that may be a marker: the name of a file and its page."""
_REPEATED: Final = 32
"""The most characters between a closed pair and a second ``]`` that was meant to close it."""
MARKDOWN: Final = MarkdownIt("commonmark", {"inline_definitions": True})
"""Reads the parts of inline texts, and definitions."""
MARKDOWN.disable(["code", "fence", "blockquote", "hr", "list", "html_block", "heading", "lheading"])
# A target may have any scheme here. Other modules judge it.
MARKDOWN.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005


class NeedsText(Exception):  # noqa: N818 - no error: the text may still arrive
    """A construct needs more text to be read."""


class InlineState:
    """The fields that markdown-it-py's rules read, under their names, and the constructs found so far.

    Offsets count from the last cut. Text before it is forgotten, except for the brackets that it left
    open.
    """

    md: Final = MARKDOWN
    pos = 0
    run_end = 0
    """The offset behind the ``[`` or backticks that begin at ``pos``."""
    final = False
    base = 0
    """The length of the text that was cut off."""
    inactive = 0
    """The number of openers, from the first, that stand before a link and can't open another."""
    in_line = False
    """Whether a part of the line at the beginning of ``src`` was cut off."""
    formula = 0
    """The end of the last formula."""
    unpaired: tuple[int, int] | None = None
    """The last pair that is no link, while a second ``]`` may still close it."""

    def __init__(self, src: str = "") -> None:
        self.src = src
        self.posMax = 0
        self.spans: list[InlineSpan] = []
        """The spans in order; none lies in an image."""
        self.brackets: list[Bracket] = []
        self.openers: list[int] = []
        """The offsets of unclosed ``[`` and ``![``, including the text that was cut off."""
        self.images: set[int] = set()
        """The openers that are ``![``."""

    def waits(self, limit: int) -> bool:
        """Whether more text may follow, and the text hasn't reached ``limit``."""
        return not self.final and len(self.src) < limit

    def settled(self) -> int:
        """The offset up to which nothing will change: no bracket before it can still become a marker."""
        settled = self.pos
        if self.openers and self.openers[-1] >= self.base + self.pos - MAX_LABEL:
            live = bisect_left(self.openers, self.base + self.pos - MAX_LABEL)
            settled = min(settled, self.openers[live] - self.base)
        repeated = self.repeated()
        return max(0, settled if repeated is None else min(settled, repeated))

    def repeated(self) -> int | None:
        """The start of the pair that a ``]`` at ``pos`` closes for the second time. The pair has no digit."""
        if self.unpaired is None:
            return None
        start, close = self.unpaired
        if start < 0 or self.pos - close > _REPEATED or "\n" in self.src[start : self.pos]:
            return None
        return None if any(character.isdigit() for character in self.src[start:close]) else start

    def constructs(self) -> Iterator[tuple[int, int]]:
        """The spans of the constructs since the last cut, in reverse order."""
        for span in reversed(self.spans):
            yield span.start, span.end
        for bracket in reversed(self.brackets):
            yield bracket.start, max((bracket.end, *(tail.end for tail in bracket.lenient)))

    def cut(self, end: int) -> tuple[tuple[InlineSpan, ...], tuple[Bracket, ...]]:
        """Cut off ``src[:end]`` and return its constructs. Offsets then count from ``end``."""
        spans = tuple(span for span in self.spans if span.end <= end)
        brackets = tuple(bracket for bracket in self.brackets if bracket.start < end)
        _, line_end, line = self.src[:end].rpartition("\n")
        self.in_line = bool(line.strip()) or (self.in_line and not line_end)
        self.src = self.src[end:]
        self.pos -= end
        self.spans = [InlineSpan(kind, a - end, b - end) for kind, a, b in self.spans if b > end]
        self.brackets = [_move(bracket, -end) for bracket in self.brackets if bracket.start >= end]
        self.base += end
        self.formula -= end
        if self.unpaired is not None:
            self.unpaired = (self.unpaired[0] - end, self.unpaired[1] - end)
        return spans, brackets


def _move(bracket: Bracket, by: int) -> Bracket:
    return Bracket(
        bracket.start + by,
        bracket.close + by,
        bracket.link and LinkTarget(bracket.link.target, bracket.link.end + by),
        tuple(LinkTarget(tail.target, tail.end + by) for tail in bracket.lenient),
    )


Rule = Callable[[InlineState], int]
"""Reads the construct at ``state.pos``, if there is one, and returns the offset to read on from.

Raises :class:`NeedsText`.
"""
