"""Joins the halves of characters beyond U+FFFF: a program may cut a text between them."""

from __future__ import annotations


class SurrogatePairs:
    r"""Joins the halves of surrogate pairs in a text that arrives in pieces: feed it, then close it.

    A half without its partner stays.

    >>> pairs = SurrogatePairs()
    >>> pairs.feed("yes \ud83d"), pairs.feed("\ude00!"), pairs.close()
    ('yes ', '😀!', '')
    """

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """The characters that this piece completes."""
        if self._half:
            text = (
                (self._half + text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
            )
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return text.removesuffix(self._half)

    def close(self) -> str:
        """The half that still waits for its partner, if there is one."""
        half, self._half = self._half, ""
        return half
