"""The form in which a text is read: without controls, and with one kind of line end."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_LINE_ENDS: Final = re.compile(r"\r\n?")
_REMOVED: Final = re.compile(rf"{_CONTROLS.pattern}|\r(?=\n)")


def clean_text(text: str) -> str:
    r"""``text`` with ``\n`` at line ends, without controls and lone surrogates (CommonMark § 2).

    Some readers drop a U+FEFF at the beginning of a text, and find a block there that others don't.
    U+2028 and U+2029 become spaces: they end a line in JavaScript's expressions, and no line in Markdown.
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROLS.sub("", _LINE_ENDS.sub("\n", text).replace("\u2028", " ").replace("\u2029", " "))


def removed_by_cleaning(text: str) -> list[int]:
    """The offsets of the characters that :func:`clean_text` removes."""
    return [found.start() for found in _REMOVED.finditer(text)]


def clean_offsets(text: str) -> Callable[[int], int]:
    r"""The function that turns an offset in ``text`` into one in ``clean_text(text)``.

    >>> clean_offsets("a\r\nb")(3)
    2
    """
    removed = removed_by_cleaning(text)
    return lambda offset: offset - bisect_left(removed, offset)
