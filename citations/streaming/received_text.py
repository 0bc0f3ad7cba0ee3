"""The text of an answer as it arrives in pieces, and its spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort

from ..markdown import MAY_JOIN, clean_text, removed_by_cleaning
from ..markers.citation_stream import CitationStream
from ..model.answer import Span


class ReceivedText:
    r"""Takes what a stream has received, cleaned as :func:`~citations.markdown.clean_text` cleans the whole.

    ``\r\n`` is one line end even if it arrives in two pieces. A span waits until all of its words have
    arrived. ``cleaned`` counts the characters that :meth:`take` returned.
    """

    def __init__(self, stream: CitationStream) -> None:
        self.cleaned = 0
        self._stream = stream
        self._pieces_taken, self._spans_taken = 0, 0
        self._held = ""
        """A last ``\\r``, which may become ``\\r\\n``, or a last control, which may stand between signs."""
        self._before = ""
        """The last character of what was taken."""
        self._length = 0
        """The received characters that were cleaned."""
        self._removed: list[int] = []
        self._spans: list[Span] = []
        """The spans that wait, in order of their ends."""

    def take(self, *, end: bool = False) -> str:
        """The cleaned text since the last call. Unless this is the ``end``, its last character may wait."""
        text = self._held + "".join(self._stream.pieces[self._pieces_taken :])
        before = self._before
        self.skip()
        if not end and MAY_JOIN.match(text[-1:]):
            text, self._held = text[:-1], text[-1]
        cleaned = clean_text(before + text)[len(before) :]
        if len(cleaned) != len(text):
            first = self._length - len(before)
            self._removed.extend(first + place for place in removed_by_cleaning(before + text))
        self._before = cleaned[-1:] or before
        self._length += len(text)
        self.cleaned += len(cleaned)
        return cleaned

    def skip(self) -> None:
        """Count all that was received as taken."""
        self._pieces_taken, self._held, self._before = len(self._stream.pieces), "", ""

    def take_spans(self) -> list[Span]:
        """Take the spans whose words have all arrived, with their offsets in the cleaned text."""
        if not self._stream.spans:
            return []
        for span in self._stream.spans[self._spans_taken :]:
            # One that is no place in any text is left out.
            if 0 <= span.start <= span.end:
                insort(self._spans, span, key=_end)
        self._spans_taken = len(self._stream.spans)
        ready = self._spans[: bisect_right(self._spans, self._length, key=_end)]
        del self._spans[: len(ready)]
        return [Span(self._offset(one.start), self._offset(one.end), one.ids, one.replaces) for one in ready]

    def _offset(self, received: int) -> int:
        """The offset in the cleaned text of an offset in the answer."""
        return received - bisect_left(self._removed, received)


def _end(span: Span) -> int:
    return span.end
