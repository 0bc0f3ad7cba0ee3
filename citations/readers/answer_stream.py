"""A provider's bytes become the events of an answer, streamed or as one whole response."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from ..model.answer import (
    Answer,
    AnswerEvent,
    Cut,
    TextCut,
    TextDelta,
    TextReplaced,
    answer_of,
)
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError, EventStreamError
from . import json_text
from .finish_reason import FinishReason
from .json_stream import Framing, JsonDocument, error_line
from .surrogates import SurrogatePairs


class EventReader(Protocol):
    """Reads the JSON documents of one provider's answer, one after the other."""

    @property
    def dialect(self) -> Dialect | None:
        """The dialect of the answer's markers, once the first document was read."""

    @property
    def finish(self) -> FinishReason:
        """Why the answer finishes, as far as the documents say."""

    def read(self, data: object) -> Iterable[AnswerEvent]:
        """The events of this document; raises :class:`AnswerFormatError`."""
        ...

    def close(self) -> Iterable[AnswerEvent]:
        """The events at the end of the stream: text that was held back."""
        ...


class AnswerStream:
    """One answer as a provider streams it: feed it bytes, iterate over its events, and close it.

    Each item has the events of one document, so that an interim can be shown after it. A fault is raised
    in its place, behind all earlier items. It is an :class:`AnswerFormatError` with the place and the
    JSON path, or an :class:`EventStreamError`. An error that the provider reports is raised, too.
    """

    def __init__(self, framing: Framing, reader: EventReader) -> None:
        self._framing = framing
        self._reader = reader
        self._pairs = SurrogatePairs()

    @property
    def dialect(self) -> Dialect | None:
        """The dialect of the answer's markers, once the first item is there."""
        return self._reader.dialect

    @property
    def cut(self) -> Cut | None:
        """Why the answer ends too early, once the stream is closed; None if no document says so."""
        return self._reader.finish.cut

    @property
    def finished(self) -> bool:
        """Whether the provider has ended the answer. The stream may still be open; close it."""
        return self._framing.finished

    @property
    def complete(self) -> bool:
        """Whether the model has finished its text. A count of tokens may follow."""
        return self.finished or self._reader.finish.known

    def feed(self, received: bytes) -> Iterator[tuple[AnswerEvent, ...]]:
        """The items that these bytes complete. The bytes count as read once the iterator is exhausted."""
        for document in self._framing.feed(received):
            yield self._read(document)

    def close(self) -> Iterator[tuple[AnswerEvent, ...]]:
        """The items that the end of the stream completes.

        Raises for a stream that is empty or ends too early.

        A chat completion ends with a finish reason or ``[DONE]``. Without either it has broken off.
        """
        for document in self._framing.close():
            yield self._read(document)
        if rest := tuple(self._rejoin(self._reader.close())):
            yield rest
        if half := self._pairs.close():
            yield (TextDelta(half),)
        if self.cut:
            yield (TextCut(self.cut),)
        if self._reader.finish.missing and not self.finished:
            raise EventStreamError("the stream ended before the answer did")

    def answer(self, data: object) -> Answer:
        """The answer of a whole response in place of a stream, as decoded JSON."""
        return whole_answer(self._reader, self._reader.read(data))

    def _read(self, document: JsonDocument) -> tuple[AnswerEvent, ...]:
        try:
            data = json_text.loads(document.data)
            if isinstance(data, Mapping) and data.get("error"):
                raise AnswerFormatError(error_line(data), "$.error")
            return tuple(self._rejoin(self._reader.read(data)))
        except AnswerFormatError as error:
            fault = f"{error.fault} (the stream ends here)" if document.cut else error.fault
            raise AnswerFormatError(fault, error.path, document.place) from None

    def _rejoin(self, events: Iterable[AnswerEvent]) -> Iterator[AnswerEvent]:
        for event in events:
            if isinstance(event, TextReplaced):
                self._pairs.close()
            if not isinstance(event, TextDelta):
                yield event
            elif text := self._pairs.feed(event.text):
                yield TextDelta(text)


def whole_answer(reader: EventReader, events: Iterable[AnswerEvent]) -> Answer:
    """The answer of a whole response; ``events`` are those of its documents."""
    answer = answer_of((*events, *reader.close()))
    return replace(answer, dialect=reader.dialect, cut=reader.finish.cut)
