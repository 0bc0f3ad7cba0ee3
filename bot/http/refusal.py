"""How a request is refused: a status and one JSON object that says why."""

from __future__ import annotations

import json

from aiohttp import web


def refusal(error: type[web.HTTPException], code: str, message: str) -> web.HTTPException:
    """An HTTP error with Direct Line's error body, ``{"error": {"code": …, "message": …}}``.

    Direct Line API 3.0 reference § "Errors". Nothing of the request is repeated in it.
    """
    body = json.dumps({"error": {"code": code, "message": message}})
    return error(text=body, content_type="application/json")


def too_large(message: str) -> web.HTTPException:
    """413; aiohttp would have both sizes, of which the larger one is not known yet."""
    body = json.dumps({"error": {"code": "MessageSizeTooBig", "message": message}})
    return web.HTTPRequestEntityTooLarge(0, 0, text=body, content_type="application/json")


def refuse_method(method: str, allowed: list[str]) -> web.HTTPException:
    """405 with its ``Allow`` header (RFC 9110 § 15.5.6)."""
    body = json.dumps({"error": {"code": "MethodNotAllowed", "message": f"use {' or '.join(allowed)}"}})
    return web.HTTPMethodNotAllowed(method, allowed, text=body, content_type="application/json")
