"""The spans of an answer that arrives in pieces."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from ..model.answer import Span
from .clean_text import CleanText


class SpanQueue:
    """Spans until all of their words have arrived.

    ``base`` is the offset of the answer in the text that was received, which may begin with another text.
    """

    def __init__(self, base: int = 0) -> None:
        self._base = base
        self._numbers = count()
        self.waiting: list[tuple[int, int, Span]] = []
        """A heap, by the ends of the spans and their numbers."""

    def add(self, span: Span) -> None:
        """Add a span, with its offsets in the answer. One that is no place in any text is left out."""
        if 0 <= span.start <= span.end:
            heappush(self.waiting, (span.end + self._base, next(self._numbers), span))

    def take(self, clean: CleanText) -> list[Span]:
        """Take the spans whose words have all arrived, with their offsets in the cleaned text."""
        ready: list[Span] = []
        while self.waiting and self.waiting[0][0] <= clean.length:
            end, _, span = heappop(self.waiting)
            start = clean.offset(span.start + self._base)
            ready.append(Span(start, clean.offset(end), span.ids, span.replaces))
        return ready
