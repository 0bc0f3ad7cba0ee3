"""Chat completions whose answer has numbered markers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..model.answer import Dialect
from ..model.answer_event import AnswerEvent, ReferencesFound
from ..model.reference import Reference
from .chat_completion import ChatText, raise_reported, read_piece
from .conversion import new_references
from .loose_json import Members
from .shaped_events import ShapedEvents, ShapeReader

FindReferences = Callable[[Members, Members], Iterable[Reference]]
"""Reads references from a completion and its message. A chunk may repeat them."""


class NumberedChat(ShapeReader):
    """One answer of ``provider`` with markers, from a completion or its chunks. Thoughts are left out."""

    dialect = Dialect.NUMBERED

    def __init__(self, find: FindReferences, provider: str) -> None:
        super().__init__()
        self.provider = provider
        self._find = find
        self._text = ChatText()
        self.finish = self._text.finish
        self._found: set[Reference] = set()

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        raise_reported(data)
        piece = read_piece(data, self.finish)
        if new := new_references(self._find(data, piece.message), self._found):
            yield ReferencesFound(new)
        yield from self._text.read(piece)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()


class ChatCompletionEvents(ShapedEvents):
    """One answer with markers, from a chat completion or its chunks."""

    def __init__(self, find: FindReferences, provider: str = "", *, form: str = "") -> None:
        super().__init__(form, lambda _: NumberedChat(find, provider), dialect=Dialect.NUMBERED)
