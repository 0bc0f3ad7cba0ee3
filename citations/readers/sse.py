"""Server-sent events: bytes, however they were cut, into events.

WHATWG HTML § 9.2.6, "Interpreting an event stream". Ids and retry times are of no use to one answer.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

from ..model.errors import EventStreamError

LONGEST_LINE: Final = 1_000_000
"""Characters of one line; a longer one is no event stream."""


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One event: its data, its lines joined by line feeds, and its type."""

    data: str
    event: str = "message"


class ServerSentEvents:
    """Decodes one stream. Bytes that are no UTF-8 become U+FFFD, as the standard says."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._begun = False
        self._line: list[str] = []
        self._length = 0
        self._after_return = False
        self._data: list[str] = []
        self._size = 0
        self._event = ""

    def feed(self, received: bytes) -> list[ServerSentEvent]:
        """Events that these bytes complete; an event that the stream's end cuts off is none.

        Raises :class:`EventStreamError` for a line, or an event, beyond all measure.
        """
        text = self._decoder.decode(received)
        if text and not self._begun:
            self._begun = True
            text = text.removeprefix("\ufeff")
        found = [event for line in self._lines(text) if (event := self._read(line))]
        if max(self._length, self._size) > LONGEST_LINE:
            raise EventStreamError("a line of the event stream is too long")
        return found

    def close(self) -> ServerSentEvent | None:
        """The event that the end of the stream cut off, as far as it came; by the standard it is none."""
        line = "".join(self._line) + self._decoder.decode(b"", final=True)
        if line:
            self._read(line)
        begun, event = line.partition(":")[0].strip() or self._event, self._event or "message"
        return self._dispatch() or (ServerSentEvent("", event) if begun else None)

    def _lines(self, text: str) -> list[str]:
        """Complete lines: CR LF, LF and CR end them, CR LF even when it comes in two halves."""
        if self._after_return and text:
            text = text.removeprefix("\n")
            self._after_return = False
        self._after_return = text.endswith("\r") or (self._after_return and not text)
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if lines:
            lines[0] = "".join([*self._line, lines[0]])
            self._line, self._length = [], 0
        self._line.append(rest)
        self._length += len(rest)
        return lines

    def _read(self, line: str) -> ServerSentEvent | None:
        if not line:
            return self._dispatch()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
            self._size += len(value)
        elif field == "event":
            self._event = value
        return None  # a comment starts with a colon: its field has no name

    def _dispatch(self) -> ServerSentEvent | None:
        data, event = self._data, self._event
        self._data, self._size, self._event = [], 0, ""
        return ServerSentEvent("\n".join(data), event or "message") if data else None
