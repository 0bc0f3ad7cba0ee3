"""Cleans a text that arrives in pieces, as CommonMark requires."""

from __future__ import annotations

from ..markdown import clean_text


class CleanText:
    r""":func:`~citations.markdown.clean_text` for pieces.

    ``\r\n`` is one line end even if it arrives in two.
    """

    def __init__(self) -> None:
        self._return = ""

    def feed(self, piece: str) -> str:
        """The cleaned piece, except for an end that depends on the next piece."""
        text = self._return + piece
        self._return = "\r" if text.endswith("\r") else ""
        return clean_text(text.removesuffix("\r"))

    def close(self) -> str:
        """The rest of the text."""
        return clean_text(self._return)
