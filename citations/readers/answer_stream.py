"""What a supplier streams: bytes, however they were cut, into the events of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from ..model.answer import AnswerEvent, Cut, TextCut, TextDelta, TextReplaced
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError, EventStreamError
from . import json_text
from .finish_reason import FinishReason
from .json_stream import Framing, JsonDocument, error_line


class Supplier(Protocol):
    """What the documents of one supplier's stream say, one after the other."""

    dialect: Dialect | None
    """How the answer's markers are written; what the first document says of it holds."""
    finish: FinishReason
    """What the documents say of why the answer finishes."""

    def read(self, data: object) -> Iterable[AnswerEvent]:
        """What this document says; raises :class:`AnswerFormatError`."""
        ...

    def close(self) -> Iterable[AnswerEvent]:
        """What the end of the stream says: text that was held back until then."""
        ...


class AnswerStream:
    """One answer as a supplier streams it: feed it bytes, iterate over what they say, close it.

    Each item is what one event, or one line, of the supplier says: there may be something to show
    after it. A fault is raised where it stands, behind all that came before it, so that this can
    still be shown: :class:`AnswerFormatError` with the place and the JSON path, also where the
    supplier reports an error, or :class:`EventStreamError`.
    """

    def __init__(self, framing: Framing, supplier: Supplier) -> None:
        self._framing = framing
        self._supplier = supplier
        self._half = ""

    @property
    def dialect(self) -> Dialect | None:
        """How the answer's markers are written, once the first item is there."""
        return self._supplier.dialect

    @property
    def cut(self) -> Cut | None:
        """Why the answer ends too early, once the stream is closed; None where nothing says that it does."""
        return self._supplier.finish.cut

    @property
    def finished(self) -> bool:
        """The supplier said that this was all, although the stream may be open; close it."""
        return self._framing.finished

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
        if rest := tuple(self._rejoin(self._supplier.close())):
            yield rest
        if self._half:
            yield (TextDelta(self._half),)
        if self.cut:
            yield (TextCut(self.cut),)
        if self._supplier.finish.missing and not self.finished:
            raise EventStreamError("the stream ended before the answer did")

    def _read(self, document: JsonDocument) -> tuple[AnswerEvent, ...]:
        try:
            data = json_text.loads(document.data)
            if isinstance(data, Mapping) and data.get("error"):
                raise AnswerFormatError(error_line(data), "$.error")
            return tuple(self._rejoin(self._supplier.read(data)))
        except AnswerFormatError as error:
            fault = f"{error.fault} (the stream ends here)" if document.cut else error.fault
            raise AnswerFormatError(fault, error.path, document.place) from None

    def _rejoin(self, events: Iterable[AnswerEvent]) -> Iterator[AnswerEvent]:
        """Characters beyond U+FFFF whole: who counts UTF-16 may cut their surrogate pair in two."""
        for event in events:
            if not isinstance(event, TextDelta):
                self._half = "" if isinstance(event, TextReplaced) else self._half
                yield event
                continue
            text = self._half + event.text
            if self._half:
                text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
            self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
            if text := text.removesuffix(self._half):
                yield TextDelta(text)
