"""How far an inline text has been read, and what was found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from markdown_it import MarkdownIt

from .construct import Bracket, LinkTarget, Span

MAX_LABEL: Final = 300
"""Characters of ``[…]`` that may be a marker: the name of a file and its page."""
_REPEATED: Final = 32
"""How far behind a pair a second ``]`` may stand that was meant to close it."""
_MARKDOWN: Final = MarkdownIt("commonmark")
# A target's scheme is judged where links are allowed, not where they are read.
_MARKDOWN.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005


class InlineState:
    """What markdown-it-py's rules look at, by the names that they use, and what is recorded.

    Offsets count from the last cut: what was cut off is forgotten, but for the brackets that it
    left open.
    """

    md: Final = _MARKDOWN
    pos = 0
    run_end = 0
    """Behind the ``[`` or backticks that begin at ``pos``."""
    final = False
    base = 0
    """How much was cut off."""
    inactive = 0
    """How many of the openers, from the first, stand before a link and can't open another."""
    in_line = False
    """Whether some of the line that ``src`` begins with was cut off."""
    formula = 0
    """Where the last formula ends."""
    unpaired: tuple[int, int] | None = None
    """The last pair that is no link, until it can't be taken up again."""

    def __init__(self, src: str = "") -> None:
        self.src = src
        self.posMax = 0
        self.spans: list[Span] = []
        """In order; none is in an image."""
        self.brackets: list[Bracket] = []
        self.openers: list[int] = []
        """Where the ``[`` or ``![`` stand that nothing has closed yet, the cut-off text included."""
        self.images: set[int] = set()
        """Which of them are ``![``."""

    def settled(self) -> int:
        """Up to where nothing will change: no bracket there can still become a marker."""
        settled = self.pos
        if self.openers and self.openers[-1] >= self.base + self.pos - MAX_LABEL:
            live = bisect_left(self.openers, self.base + self.pos - MAX_LABEL)
            settled = min(settled, self.openers[live] - self.base)
        repeated = self.repeated()
        return max(0, settled if repeated is None else min(settled, repeated))

    def repeated(self) -> int | None:
        """Where the pair begins that a ``]`` at ``pos`` closes for the second time; it has no digit."""
        if self.unpaired is None:
            return None
        start, close = self.unpaired
        if start < 0 or self.pos - close > _REPEATED or "\n" in self.src[start : self.pos]:
            return None
        return None if any(character.isdigit() for character in self.src[start:close]) else start

    def constructs(self) -> Iterator[tuple[int, int]]:
        """Where what was found since the last cut begins and ends, the last first."""
        for span in reversed(self.spans):
            yield span.start, span.end
        for bracket in reversed(self.brackets):
            yield bracket.start, max((bracket.end, *(tail.end for tail in bracket.lenient)))

    def skip(self, count: int) -> None:
        """Let ``count`` characters of plain text have been cut off."""
        self.in_line = True
        self._move(count)

    def _move(self, count: int) -> None:
        self.base += count
        self.formula -= count
        if self.unpaired is not None:
            self.unpaired = (self.unpaired[0] - count, self.unpaired[1] - count)

    def cut(self, end: int) -> tuple[tuple[Span, ...], tuple[Bracket, ...]]:
        """Forget ``src[:end]``, let offsets count from ``end``, and return what was found before it."""
        spans = tuple(span for span in self.spans if span.end <= end)
        brackets = tuple(bracket for bracket in self.brackets if bracket.start < end)
        _, line_end, line = self.src[:end].rpartition("\n")
        self.in_line = bool(line.strip()) or (self.in_line and not line_end)
        self.src = self.src[end:]
        self.pos -= end
        self.spans = [Span(kind, a - end, b - end) for kind, a, b in self.spans if b > end]
        self.brackets = [_move(bracket, -end) for bracket in self.brackets if bracket.start >= end]
        self._move(end)
        return spans, brackets


def _move(bracket: Bracket, by: int) -> Bracket:
    return Bracket(
        bracket.start + by,
        bracket.close + by,
        bracket.link and LinkTarget(bracket.link.target, bracket.link.end + by),
        tuple(LinkTarget(tail.target, tail.end + by) for tail in bracket.lenient),
    )


Rule = Callable[[InlineState], bool | None]
"""Reads on from ``state.pos`` and says whether it did; None where it needs more text to know."""
