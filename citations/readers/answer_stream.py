"""What a provider sends into the events of an answer: bytes of a stream, or one whole response."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from ..model.answer import (
    Answer,
    AnswerEvent,
    Cut,
    Origin,
    OriginKnown,
    ReferencesFound,
    SubqueriesKnown,
    TextCut,
    TextDelta,
    TextReplaced,
    text_of,
)
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError, EventStreamError
from . import json_text
from .finish_reason import FinishReason
from .json_stream import Framing, JsonDocument, error_line
from .surrogates import SurrogatePairs


class EventReader(Protocol):
    """Reads the JSON documents of one provider's answer, one after the other."""

    dialect: Dialect | None
    """How the answer's markers are written; what the first document says of it holds."""

    @property
    def finish(self) -> FinishReason:
        """What the documents say of why the answer finishes."""

    def read(self, data: object) -> Iterable[AnswerEvent]:
        """What this document says; raises :class:`AnswerFormatError`."""
        ...

    def close(self) -> Iterable[AnswerEvent]:
        """What the end of the stream says: text that was held back until then."""
        ...


class AnswerStream:
    """One answer as a provider streams it: feed it bytes, iterate over what they say, close it.

    Each item is what one event, or one line, of the provider says: there may be something to show
    after it. A fault is raised where it stands, behind all that came before it, so that this can
    still be shown: :class:`AnswerFormatError` with the place and the JSON path, also where the
    provider reports an error, or :class:`EventStreamError`.
    """

    def __init__(self, framing: Framing, reader: EventReader) -> None:
        self._framing = framing
        self._reader = reader
        self._pairs = SurrogatePairs()

    @property
    def dialect(self) -> Dialect | None:
        """How the answer's markers are written, once the first item is there."""
        return self._reader.dialect

    @property
    def cut(self) -> Cut | None:
        """Why the answer ends too early, once the stream is closed; None where nothing says that it does."""
        return self._reader.finish.cut

    @property
    def finished(self) -> bool:
        """The provider said that this was all, although the stream may be open; close it."""
        return self._framing.finished

    @property
    def complete(self) -> bool:
        """The model has written all that it will; a count of tokens may follow."""
        return self.finished or self._reader.finish.known

    def feed(self, received: bytes) -> Iterator[tuple[AnswerEvent, ...]]:
        """What these bytes complete; the bytes count as read when the iterator is exhausted."""
        for document in self._framing.feed(received):
            yield self._read(document)

    def close(self) -> Iterator[tuple[AnswerEvent, ...]]:
        """The stream has ended: what that completes. Raises for one that ends too early, or is empty.

        A chat completion says why it finishes, or ``[DONE]``; one that says neither has broken off.
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
    """The answer that ``reader`` has read: ``events`` is what its documents say."""
    said = [*events, *reader.close()]
    return Answer(
        text=text_of(said),
        references=tuple(
            one for event in said if isinstance(event, ReferencesFound) for one in event.references
        ),
        dialect=reader.dialect,
        origin=next((event.origin for event in reversed(said) if isinstance(event, OriginKnown)), Origin()),
        subqueries=next(
            (event.subqueries for event in reversed(said) if isinstance(event, SubqueriesKnown)), ()
        ),
        cut=reader.finish.cut,
    )
