"""The JSON object in a request, read within limits."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from aiohttp import hdrs, web

from .refusal import refusal

LARGEST: Final = 256 * 1024
"""Bytes: the connector's own limit for an activity is 262,144."""
PATIENCE: Final = 5.0
"""Seconds that a body has to come in, once its headers are there."""


async def read_object(request: web.Request) -> dict[str, object]:
    """The JSON object of a request's body.

    400 if it is none, 408 if it doesn't come within :data:`PATIENCE`, 413 if it is larger than the
    application allows, 415 if it is compressed.
    """
    try:
        body = json.loads(await _read(request), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body is not JSON") from None
    if not isinstance(body, dict):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body must be a JSON object")
    return body


async def _read(request: web.Request) -> bytes:
    # RFC 9110 § 15.5.16. No channel compresses, and few bytes can become a gigabyte.
    if request.headers.get(hdrs.CONTENT_ENCODING, "identity").strip().lower() != "identity":
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send it without compression")
    try:
        async with asyncio.timeout(PATIENCE):
            return await request.read()
    except TimeoutError:
        slow = refusal(web.HTTPRequestTimeout, "RequestTimeout", "the body did not come in time")
        slow.force_close()
        raise slow from None
    except (web.RequestPayloadError, ConnectionError):
        # It broke off, or its chunks are none.
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body is not what its headers say") from None


def _refuse_constant(name: str) -> None:
    """``NaN`` and ``Infinity`` are Python's, and no JSON (RFC 8259 § 6)."""
    raise ValueError(name)
