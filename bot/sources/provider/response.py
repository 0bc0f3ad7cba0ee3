"""The response of a provider."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import aiohttp

from citations import AnswerFormatError

from ...resilience.steps import run_step
from ..errors import AnswerTooLong, SourceBrokeOff

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
