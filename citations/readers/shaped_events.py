"""Answers of a provider with several interfaces, whose shapes are told apart by the first document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from ..model.answer import AnswerEvent
from ..model.dialect import Dialect
from .finish_reason import FinishReason
from .loose_json import Members


class ShapeReader(Protocol):
    """Reads one answer of one shape."""

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        ...

    def close(self) -> Iterator[AnswerEvent]:
        """The events that the end of the answer completes."""
        ...


class ShapedEvents:
    """One answer that is cited by place, from the documents of its stream or from a whole response.

    ``documents`` splits what was received; it raises :class:`AnswerFormatError` for what is an error.
    ``choose`` returns the kind of reader for an answer that begins with a document.
    """

    def __init__(
        self,
        documents: Callable[[object], Iterable[Members]],
        choose: Callable[[Members], Callable[[FinishReason], ShapeReader]],
    ) -> None:
        self.dialect: Dialect | None = Dialect.NONE
        self.finish = FinishReason()
        self._documents = documents
        self._choose = choose
        self._reader: ShapeReader | None = None

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        for document in self._documents(data):
            if self._reader is None:
                self._reader = self._choose(document)(self.finish)
            yield from self._reader.read(document)

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back, and citations that can be placed only now."""
        if self._reader:
            yield from self._reader.close()
