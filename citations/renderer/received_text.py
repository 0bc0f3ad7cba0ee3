"""The text of an answer as it arrives in pieces, and its spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort

from ..markdown import clean_text, removed_by_cleaning
from ..model.answer import Span


class ReceivedText:
    r"""Cleans pieces as :func:`~citations.markdown.clean_text` cleans the whole text.

    ``\r\n`` is one line end even if it arrives in two. A span waits until all of its words have arrived.
    ``cleaned`` counts the characters that :meth:`take` returned.
    """

    def __init__(self, text: str = "") -> None:
        self.cleaned = 0
        self._pieces = [text]
        self._length = 0
        """The received characters that were cleaned."""
        self._removed: list[int] = []
        self._base = 0
        """The offset of the answer in the text that was received, which may begin with another text."""
        self._spans: list[Span] = []
        """The spans that wait, in order of their ends."""

    def add(self, piece: str) -> None:
        """Add the next piece."""
        self._pieces.append(piece)

    def add_below(self, apart: str, text: str) -> None:
        """Add ``text``, another answer, behind ``apart``: the spans that follow are those of ``text``."""
        self._spans.clear()
        self._base = self._length + sum(map(len, self._pieces)) + len(apart)
        self._pieces += apart, text

    def take(self, *, end: bool = False) -> str:
        r"""The cleaned text since the last call. Unless this is the ``end``, a last ``\r`` waits."""
        if not self._pieces:
            return ""
        text = "".join(self._pieces)
        self._pieces.clear()
        if text.endswith("\r") and not end:
            text = text[:-1]
            self._pieces.append("\r")
        cleaned = clean_text(text)
        if len(cleaned) != len(text):
            self._removed.extend(self._length + place for place in removed_by_cleaning(text))
        self._length += len(text)
        self.cleaned += len(cleaned)
        return cleaned

    def add_span(self, span: Span) -> None:
        """Add a span, with its offsets in the answer. One that is no place in any text is left out."""
        if 0 <= span.start <= span.end:
            insort(self._spans, span, key=_end)

    def take_spans(self) -> list[Span]:
        """Take the spans whose words have all arrived, with their offsets in the cleaned text."""
        if not self._spans:
            return []
        ready = self._spans[: bisect_right(self._spans, self._length - self._base, key=_end)]
        del self._spans[: len(ready)]
        return [Span(self._offset(one.start), self._offset(one.end), one.ids, one.replaces) for one in ready]

    def _offset(self, received: int) -> int:
        """The offset in the cleaned text of an offset in the answer."""
        place = received + self._base
        return place - bisect_left(self._removed, place)


def _end(span: Span) -> int:
    return span.end
