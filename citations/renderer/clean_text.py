"""Cleans a text that arrives in pieces, as CommonMark requires."""

from __future__ import annotations

from bisect import bisect_left

from ..markdown import clean_text, removed_by_cleaning


class CleanText:
    r""":func:`~citations.markdown.clean_text` for pieces.

    ``\r\n`` is one line end even if it arrives in two. ``length`` counts the characters that were cleaned.
    """

    def __init__(self) -> None:
        self.length = 0
        self._return = ""
        self._removed: list[int] = []

    @property
    def received(self) -> int:
        """The characters that were received."""
        return self.length + len(self._return)

    def feed(self, piece: str) -> str:
        """The cleaned piece, except for an end that depends on the next piece."""
        text = self._return + piece
        self._return = ""
        if text.endswith("\r"):
            text, self._return = text[:-1], "\r"
        cleaned = clean_text(text)
        if len(cleaned) != len(text):
            self._removed.extend(self.length + place for place in removed_by_cleaning(text))
        self.length += len(text)
        return cleaned

    def close(self) -> str:
        """The rest of the text."""
        text, self._return = self._return, ""
        self.length += len(text)
        return clean_text(text)

    def offset(self, received: int) -> int:
        """The offset in the cleaned text of an offset in the text that was received."""
        return received - bisect_left(self._removed, received)
