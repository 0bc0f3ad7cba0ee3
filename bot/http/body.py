"""The JSON in bodies: a request's object, read with limits of size and time, and what is answered."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from aiohttp import hdrs, web

from citations.text import without_turns

from ..telemetry import HungUp, emit
from ..telemetry.log import logger
from .refusal import refusal

LARGEST: Final = 256 * 1024
"""Bytes. The connector's limit for an activity is 262,144."""
TIMEOUT: Final = 5.0
"""Seconds for a body, after the headers."""

log = logger(__name__)


async def read_object(request: web.Request) -> dict[str, object]:
    """Read a request's body as a JSON object.

    Raises 400 for anything else, 408 after :data:`TIMEOUT`, 413 above the application's size limit, and
    415 for a compressed body.
    """
    try:
        body = json.loads(await _read(request), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body is not JSON") from None
    if not isinstance(body, dict):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body must be a JSON object")
    return body


def write_json(value: object) -> str:
    """Encode ``value`` without the controls that turn the writing, which a person would see turned."""
    written = without_turns(json.dumps(value, ensure_ascii=False))
    # UTF-8 can't encode a lone surrogate. JSON can escape it (RFC 8259 § 8.2).
    return written.encode("utf-8", "backslashreplace").decode()


async def _read(request: web.Request) -> bytes:
    # RFC 9110 § 15.5.16. No channel compresses, and a few bytes may decompress to a gigabyte.
    if request.headers.get(hdrs.CONTENT_ENCODING, "identity").strip().lower() != "identity":
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send it without compression")
    reading = asyncio.create_task(request.read())
    try:
        # A process that goes on after a stop sees its timers before what came meanwhile.
        for seconds in (TIMEOUT, 0):
            await asyncio.wait([reading], timeout=seconds)
            if reading.done():
                return reading.result()
    except (web.RequestPayloadError, ConnectionError):
        # The connection broke, or the chunked encoding is invalid.
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body is not what its headers say") from None
    finally:
        reading.cancel()
    log.warning("connection closed", reason="body timeout")
    emit(HungUp("body timeout"))
    timed_out = refusal(web.HTTPRequestTimeout, "RequestTimeout", "the body did not come in time")
    timed_out.force_close()
    raise timed_out


def _refuse_constant(name: str) -> None:
    """Python's parser accepts ``NaN`` and ``Infinity``, which are not JSON (RFC 8259 § 6)."""
    raise ValueError(name)
