"""Control characters: those that turn the writing, and those that a terminal executes."""

from __future__ import annotations

import re
from typing import Final

TURNS: Final = "\u202a-\u202e\u2066-\u2069"
"""The nine controls that turn it (UAX #9 § 2), as a class has them. No Arabic or Hebrew needs them."""
TURN: Final = re.compile(f"[{TURNS}]")


def without_turns(text: str) -> str:
    """``text`` without controls behind which a reader sees letters, and badges, in another order."""
    return text if text.isascii() else TURN.sub("", text)


_ACTIVE: Final = re.compile(
    # Controls but tabs and line feeds; marks, embeddings, overrides and isolates (UAX #9 § 2).
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029{TURNS}]"
)


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


def printable_lines(text: str) -> str:
    r"""``text`` of several lines, without characters that a terminal executes or that turn the writing.

    >>> printable_lines("one\u202eeno\x1b[2J\ntwo")
    'oneeno[2J\ntwo'
    """
    return _ACTIVE.sub("", text)


def printable_json(text: str) -> str:
    r"""JSON with escapes for such characters, which stand in its strings only, and without the nine controls.

    >>> print(printable_json('["\u202eone\u2028"]'))
    ["one\u2028"]
    """
    return _ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", without_turns(text))
