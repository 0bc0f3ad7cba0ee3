"""The form in which a text is read: without controls, and with one kind of line end."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from ..text.controls import TURNS
from .escapes import INVISIBLE

_UNSHOWN: Final = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff"
_CONTROLS: Final = re.compile(f"[{_UNSHOWN}{TURNS}]")
_ALL_BUT_TURNS: Final = re.compile(f"[{_UNSHOWN}]")
_LINE_ENDS: Final = re.compile(r"\r\n?")
_JOINS: Final = re.compile(rf"(?<=[`~<$]){_CONTROLS.pattern}++(?=[`~!?/$])")
"""Controls between signs that would be one without them: a fence, a comment, the sign of a formula."""
MAY_JOIN: Final = re.compile(rf"[\r{_UNSHOWN}{TURNS}]")
"""A character of which the next one decides what it becomes."""
_REMOVED: Final = re.compile(rf"{_CONTROLS.pattern}|\r(?=\n)")


def clean_text(text: str, *, turned: bool = False) -> str:
    r"""``text`` with ``\n`` at line ends, without controls and lone surrogates (CommonMark § 2).

    Some readers drop a U+FEFF at the beginning of a text, and find a block there that others don't.
    U+2028 and U+2029 become spaces: they end a line in JavaScript's expressions, and no line in Markdown.
    U+200B stands for controls between signs that must not join. A ``turned`` text keeps the controls
    that turn its writing, as a client shows it.
    """
    # None of what is removed or replaced is printable.
    if text.replace("\n", "").isprintable():
        return text
    text = _LINE_ENDS.sub("\n", text).replace("\u2028", " ").replace("\u2029", " ")
    return _ALL_BUT_TURNS.sub("", text) if turned else _CONTROLS.sub("", _JOINS.sub(INVISIBLE, text))


def removed_by_cleaning(text: str) -> list[int]:
    """The offsets of the characters that :func:`clean_text` removes."""
    kept = {found.end() - 1 for found in _JOINS.finditer(text)}
    return [place for found in _REMOVED.finditer(text) if (place := found.start()) not in kept]


def clean_offsets(text: str) -> Callable[[int], int]:
    r"""The function that turns an offset in ``text`` into one in ``clean_text(text)``.

    >>> clean_offsets("a\r\nb")(3)
    2
    """
    removed = removed_by_cleaning(text)
    return lambda offset: offset - bisect_left(removed, offset)
