"""The direction of writing, which letters alone decide in what we write."""

from __future__ import annotations

import re
from typing import Final

TURNS: Final = "\u202a-\u202e\u2066-\u2069"
"""The explicit directional formatting characters (UAX #9 § 2.1 to 2.5), as a class of an expression has them.

Behind one of them a reader sees letters, and badges, in another order than the text has. Prose in Arabic
or Hebrew needs none. U+200E, U+200F and U+061C turn nothing but the signs beside them, so that they stay.
"""
_TURNS: Final = re.compile(f"[{TURNS}]")


def without_turns(text: str) -> str:
    r"""``text`` without the nine controls that turn the writing.

    >>> without_turns("annual-\u202efdp.md")
    'annual-fdp.md'
    """
    return text if text.isascii() else _TURNS.sub("", text)
