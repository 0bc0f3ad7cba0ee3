"""The response of a provider, whichever library received it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from citations import AnswerFormatError

from ..errors import AnswerTooLong, SourceBrokeOff

LARGEST_BODY: Final = 4_000_000
"""The limit in bytes of a body that is one JSON value."""


@dataclass(frozen=True, slots=True)
class ProviderResponse:
    """The response to one request, whose body is not read yet.

    ``read_bytes`` gives the next bytes of the body, and none at its end. It raises ``lost`` if the
    connection is lost.
    """

    content_type: str
    read_bytes: Callable[[], Awaitable[bytes]]
    lost: type[Exception]

    async def read(self) -> bytes:
        """The next bytes; empty at the end. Raises :class:`SourceBrokeOff`."""
        try:
            return await self.read_bytes()
        except self.lost as error:
            raise SourceBrokeOff(f"the answer broke off ({type(error).__name__})") from error


async def read_json(read: Callable[[], Awaitable[bytes]]) -> Any:
    """The JSON value whose bytes ``read`` gives.

    Raises :class:`AnswerTooLong` for more than :data:`LARGEST_BODY` bytes, and
    :class:`AnswerFormatError` for bytes that are no JSON.
    """
    received = bytearray()
    while more := await read():
        received += more
        if len(received) > LARGEST_BODY:
            raise AnswerTooLong("the answer has no end")
    try:
        return json.loads(received)
    except (ValueError, RecursionError):
        raise AnswerFormatError("not JSON") from None
