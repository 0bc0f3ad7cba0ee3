"""Ids in the path of a URL: each is one segment, for every server on the way."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from aiohttp import web

from .refusal import refusal

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


def read_path_id(request: web.Request, name: str) -> str:
    """Read the path's parameter ``name``. Raises 400 where it is not a single segment."""
    value = request.match_info[name]
    if not is_path_segment(value):
        raise refusal(web.HTTPBadRequest, "BadArgument", f"the path's {name} is not an id")
    return value
