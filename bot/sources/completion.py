"""What a server of OpenAI's API sends for one chat completion: bytes become the text that a person reads.

Governing source: OpenAI API reference, "Create chat completion", streamed as server-sent events.
What servers do besides (a JSON body in spite of ``stream``, an ``error`` in the middle, chunks
without choices, an HTML page with status 200, thoughts before the answer) is met here.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, Final, Protocol

from citations import Cut, EventStreamError
from citations.readers import ServerSentEvents, VisibleText

from .errors import AnswerTooLong, SourceRefused, SourceUnavailable, cut_short
from .provider import LONGEST_ANSWER

_LARGEST: Final = 4_000_000
"""Bytes of an answer that comes as one JSON body."""


class WritingError(SourceUnavailable):
    """The model gave no answer that can be shown, or not the whole of it."""

    notice = "This answer is not complete: the model that writes it broke off. Please try again."


class RefusedError(SourceRefused):
    """The model would not say this."""

    notice = "This answer is not complete: the model refused to go on."


class Completion(Protocol):
    """One completion as it arrives: feed it bytes, however they were cut, then close it.

    Both give text that can be shown at once, and raise a :class:`~.SourceError` behind it where
    there can be no more.
    """

    @property
    def finished(self) -> bool:
        """The model has written all that it will; what may follow is of no use to the answer."""

    @property
    def ended(self) -> bool:
        """Nothing follows."""

    def feed(self, received: bytes) -> Iterator[str]:
        """The text that these bytes complete."""
        ...

    def close(self) -> Iterator[str]:
        """The text that the end of the response completes."""
        ...


def read_completion(content_type: str) -> Completion:
    """What reads a response of this media type; a server may send JSON in spite of ``stream``."""
    if content_type == "text/event-stream":
        return CompletionStream()
    if content_type == "application/json":
        return CompletionBody()
    raise WritingError(f"the server sent {content_type}, which is no answer")


class CompletionStream:
    """A completion as server-sent events, up to ``[DONE]`` or the end of the response."""

    def __init__(self) -> None:
        self.ended = False
        self._events = ServerSentEvents()
        self._words = _Words()

    @property
    def finished(self) -> bool:
        """The model gave its reason for finishing, or the server said that this was all."""
        return self.ended or self._words.reason is not None

    def feed(self, received: bytes) -> Iterator[str]:
        """The text of the events that these bytes complete."""
        try:
            events = self._events.feed(received)
        except EventStreamError as error:
            raise WritingError(f"the answer broke off ({error})") from error
        for event in events:
            yield from self._read(event.event, event.data)

    def close(self) -> Iterator[str]:
        """The text of the last event, if no empty line ended it; by the standard that is none.

        Servers leave that line out, though, and the last event may say that the answer is whole.
        """
        last = self._events.close()
        if last is not None and last.data and not self.finished:
            yield from self._read(last.event, last.data)
        if not self.finished:
            raise WritingError("the stream ended before the answer did")
        yield from self._words.close()

    def _read(self, name: str, data: str) -> Iterator[str]:
        if self.ended:
            return
        if name == "error":
            raise WritingError("the server reported an error within its answer")
        if data.strip() == "[DONE]":
            self.ended = True
        else:
            yield from self._words.read(_parse(data), "delta")


class CompletionBody:
    """A completion as one JSON body."""

    finished: Final = False
    ended: Final = False

    def __init__(self) -> None:
        self._received = bytearray()

    def feed(self, received: bytes) -> Iterator[str]:
        """No text: JSON can be read when it is whole."""
        self._received += received
        if len(self._received) > _LARGEST:
            raise AnswerTooLong("the answer has no end")
        yield from ()

    def close(self) -> Iterator[str]:
        """The whole answer."""
        words = _Words()
        yield from words.read(_parse(self._received), "message")
        yield from words.close()


class _Words:
    """The text of a completion, out of its chunks or its one message."""

    def __init__(self) -> None:
        self.reason: str | None = None
        """Why the model finished."""
        self._count = 0
        self._visible = VisibleText()
        self._text = TrimmedText()

    def read(self, chunk: dict[str, Any], part: str) -> Iterator[str]:
        content, reason = _first_choice(chunk, part)
        self._count += len(content)
        if self._count > LONGEST_ANSWER:
            raise AnswerTooLong("the answer has no end")
        if text := self._text.feed(self._visible.feed(content)):
            yield text
        self.reason = reason or self.reason

    def close(self) -> Iterator[str]:
        if text := self._text.feed(self._visible.close()) + self._text.close():
            yield text
        cut = Cut.of(self.reason)
        if not self._text.begun and cut is not Cut.CONTENT_FILTER:
            raise WritingError("the answer is empty")
        if cut:
            raise cut_short(cut)


class TrimmedText:
    """Deltas of a text without the white space around it, which is held back until text follows it."""

    def __init__(self) -> None:
        self.begun = False
        """Whether there was any text to show."""
        self._characters = codecs.getincrementaldecoder("utf-16-le")("replace")
        self._spaces: list[str] = []

    def feed(self, delta: str) -> str:
        """What these characters add to the text that is shown; it may be empty."""
        # A program that counts UTF-16 may cut a character beyond U+FFFF in two; a half alone is U+FFFD.
        return self._trim(self._characters.decode(delta.encode("utf-16-le", "surrogatepass")))

    def close(self) -> str:
        """What the end of the text adds to it."""
        return self._trim(self._characters.decode(b"", final=True))

    def _trim(self, text: str) -> str:
        if not self.begun:
            text = text.lstrip()
        shown = text.rstrip()
        spaces = text[len(shown) :]
        if shown:
            self.begun = True
            shown = "".join([*self._spaces, shown])
            self._spaces.clear()
        if spaces:
            self._spaces.append(spaces)
        return shown


def _parse(data: str | bytes | bytearray) -> dict[str, Any]:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WritingError("the server sent something that is not JSON") from error
    if not isinstance(parsed, dict):
        raise WritingError("the server sent JSON that is no answer")
    if parsed.get("error"):
        raise WritingError("the server reported an error within its answer")
    return parsed


def _first_choice(chunk: dict[str, Any], part: str) -> tuple[str, str | None]:
    """The text of the first choice, and why it finished if it did; a chunk may have no choices."""
    choices = chunk.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else {}
    said = choice.get(part) if isinstance(choice, dict) else None
    said = said if isinstance(said, dict) else {}
    reason = choice.get("finish_reason") if isinstance(choice, dict) else None
    if said.get("refusal"):
        raise RefusedError("the model refused to answer")
    content = said.get("content")
    return content if isinstance(content, str) else "", reason if isinstance(reason, str) and reason else None
