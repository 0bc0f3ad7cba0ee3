"""Ids in the path of a URL: each is one segment, for every server on the way."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DECODINGS: Final = 3
"""How often the servers between the bot and a channel may decode a path, one after the other."""


def is_path_segment(identifier: str) -> bool:
    """Whether ``identifier`` stays one segment of a path, however often it is decoded.

    RFC 3986 § 3.3: the segments ``.`` and ``..`` lead to another path.

    >>> is_path_segment("19:a@thread.v2"), is_path_segment(".."), is_path_segment("%2e%2e")
    (True, False, False)
    """
    for _ in range(_DECODINGS + 1):
        if identifier in (".", "..") or _CONTROL.search(identifier):
            return False
        if "%" not in identifier:
            break
        identifier = unquote(identifier)
    return True
