"""Chat completions, read so that a changed field loses no more than itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from ..model.answer import AnswerEvent, ReferencesFound
from ..model.dialect import Dialect
from ..model.reference import Reference
from .chat_completion import ChatText, raise_reported
from .conversion import new_references
from .finish_reason import FinishReason
from .loose_json import Members, inner, items, member, members, objects, text
from .shaped_events import ShapedEvents, ShapeReader

_THOUGHTS: Final = ("thinking", "reasoning")

FindReferences = Callable[[Members, Members], Iterable[Reference]]
"""Reads references from a completion and its message. A chunk may repeat them."""


class ChatPiece(NamedTuple):
    """The first choice of a completion: no request asks for more than one."""

    message: Members
    """The message, or the next piece of it."""
    content: object
    """Its content: a text, or an array of parts."""
    whole: bool
    """Whether it is all of the message so far."""
    path: str
    """The JSON path of the message."""


def read_piece(data: Members, finish: FinishReason) -> ChatPiece:
    """The first choice of ``data``, whose finish reason is noted. A chunk that counts tokens has no choice.

    Some providers repeat the whole message beside each delta.
    """
    choices = items(member(data, "choices"))
    choice = members(choices[0]) if choices else {}
    if choices:
        finish.note(text(choice, "finish_reason"))
    delta, message = inner(choice, "delta"), inner(choice, "message")
    name = "delta" if delta else "message"
    piece = delta or message
    content = member(piece, "content")
    if not content and not text(piece, "refusal") and message:
        name, piece, content = "message", {**message, **delta}, member(message, "content")
    content = content or text(piece, "refusal")
    return ChatPiece(piece, content, name == "message", f"$.choices[0].{name}")


def texts_of(content: object) -> Iterator[str]:
    """The texts of a message's content, which is a text or an array of parts, without its thoughts."""
    if isinstance(content, str):
        yield content
    for part in objects(content):
        if text(part, "type") not in _THOUGHTS:
            yield text(part, "text", "refusal")


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
        said = "".join(texts_of(piece.content))
        yield from self._text.replace(said or None) if piece.whole else self._text.add(said)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()


class ChatCompletionEvents(ShapedEvents):
    """One answer with markers, from a chat completion or its chunks."""

    def __init__(self, find: FindReferences, provider: str = "") -> None:
        super().__init__(lambda _: NumberedChat(find, provider), dialect=Dialect.NUMBERED)
