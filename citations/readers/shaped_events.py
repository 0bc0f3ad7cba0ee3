"""Answers of a provider with one interface or several, whose shapes are told apart by the first document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar, Final

from ..model.answer import Dialect, Origin
from ..model.answer_event import AnswerEvent, DialectKnown, OriginKnown
from ..model.errors import AnswerFormatError
from .finish_reason import FinishReason
from .json_stream import error_line
from .loose_json import Members, documents_of, text
from .spanned_text import SpannedText

_KEPT_ALIVE: Final = ("ping", "keepalive")
"""Events of Anthropic and OpenAI that only keep a connection open. They say nothing of an answer's shape."""


class ShapeReader(ABC):
    """Reads one answer of one shape.

    ``provider`` worded it, with markers of ``dialect``. ``spans_at_end`` says that its spans may come behind
    the text that follows their words (:class:`~citations.model.DialectKnown`).
    """

    provider: str = ""
    dialect: ClassVar[Dialect] = Dialect.NONE
    spans_at_end: ClassVar[bool] = True

    def __init__(self) -> None:
        self.finish = FinishReason()

    @abstractmethod
    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document; raises :class:`AnswerFormatError`."""

    @abstractmethod
    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back, and citations that can be placed only now."""


class PlaceReader(ShapeReader):
    """Reads one answer that is cited by place."""

    def __init__(self) -> None:
        super().__init__()
        self._answer = SpannedText()

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        yield from self._answer.close()


class ShapedEvents:
    """One answer, from the documents of its stream or from a whole response.

    ``form`` is the name of the format. ``choose`` makes the reader of an answer that begins with a document.
    ``documents`` splits what was received; it raises :class:`AnswerFormatError` for what is none. ``dialect``
    is that of an answer of which nothing is known yet.
    """

    def __init__(
        self,
        form: str,
        choose: Callable[[Members], ShapeReader],
        *,
        documents: Callable[[object], Iterable[Members]] = documents_of,
        dialect: Dialect = Dialect.NONE,
    ) -> None:
        self.form = form
        self.refuses_others = False
        self._choose = choose
        self._documents = documents
        self._dialect = dialect
        self._reader: ShapeReader | None = None

    @property
    def dialect(self) -> Dialect:
        """How the answer is cited."""
        return self._reader.dialect if self._reader else self._dialect

    @property
    def finish(self) -> FinishReason:
        """Why the answer finishes."""
        return self._reader.finish if self._reader else FinishReason()

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        for document in self._documents(data):
            _raise_error(document)
            if not document or text(document, "type") in _KEPT_ALIVE:
                continue
            if self._reader is None:
                self._reader = self._choose(document)
                if self.dialect is Dialect.NONE:
                    yield DialectKnown(Dialect.NONE, self._reader.spans_at_end)
                elif self.dialect is not self._dialect:
                    yield DialectKnown(self.dialect)
                if self._reader.provider:
                    yield OriginKnown(Origin(provider=self._reader.provider))
            yield from self._reader.read(document)

    def read_whole(self, data: object) -> Iterator[AnswerEvent]:
        """The events of a whole response, or of a list of saved events."""
        return self.read(data)

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back, and citations that can be placed only now."""
        if self._reader:
            yield from self._reader.close()


def _raise_error(document: Members) -> None:
    """Raise :class:`AnswerFormatError` for an error event, or a response that has an error for an answer."""
    error = document.get("error")
    reported = error and (isinstance(error, Mapping) or len(document) == 1)
    if reported or text(document, "type", "event_type").endswith("error"):
        raise AnswerFormatError(error_line(document), "$.error" if error else "$")
