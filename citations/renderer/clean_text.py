"""Text as CommonMark takes it, however it was cut."""

from __future__ import annotations

from ..markdown import clean_text


class CleanText:
    r"""``clean_text`` for pieces of a text: ``\r\n`` is one line end also where it comes in two."""

    def __init__(self) -> None:
        self._return = ""

    def feed(self, piece: str) -> str:
        """The piece, without what the next one decides on."""
        text = self._return + piece
        self._return = "\r" if text.endswith("\r") else ""
        return clean_text(text.removesuffix("\r"))

    def close(self) -> str:
        """What was left."""
        return clean_text(self._return)
