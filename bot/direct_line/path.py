"""The ids in the paths of both sides."""

from __future__ import annotations

from aiohttp import web

from ..http.path_segment import is_path_segment
from ..http.refusal import refusal


def path_id(request: web.Request, name: str) -> str:
    """The id that the request's path has as ``name``; 400 where it is no segment of a path."""
    found = request.match_info[name]
    if not is_path_segment(found):
        raise refusal(web.HTTPBadRequest, "BadArgument", f"the path's {name} is not an id")
    return found
