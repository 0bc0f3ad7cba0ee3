"""The response of a provider, and the error of one whose HTTP status is not 200 (RFC 9110 § 15)."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import aiohttp

from citations import AnswerFormatError

from ...resilience.breaker import retry_after
from ...resilience.steps import run_step
from ..errors import (
    AnswerTooLong,
    KeyRefused,
    NotFoundAtSource,
    SourceBrokeOff,
    SourceBusy,
    SourceError,
    SourceRefused,
    SourceUnavailable,
    UnknownModel,
)

_Made = TypeVar("_Made")

LARGEST_BODY: Final = 4_000_000
"""The limit in bytes of a body that is one JSON value."""


@dataclass(frozen=True, slots=True)
class ProviderResponse:
    """The response to one request, whose body is not read yet."""

    response: aiohttp.ClientResponse

    @property
    def content_type(self) -> str:
        """The media type, without its parameters."""
        return self.response.content_type

    async def read(self) -> bytes:
        """The next bytes; empty at the end. Raises :class:`SourceBrokeOff`."""
        # Bytes that are there before they are asked for come without a turn of the event loop.
        await asyncio.sleep(0)
        try:
            return await self.response.content.readany()
        except aiohttp.ClientError as error:
            raise SourceBrokeOff(f"the answer broke off ({type(error).__name__})") from error


def _keep(value: Any) -> Any:
    return value


async def read_json(read: Callable[[], Awaitable[bytes]], make: Callable[[Any], _Made] = _keep) -> _Made:
    """What ``make`` makes of the JSON value whose bytes ``read`` gives.

    Raises :class:`AnswerTooLong` for more than :data:`LARGEST_BODY` bytes, and
    :class:`AnswerFormatError` for bytes that are no JSON.
    """
    received = bytearray()
    while more := await read():
        received += more
        if len(received) > LARGEST_BODY:
            raise AnswerTooLong("the answer has no end")
    return await run_step(lambda: make(_parse(received)), len(received))


def _parse(received: bytearray) -> Any:
    try:
        return json.loads(received)
    except (ValueError, RecursionError):
        raise AnswerFormatError("not JSON") from None


EXPLAINED: Final = frozenset({400, 404})
"""The statuses whose body tells a wrong name in the settings from a wrong request."""
_TRANSIENT: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_BUSY: Final = frozenset({429, 529})
"""529 is Anthropic's for a server with too much to do."""
_REFUSED: Final = frozenset({401, 403})
_KEY: Final = re.compile(rb"api[ _]key", re.IGNORECASE)
"""Google's server says so with status 400."""
_MODEL: Final = re.compile(rb"model", re.IGNORECASE)
_WRONG_MODEL: Final = re.compile(
    # Mistral, Perplexity; OpenRouter; LiteLLM; Open WebUI.
    rb"invalid_model|not a valid model|invalid model|model[^.{}]{0,80}(?:not found|not exist)",
    re.IGNORECASE,
)


def status_error(status: int, wait: str | None = None, body: bytes = b"") -> SourceError:
    """The error for ``status``; ``wait`` is the value of ``Retry-After``, if there is one.

    ``body`` is the beginning of the response's body, which is read for :data:`EXPLAINED` only. The error
    does not repeat it, because it may quote the question. Transient are 408, 409, 425, 429, 500, 502, 503,
    504 and 529.
    """
    reason = f"it answered with status {status}"
    if status == 402:
        return KeyRefused("it wants to be paid first (status 402)", status)
    if status in _REFUSED or (status == 400 and _KEY.search(body)):
        return KeyRefused(f"it refuses the key (status {status})", status)
    if status in EXPLAINED and (_MODEL if status == 404 else _WRONG_MODEL).search(body):
        return UnknownModel()
    if status == 404 or 300 <= status < 400:
        return NotFoundAtSource(reason)
    if status in _TRANSIENT or status >= 500 or status < 300:
        kind = SourceBusy if status in _BUSY else SourceUnavailable
        return kind(reason, transient=status in _TRANSIENT, after=retry_after(wait))
    return SourceRefused(reason)
