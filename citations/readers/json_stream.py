"""Splits a stream into its JSON documents, by lines or by server-sent events."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple, NoReturn, Protocol

from ..model.errors import AnswerFormatError, EventStreamError
from . import json_text
from .recognition import likely_formats
from .sse import LONGEST_LINE, ServerSentEvent, ServerSentEvents

_LONGEST_REPORT: Final = 200
"""Characters of a provider's error message that are passed on."""
_REPORTS: Final = ("error", "message", "detail", "errorText")
"""The fields that have such a message, or an object with one."""
_LONGEST_NAMED: Final = 32_000_000
"""Characters of an event of a provider that names its events: the last one may repeat generated pictures."""
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"
"""Bytes that may precede the first character: a byte order mark and white space."""
_AS_LINES: Final = ("answer", "llamaindex")
"""The formats whose streams are JSON lines."""
_BESIDE: Final = (b"event:", b"id:", b"retry:", b":")
"""How a line of server-sent events begins that has no data."""


class JsonDocument(NamedTuple):
    """One JSON document, still encoded, and its place in the stream: ``line 3``, ``event 3``."""

    place: str
    data: bytes
    cut: bool = False
    """Whether the stream ended before the document was complete."""


class Framing(Protocol):
    """Splits bytes into documents, however they arrive."""

    @property
    def finished(self) -> bool:
        """Whether the provider has ended the answer. Further bytes are not read."""
        ...

    def feed(self, received: bytes) -> Iterator[JsonDocument]:
        """The documents that these bytes complete."""
        ...

    def close(self) -> Iterator[JsonDocument]:
        """The document that the end of the stream completes or cuts off."""
        ...


class JsonLines:
    """One document per line. Empty lines are skipped, and the last line needs no line feed."""

    def __init__(self) -> None:
        self.finished = False
        self._number = 0
        self._empty = True
        self._unfinished: list[bytes] = []

    def feed(self, received: bytes) -> Iterator[JsonDocument]:
        """The lines that these bytes complete."""
        *lines, rest = received.split(b"\n")
        for line in lines:
            yield from self._end(line)
        self._unfinished.append(rest)

    def close(self) -> Iterator[JsonDocument]:
        """The last line, if it has no line feed."""
        yield from (document._replace(cut=True) for document in self._end(b""))
        if self._empty:
            raise AnswerFormatError("expected JSON lines, got nothing")

    def _end(self, rest: bytes) -> Iterator[JsonDocument]:
        line = b"".join([*self._unfinished, rest])
        self._unfinished.clear()
        self._number += 1
        begun = line.lstrip(_BLANK)
        if begun.startswith(b"data:"):
            advice = _advice(begun.removeprefix(b"data:"), _AS_LINES)
            raise EventStreamError(f"expected JSON lines, got server-sent events{advice}")
        if line.strip() and not begun.startswith(_BESIDE):
            self._empty = False
            yield JsonDocument(f"line {self._number}", line)


class JsonEvents:
    """One document per server-sent event, up to ``[DONE]`` or the end of the stream.

    Events without data keep the connection open. Events with a name other than ``error`` don't belong to
    the answer, unless ``any_name`` says that the provider names all of its events.
    """

    def __init__(self, *, any_name: bool = False) -> None:
        self.finished = False
        self._any_name = any_name
        self._events = ServerSentEvents(_LONGEST_NAMED if any_name else LONGEST_LINE)
        self._begun = False
        self._start = b""
        self._count = 0
        self._empty = True
        self._foreign: ServerSentEvent | None = None
        """The first event that doesn't belong to the answer, because it has a name."""

    def feed(self, received: bytes) -> Iterator[JsonDocument]:
        """The events that these bytes complete."""
        self._look_at_start(received)
        for event in self._events.feed(received):
            if self.finished:
                return
            if event.data.strip():
                yield from self._read(event)

    def close(self) -> Iterator[JsonDocument]:
        """The last event, if no empty line ended it. By the standard it is none.

        Some servers leave that line out, and the last event has the references.
        """
        if self._start and not self._begun:
            self._refuse_json()
        last = self._events.close()
        if last is not None and not self.finished and (last.data or not self._empty):
            yield from (document._replace(cut=True) for document in self._read(last))
        if self._empty and (foreign := self._foreign):
            advice = _advice(foreign.data.encode())
            raise EventStreamError(f"expected events without a name, got {foreign.event[:40]!r}{advice}")
        if self._empty:
            other = "none" if last is None else "another text"
            raise EventStreamError(f"expected server-sent events, got {other}")

    def _look_at_start(self, received: bytes) -> None:
        """Reject a gateway's page, or JSON sent in place of a stream: neither has events or a fault."""
        if self._begun:
            return
        self._start = (self._start + received).lstrip(_BLANK)
        if self._start[:1] == b"<":
            raise EventStreamError("expected server-sent events, got an HTML page")
        if self._start[:1] not in (b"{", b"["):
            self._begun = bool(self._start)
        elif b"\n" in self._start:
            self._refuse_json()

    def _refuse_json(self) -> NoReturn:
        advice = _advice(self._start.partition(b"\n")[0])
        raise EventStreamError(f"expected server-sent events, got JSON{advice}")

    def _read(self, event: ServerSentEvent) -> Iterator[JsonDocument]:
        self._count += 1
        place = f"event {self._count}"
        if event.event == "error":
            raise AnswerFormatError(error_line(_decode(event.data.encode())), place=place)
        if event.event != "message" and not self._any_name:
            self._foreign = self._foreign or event
            return
        if event.data.strip() == "[DONE]":
            self.finished = True
            return
        self._empty = False
        yield JsonDocument(place, event.data.encode())


def _decode(data: bytes) -> object:
    try:
        return json_text.loads(data)
    except AnswerFormatError:
        return data.decode("utf-8", "replace")


def _advice(data: bytes, others: Collection[str] = ()) -> str:
    """Which format has what begins with this document, where it is known and none of ``others``."""
    likely = [one for one in likely_formats(_decode(data)) if one not in others]
    return f": it has the format {' or '.join(likely)}" if likely else ""


def error_line(error: object) -> str:
    """A provider's error message as one printable line."""
    said = error_text(error)
    return f"the provider reported an error: {said}" if said else "the provider reported an error"


def error_text(error: object) -> str:
    """The message in a provider's error; empty if it has none."""
    while isinstance(error, Mapping):
        error = next((error[key] for key in _REPORTS if error.get(key)), None)
    text = error if isinstance(error, str) else ""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:_LONGEST_REPORT]
