"""The encoding of text: that of a file, and pieces that end in half a surrogate pair.

A file is UTF-8, unless a byte order mark says otherwise, as Windows writes it.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""The marks with which a file may begin, each with the encoding that it says."""


def decode_text(data: bytes) -> str:
    """The text of a file without its mark. Raises ``ValueError``, such as ``not UTF-8 text: byte 3``."""
    encoding = next((name for mark, name in BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(f"not {encoding.upper()} text: byte {error.start}") from None


SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which UTF-8 can't encode."""


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
