"""Splits a stream into JSON documents, whichever form it was saved in.

A provider sends server-sent events. Programs also save a stream as one event a line, or as an array. Gemini
streams an array itself unless it is asked for events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..model.errors import AnswerFormatError, EventStreamError
from .json_stream import Framing, JsonDocument, JsonEvents

_BLANK: Final = b" \t\r\n"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_LENGTH: Final = b"\0"
"""How a message of ``application/vnd.amazon.eventstream`` begins: its length has four bytes."""
_BINARY: Final = (
    "expected server-sent events or JSON, got AWS' binary event stream: decode it, as boto3 does, "
    "and hand over each event as a line of JSON"
)
_BETWEEN: Final = re.compile(rb"[ \t\r\n,\x1e]*")
"""What may stand between two documents. RFC 7464 writes U+001E before each."""
_OUTSIDE: Final = re.compile(rb'["{}\[\]]')
_STRING: Final = re.compile(rb'["\\]')


class EventsOrJson:
    """Server-sent events of any name, JSON documents one behind the other, or an array of them."""

    def __init__(self) -> None:
        self._begun = b""
        self._framing: Framing | None = None

    @property
    def finished(self) -> bool:
        """Whether the provider has ended the answer. Further bytes are not read."""
        return self._framing is not None and self._framing.finished

    def feed(self, received: bytes) -> Iterator[JsonDocument]:
        """The documents that these bytes complete."""
        if self._framing is None:
            self._begun += received
            start = self._begun.removeprefix(_BYTE_ORDER_MARK).lstrip(_BLANK)
            if not start or _BYTE_ORDER_MARK.startswith(self._begun):
                return
            if start.startswith(_LENGTH):
                raise EventStreamError(_BINARY)
            self._framing = JsonDocuments() if start[:1] in (b"{", b"[") else JsonEvents(any_name=True)
            received, self._begun = (start if start[:1] in (b"{", b"[") else self._begun), b""
        yield from self._framing.feed(received)

    def close(self) -> Iterator[JsonDocument]:
        """The document that the end of the stream completes or cuts off."""
        framing = self._framing or JsonEvents(any_name=True)
        if self._framing is None:
            yield from framing.feed(self._begun)
        yield from framing.close()


class JsonDocuments:
    """Objects one behind the other, on a line each or on several, or the items of one array."""

    def __init__(self) -> None:
        self.finished = False
        self._count = 0
        self._depth = 0
        self._base = 0
        """The depth of the documents: 1 in an array."""
        self._quoted = False
        self._escaped = False
        self._ended = False
        """Whether the array has ended."""
        self._pieces: list[bytes] = []

    def feed(self, received: bytes) -> Iterator[JsonDocument]:
        """The documents that these bytes complete."""
        place = 0
        while place < len(received):
            if not self._pieces:
                place = self._begin(received, place)
                continue
            end = self._end_of(received, place)
            self._pieces.append(received[place:end])
            place = end
            if self._depth == self._base and not self._quoted:
                yield self._document(cut=False)

    def close(self) -> Iterator[JsonDocument]:
        """The document that the end of the stream cuts off."""
        if self._pieces:
            yield self._document(cut=True)
        if not self._count:
            raise EventStreamError("expected events, got none")

    def _begin(self, received: bytes, place: int) -> int:
        """Find where the next document begins, and return the place from which it is to be read."""
        between = _BETWEEN.match(received, place)
        place = between.end() if between else place
        sign = received[place : place + 1]
        if not sign:
            return place
        if sign == b"[" and not self._count and not self._base:
            self._base = self._depth = 1
        elif sign == b"]" and self._base and not self._ended:
            self._ended = True
        elif sign == b"{" and not self._ended:
            self._pieces.append(b"")
            return place
        else:
            raise AnswerFormatError("expected a JSON object", place=f"event {self._count + 1}")
        return place + 1

    def _end_of(self, received: bytes, place: int) -> int:
        """Where the document ends, or these bytes do."""
        while place < len(received):
            if self._escaped:
                self._escaped = False
                place += 1
                continue
            sign = (_STRING if self._quoted else _OUTSIDE).search(received, place)
            if sign is None:
                return len(received)
            place = sign.end()
            match sign[0]:
                case b"\\":
                    self._escaped = True
                case b'"':
                    self._quoted = not self._quoted
                case b"{" | b"[":
                    self._depth += 1
                case _:
                    self._depth -= 1
                    if self._depth == self._base:
                        return place
        return place

    def _document(self, *, cut: bool) -> JsonDocument:
        self._count += 1
        data = b"".join(self._pieces)
        self._pieces.clear()
        return JsonDocument(f"event {self._count}", data, cut)
