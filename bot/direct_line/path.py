"""The ids in the paths of both APIs."""

from __future__ import annotations

from aiohttp import web

from ..http.path_segment import is_path_segment
from ..http.refusal import refusal


def read_path_id(request: web.Request, name: str) -> str:
    """Read the path's parameter ``name``. Raises 400 where it is not a single segment."""
    value = request.match_info[name]
    if not is_path_segment(value):
        raise refusal(web.HTTPBadRequest, "BadArgument", f"the path's {name} is not an id")
    return value
