"""The spans of an answer that arrives in pieces."""

from __future__ import annotations

from bisect import bisect_right, insort

from ..model.answer import Span
from .clean_text import CleanText


class SpanQueue:
    """Spans until all of their words have arrived.

    ``base`` is the offset of the answer in the text that was received, which may begin with another text.
    """

    def __init__(self, base: int = 0) -> None:
        self._base = base
        self.waiting: list[Span] = []
        """The spans in order of their ends."""

    def add(self, span: Span) -> None:
        """Add a span, with its offsets in the answer. One that is no place in any text is left out."""
        if 0 <= span.start <= span.end:
            insort(self.waiting, span, key=_end)

    def take(self, clean: CleanText) -> list[Span]:
        """Take the spans whose words have all arrived, with their offsets in the cleaned text."""
        base = self._base
        ready = self.waiting[: bisect_right(self.waiting, clean.length - base, key=_end)]
        del self.waiting[: len(ready)]
        return [
            Span(clean.offset(one.start + base), clean.offset(one.end + base), one.ids, one.replaces)
            for one in ready
        ]


def _end(span: Span) -> int:
    return span.end
