"""A provider's bytes become the events of an answer, streamed or as one whole response."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Protocol

from ..markers.half_marker import find_half_marker
from ..model.answer import Answer, Cut, Dialect
from ..model.answer_event import (
    AnswerEvent,
    ProblemFound,
    ReferencesFound,
    TextCut,
    TextDelta,
    TextReplaced,
    answer_of,
)
from ..model.errors import AnswerFormatError, CitationError, EventStreamError, Problem
from ..model.typed import expect
from ..text.encoding import SurrogatePairs
from . import json_text
from .finish_reason import FinishReason, report_empty
from .json_stream import Framing, JsonDocument, error_line, error_text
from .loose_json import plain
from .recognition import expect_format, nothing_read

_ENDS_IN_MARKER: Final = Problem(
    "answer-cut", "$.text", "the stream ended in the middle of a marker: the end of the answer is missing"
)

_FAILED: Final = Problem(
    "answer-cut", "$.text", "the provider says that the model failed: the end of the answer is missing"
)


class EventReader(Protocol):
    """Reads the JSON documents of one provider's answer, one after the other."""

    @property
    def form(self) -> str:
        """The name of the format; empty for one that no name has."""

    @property
    def dialect(self) -> Dialect | None:
        """The dialect of the answer's markers, once the first document was read."""

    @property
    def finish(self) -> FinishReason:
        """Why the answer finishes, as far as the documents say."""

    @property
    def refuses_others(self) -> bool:
        """Whether a document without a field that it knows raises an error."""

    def read(self, data: object) -> Iterable[AnswerEvent]:
        """The events of this document; raises :class:`AnswerFormatError`."""
        ...

    def read_whole(self, data: object) -> Iterable[AnswerEvent]:
        """The events of a whole response in place of a stream; raises :class:`AnswerFormatError`."""
        ...

    def close(self) -> Iterable[AnswerEvent]:
        """The events at the end of the stream: text that was held back."""
        ...


class AnswerStream:
    """One answer as a provider streams it: feed it bytes, iterate over its events, and close it.

    Each item has the events of one document, so that an interim can be shown after it. A fault is raised
    in its place, behind all earlier items. It is an :class:`AnswerFormatError` with the place and the
    JSON path, or an :class:`EventStreamError`. An error that the provider reports is raised, too.

    ``strict`` refuses a chat completion with the sources of another format.
    """

    def __init__(self, framing: Framing, reader: EventReader, *, strict: bool = False) -> None:
        self._framing = framing
        self._reader = reader
        self._strict = strict
        self._pairs = SurrogatePairs()
        self._outcome = _Understood(reader)

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
        finish = self._reader.finish
        return not finish.failed and (self.finished or finish.known)

    def feed(self, received: bytes) -> Iterator[tuple[AnswerEvent, ...]]:
        """The items that these bytes complete. The bytes count as read once the iterator is exhausted."""
        expect(received, bytes, "feed takes bytes, as they were received")
        try:
            for document in self._framing.feed(received):
                yield self._read(document)
        except CitationError:
            # What the block cites that was being written came before the fault.
            if rest := tuple(self._rejoin(self._reader.close())):
                yield rest
            raise

    def close(self) -> Iterator[tuple[AnswerEvent, ...]]:
        """The items that the end of the stream completes.

        Raises for a stream that is empty or ends too early.

        A chat completion ends with a finish reason or ``[DONE]``. Without either it has broken off.
        """
        for document in self._framing.close():
            yield self._read(document)
        if rest := tuple(self._rejoin(self._reader.close())):
            yield rest
        last = (TextDelta(half),) if (half := self._pairs.close()) else ()
        if last:
            yield last
        if empty := self._outcome.report((*rest, *last)):
            yield (ProblemFound(empty),)
        if self.cut:
            yield (TextCut(self.cut),)
        elif not self.complete and self._outcome.ends_in_marker():
            yield (ProblemFound(_ENDS_IN_MARKER), TextCut())
        if self._reader.finish.failed or (self._reader.finish.missing and not self.finished):
            raise EventStreamError("the stream ended before the answer did")

    def _read(self, document: JsonDocument) -> tuple[AnswerEvent, ...]:
        try:
            data = json_text.loads(document.data)
            if isinstance(data, Mapping) and data.get("error"):
                raise AnswerFormatError(error_line(data), "$.error")
            if self._strict or not self._outcome.is_known:
                self._outcome.is_known |= expect_format(self._reader.form, data, strict=self._strict)
            self._outcome.document = data
            events = tuple(self._rejoin(self._reader.read(data)))
        except AnswerFormatError as error:
            fault = f"{error.fault} (the stream ends here)" if document.cut else error.fault
            raise AnswerFormatError(fault, error.path, document.place) from None
        self._outcome.note(events)
        return events

    def _rejoin(self, events: Iterable[AnswerEvent]) -> Iterator[AnswerEvent]:
        for event in events:
            if isinstance(event, TextReplaced):
                self._pairs.close()
            if not isinstance(event, TextDelta):
                yield event
            elif text := self._pairs.feed(event.text):
                yield TextDelta(text)


def whole_answer(reader: EventReader, data: object, *, strict: bool = False) -> Answer:
    """The answer of a whole response: decoded JSON, or what an SDK made of it.

    Raises :class:`AnswerFormatError` for a response of another format, or of none.
    """
    data = plain(data)
    outcome = _Understood(reader, is_known=expect_format(reader.form, data, strict=strict), document=data)
    found = [*reader.read_whole(data), *reader.close()]
    if empty := outcome.report(found):
        found.append(ProblemFound(empty))
    elif reader.finish.failed:
        found.append(ProblemFound(_FAILED))
    answer = answer_of(found)
    return replace(answer, dialect=reader.dialect, cut=reader.finish.cut)


class _Understood:
    """Whether an answer has words, and whether anything of it was understood.

    ``is_known`` says that a document has a feature of the reader's format.
    """

    def __init__(self, reader: EventReader, *, is_known: bool = False, document: object = None) -> None:
        self._reader = reader
        self.document = document
        """The last one, which may be a report of an error in a form of its own, such as a gateway's."""
        self.is_known = is_known or reader.refuses_others
        self._text: list[str] = []

    def note(self, events: Iterable[AnswerEvent]) -> None:
        """Note the next events of the answer."""
        for event in events:
            if isinstance(event, TextReplaced):
                self._text.clear()
            if isinstance(event, TextDelta | TextReplaced):
                self._text.append(event.text)
            self.is_known |= isinstance(event, ReferencesFound)

    def ends_in_marker(self) -> bool:
        """Whether the text ends before a bracket closes that a marker opened."""
        text = "".join(self._text)
        found = find_half_marker(text, self._reader.dialect)
        return found is not None and not text[slice(*found)].rstrip().endswith("]")

    def report(self, rest: Iterable[AnswerEvent]) -> Problem | None:
        """The problem of an answer without words; ``rest`` are its last events.

        Raises :class:`AnswerFormatError` if nothing of it was understood.
        """
        self.note(rest)
        if any(text.strip() for text in self._text):
            return None
        if not self.is_known and self._reader.form:
            if error_text(self.document):
                raise AnswerFormatError(error_line(self.document))
            raise nothing_read(self._reader.form)
        return report_empty(self._reader.finish)
