"""Trims the white space around a text that comes in deltas."""

from __future__ import annotations

from dataclasses import replace

from citations import SpanFound
from citations.readers import SurrogatePairs


class TrimmedText:
    """Trims a text that comes in deltas. White space is held back until other text follows it."""

    def __init__(self) -> None:
        self.begun = False
        """Whether there was any text to show."""
        self._pairs = SurrogatePairs()
        self._spaces: list[str] = []
        self._before = 0
        """The characters of white space that were left out before the text."""
        self._shown = 0
        """The characters that are shown so far."""

    def feed(self, delta: str) -> str:
        """The text that is shown for this delta; it may be empty."""
        return self._trim(self._pairs.feed(delta))

    def close(self) -> str:
        """The text that is shown at the end; it may be empty."""
        return self._trim(self._pairs.close())

    def _trim(self, text: str) -> str:
        # Half of a surrogate pair is no character, so U+FFFD replaces it.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if not self.begun:
            self._before += len(text) - len(text.lstrip())
            text = text.lstrip()
        shown = text.rstrip()
        spaces = text[len(shown) :]
        if shown:
            self.begun = True
            shown = "".join([*self._spaces, shown])
            self._spaces.clear()
        if spaces:
            self._spaces.append(spaces)
        self._shown += len(shown)
        return shown

    def move(self, span: SpanFound) -> SpanFound:
        """``span``, whose offsets count from the start of the deltas, with those of the shown text."""
        start, end = (max(0, offset - self._before) for offset in (span.start, span.end))
        if end <= self._shown + sum(map(len, self._spaces)):
            # Nothing but white space stands behind what is shown.
            start, end = min(start, self._shown), min(end, self._shown)
        return replace(span, start=start, end=end)
