"""A body that is one JSON value: its bytes are collected up to a limit, then decoded."""

from __future__ import annotations

import json
from typing import Any, Final

from citations import AnswerFormatError

from ..errors import AnswerTooLong

LARGEST_BODY: Final = 4_000_000
"""The limit in bytes."""


class JsonBody:
    """Collects the bytes of a body, and decodes them at its end."""

    def __init__(self) -> None:
        self._received = bytearray()

    def feed(self, received: bytes) -> None:
        """Add bytes. Raises :class:`AnswerTooLong` for more than :data:`LARGEST_BODY`."""
        self._received += received
        if len(self._received) > LARGEST_BODY:
            raise AnswerTooLong("the answer has no end")

    def decode(self) -> Any:
        """The JSON value. Raises :class:`AnswerFormatError` for bytes that are no JSON."""
        try:
            return json.loads(self._received)
        except (ValueError, RecursionError):
            raise AnswerFormatError("not JSON") from None
