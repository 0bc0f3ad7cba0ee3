"""Chat completions, whole or streamed, read so that a changed field loses no more than itself.

Governing source: OpenAI API reference, "Create chat completion".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from ..model.answer_event import AnswerEvent, TextDelta, TextReplaced
from ..model.errors import AnswerFormatError
from .finish_reason import FinishReason
from .json_stream import error_line
from .loose_json import Members, inner, items, member, objects, text
from .thoughts import VisibleText

_THOUGHTS: Final = ("thinking", "reasoning")
_FAULTS: Final = ("error", "detail")
"""The fields by which a response with status 200 reports an error."""


class ChatPiece(NamedTuple):
    """The first choice of a completion."""

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
    choice = finish.follow(choices)
    if choice:
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


class ChatText:
    """The visible text of one answer and its finish reason, from the completion or its chunks.

    Thoughts are left out. A message is all of the text so far, a delta is its next piece.
    """

    def __init__(self) -> None:
        self.finish = FinishReason()
        self._sent: list[str] = []
        self._visible = VisibleText()

    def read(self, piece: ChatPiece) -> Iterator[AnswerEvent]:
        """The events of a completion's message, or of the next piece of it."""
        said = "".join(texts_of(piece.content))
        yield from self.replace(said or None) if piece.whole else self.add(said)

    def add(self, delta: str | None) -> Iterator[AnswerEvent]:
        """Add the next piece of the text."""
        if delta:
            yield from self._show(self._visible.feed(delta))

    def replace(self, text: str | None) -> Iterator[AnswerEvent]:
        """Take ``text`` for all of the answer so far.

        If it continues the text so far, only the rest is an event.
        """
        if text is None:
            return
        self._visible = VisibleText()
        whole, sent = self._visible.feed(text), "".join(self._sent)
        # Open WebUI strips white space from a whole text, but not from the pieces.
        if whole.strip() == sent.strip():
            return
        if whole.startswith(sent):
            yield from self._send(whole.removeprefix(sent))
        else:
            yield from self._begin_again(whole)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._show(self._visible.close())

    def _show(self, visible: str) -> Iterator[AnswerEvent]:
        yield from self._begin_again(visible) if self._visible.withdrawn else self._send(visible)

    def _begin_again(self, text: str) -> Iterator[AnswerEvent]:
        self._sent = [text]
        yield TextReplaced(text)

    def _send(self, text: str) -> Iterator[AnswerEvent]:
        if text:
            self._sent.append(text)
            yield TextDelta(text)


def raise_reported(data: object, path: str = "$") -> None:
    """Raise :class:`AnswerFormatError` if a response only reports an error."""
    if isinstance(data, Mapping):
        for fault in _FAULTS:
            if data.get(fault):
                raise AnswerFormatError(error_line(data), f"{path}.{fault}")


def finish_reason_of(completion: object) -> str | None:
    """The finish reason of ``completion``, a ``dict`` or an object of a provider's client, if it has one."""
    try:
        found = msgspec.convert(completion, _Finished, from_attributes=True)
    except msgspec.ValidationError:
        return None
    return (found.choices[0].finish_reason or None) if found.choices else None


class _Choice(msgspec.Struct):
    finish_reason: str | None = None


class _Finished(msgspec.Struct):
    choices: list[_Choice] | None = None
