"""Server-sent events: bytes become events, however they were cut.

WHATWG HTML § 9.2.6, "Interpreting an event stream". Ids and retry times are ignored: one answer doesn't
need them.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

from ..model.errors import EventStreamError

LONGEST_LINE: Final = 1_000_000
"""Characters of one line. A longer line means that the bytes are no event stream."""


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One event: its type and its data, whose lines are joined by line feeds."""

    data: str
    event: str = "message"


class ServerSentEvents:
    """Decodes one stream. Bytes that are not UTF-8 become U+FFFD, as the standard says.

    ``longest`` is the limit of a line and of an event, in characters.
    """

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._begun = False
        self._line: list[str] = []
        self._length = 0
        self._after_return = False
        self._data: list[str] = []
        self._size = 0
        self._event = ""

    def feed(self, received: bytes) -> list[ServerSentEvent]:
        """The events that these bytes complete. An event that the stream's end cuts off is none.

        Raises :class:`EventStreamError` for a line or an event beyond the limits.
        """
        text = self._decoder.decode(received)
        if text and not self._begun:
            self._begun = True
            text = text.removeprefix("\ufeff")
        found = [event for line in self._lines(text) if (event := self._read(line))]
        if max(self._length, self._size) > self._longest:
            raise EventStreamError("a line of the event stream is too long")
        return found

    def close(self) -> ServerSentEvent | None:
        """The event that the end of the stream cut off, as far as it arrived. By the standard it is none."""
        line = "".join(self._line) + self._decoder.decode(b"", final=True)
        if line:
            self._read(line)
        begun, event = line.partition(":")[0].strip() or self._event, self._event or "message"
        return self._dispatch() or (ServerSentEvent("", event) if begun else None)

    def _lines(self, text: str) -> list[str]:
        """The complete lines. CR LF, LF and CR end a line, even a CR LF in two pieces."""
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
        return None  # a comment begins with a colon: its field has no name

    def _dispatch(self) -> ServerSentEvent | None:
        data, event = self._data, self._event
        self._data, self._size, self._event = [], 0, ""
        return ServerSentEvent("\n".join(data), event or "message") if data else None
