"""Text from outside on a terminal: control characters are shown, not acted on."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""``text`` with an escape for each character that a terminal acts on, or shows nothing for.

    A file's name may hold any: escape sequences, line breaks, marks that turn the direction of writing.

    >>> print(printable("a\x1b[2J\u202e.md"))
    a\x1b[2J\u202e.md
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
