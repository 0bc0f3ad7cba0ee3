"""How far an inline text has been read, and what was found."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from markdown_it import MarkdownIt

from .construct import Bracket, Span, Tail

MAX_LABEL: Final = 300
"""Characters of ``[…]`` that may be a marker: the name of a file and its page."""
_REPEATED: Final = 32
"""How far behind a pair a second ``]`` may stand that was meant to close it."""
_RUNS: Final = {character: re.compile(re.escape(character) + "+") for character in "[]`"}


class InlineState:
    """What markdown-it-py's rules look at, by the names that they use, and what is recorded."""

    __slots__ = (
        "base",
        "brackets",
        "final",
        "images",
        "inactive",
        "md",
        "openers",
        "pos",
        "posMax",
        "spans",
        "src",
        "unpaired",
    )

    def __init__(self) -> None:
        self.src = ""
        self.pos = self.posMax = 0
        self.md = _MARKDOWN
        self.final = False
        self.spans: list[Span] = []
        self.brackets: list[Bracket] = []
        self.base = 0
        """How much was cut off."""
        self.openers: list[int] = []
        """Where the ``[`` or ``![`` stand that nothing has closed yet, the cut-off text included."""
        self.images: set[int] = set()
        """Which of them are ``![``."""
        self.inactive = 0
        """How many of the openers, from the first, stand before a link and can't open another."""
        self.unpaired: tuple[int, int] | None = None
        """The last pair that is neither a link nor has a digit in it, until it can't be taken up again."""

    def settled(self) -> int:
        """Up to where nothing will change: no bracket there can still become a marker."""
        settled = self.pos
        if self.openers and self.openers[-1] >= self.base + self.pos - MAX_LABEL:
            live = bisect_left(self.openers, self.base + self.pos - MAX_LABEL)
            settled = min(settled, self.openers[live] - self.base)
        if self.unpaired is not None and self._may_be_repeated(self.pos):
            settled = min(settled, self.unpaired[0])
        return max(0, settled)

    def _may_be_repeated(self, position: int) -> bool:
        if self.unpaired is None:
            return False
        start, close = self.unpaired
        return start >= 0 and position - close <= _REPEATED and "\n" not in self.src[start:position]

    def repeated(self) -> int | None:
        """Where the pair begins that a ``]`` at ``pos`` closes for the second time."""
        return self.unpaired[0] if self.unpaired and self._may_be_repeated(self.pos) else None

    def skip(self, count: int) -> None:
        """Let ``count`` characters of plain text have been cut off."""
        self.base += count
        if self.unpaired is not None:
            self.unpaired = (self.unpaired[0] - count, self.unpaired[1] - count)

    def forget(self, end: int) -> None:
        """Let offsets count from ``end``."""
        self.src = self.src[end:]
        self.posMax = len(self.src)
        self.pos -= end
        self.base += end
        self.spans = [Span(kind, a - end, b - end) for kind, a, b in self.spans if b > end]
        self.brackets = [_moved(bracket, -end) for bracket in self.brackets if bracket.start >= end]
        if self.unpaired is not None:
            self.unpaired = (self.unpaired[0] - end, self.unpaired[1] - end)


def _moved(bracket: Bracket, by: int) -> Bracket:
    return Bracket(
        bracket.start + by,
        bracket.close + by,
        bracket.link and Tail(bracket.link.target, bracket.link.end + by),
        tuple(Tail(tail.target, tail.end + by) for tail in bracket.loose),
    )


Rule = Callable[[InlineState], bool | None]
"""Reads on from ``state.pos`` and says whether it did; None where it needs more text to know."""


def run_end(source: str, start: int, character: str) -> int:
    """Where the run of one character ends that begins at ``start``."""
    match = _RUNS[character].match(source, start)
    return match.end() if match else start


_MARKDOWN: Final = MarkdownIt("commonmark")
# A target's scheme is judged where links are allowed, not where they are read.
_MARKDOWN.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
