"""Error responses: a status, and a JSON object with a code and a message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web


def refusal(
    error: type[web.HTTPException],
    code: str,
    message: str,
    *arguments: Any,
    headers: Mapping[str, str] | None = None,
) -> web.HTTPException:
    """Create an HTTP error with Direct Line's body, ``{"error": {"code": …, "message": …}}``.

    Direct Line API 3.0 reference § "Errors". The body repeats nothing of the request. ``arguments`` are
    those of ``error``.
    """
    body = json.dumps({"error": {"code": code, "message": message}})
    return error(*arguments, text=body, content_type="application/json", headers=headers)


def too_large(message: str) -> web.HTTPException:
    """Create a 413. aiohttp's own message needs both sizes, and the body's is not known yet."""
    return refusal(web.HTTPRequestEntityTooLarge, "MessageSizeTooBig", message, 0, 0)
