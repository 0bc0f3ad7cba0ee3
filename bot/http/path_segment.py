"""Ids that stand in a URL's path: one segment each, which every server on the way reads alike."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DECODINGS: Final = 3
"""How often servers between the bot and a channel may decode a path, one after the other."""


def is_path_segment(written: str) -> bool:
    """Whether ``written`` is one segment of a path, however often it is decoded.

    RFC 3986 § 3.3: the segments ``.`` and ``..`` are steps to another path, not names.

    >>> is_path_segment("19:a@thread.v2"), is_path_segment(".."), is_path_segment("%2e%2e")
    (True, False, False)
    """
    for _ in range(_DECODINGS + 1):
        if written in (".", "..") or _CONTROL.search(written):
            return False
        if "%" not in written:
            break
        written = unquote(written)
    return True
