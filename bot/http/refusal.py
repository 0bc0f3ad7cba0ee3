"""Error responses: a status, and a JSON object with a code and a message."""

from __future__ import annotations

import json

from aiohttp import web


def refusal(error: type[web.HTTPException], code: str, message: str) -> web.HTTPException:
    """Create an HTTP error with Direct Line's body, ``{"error": {"code": …, "message": …}}``.

    Direct Line API 3.0 reference § "Errors". The body repeats nothing of the request.
    """
    body = json.dumps({"error": {"code": code, "message": message}})
    return error(text=body, content_type="application/json")


def too_large(message: str) -> web.HTTPException:
    """Create a 413. aiohttp's own message needs both sizes, and the body's is not known yet."""
    body = json.dumps({"error": {"code": "MessageSizeTooBig", "message": message}})
    return web.HTTPRequestEntityTooLarge(0, 0, text=body, content_type="application/json")


def refuse_method(method: str, allowed: list[str]) -> web.HTTPException:
    """Create a 405 with its ``Allow`` header (RFC 9110 § 15.5.6)."""
    body = json.dumps({"error": {"code": "MethodNotAllowed", "message": f"use {' or '.join(allowed)}"}})
    return web.HTTPMethodNotAllowed(method, allowed, text=body, content_type="application/json")
