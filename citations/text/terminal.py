"""Text from outside on a terminal: control characters are shown and not executed."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""``text`` with an escape for each character that a terminal executes or doesn't show.

    A file's name may contain escape sequences, line breaks, and marks that reverse the direction of
    writing.

    >>> print(printable("a\x1b[2J\u202e.md"))
    a\x1b[2J\u202e.md
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
