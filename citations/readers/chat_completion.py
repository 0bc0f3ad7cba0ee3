"""The form of chat completions, whole or streamed, and their text.

Governing source: OpenAI API reference, "Create chat completion". A provider's module defines its
additional fields in a subclass of :class:`ChatCompletion`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Generic, TypeVar

import msgspec

from ..model.answer import AnswerEvent, TextDelta, TextReplaced
from ..model.errors import AnswerFormatError
from .finish_reason import FinishReason
from .json_stream import error_line
from .thoughts import VisibleText

_FAULTS: Final = ("error", "detail")
"""The fields by which a response with status 200 reports an error."""


class ChatMessage(msgspec.Struct):
    """A model's message, or a piece of one."""

    content: str | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        """Its words. A refusal replaces an answer."""
        return self.content or self.refusal or ""


Message = TypeVar("Message", bound=ChatMessage)


class ChatFinish(msgspec.Struct):
    """Why a model finished a choice."""

    finish_reason: str | None = None


class ChatChoice(ChatFinish, Generic[Message]):
    """One choice: the message, or a piece of it in a stream."""

    delta: Message | None = None
    message: Message | None = None


class ChatCompletion(msgspec.Struct, Generic[Message], kw_only=True):
    """A completion, or a chunk of one. A chunk may have no choices."""

    choices: list[ChatChoice[Message]] | None = None

    @property
    def choice(self) -> ChatChoice[Message] | None:
        """The first choice: no request asks for more than one."""
        return self.choices[0] if self.choices else None


class ChatText:
    """The visible text of one answer and its finish reason, from the completion or its chunks.

    Thoughts are left out. A message is all of the text so far, a delta is its next piece.
    """

    def __init__(self) -> None:
        self.finish = FinishReason()
        self._sent: list[str] = []
        self._visible = VisibleText()

    def read(self, completion: ChatCompletion[ChatMessage]) -> Iterator[AnswerEvent]:
        """The events of a completion or a chunk.

        Some providers repeat the whole message beside each delta. It is read where the delta is empty.
        """
        choice = completion.choice
        if choice is None:
            return
        self.finish.note(choice.finish_reason)
        if choice.delta and choice.delta.text:
            yield from self.add(choice.delta.text)
        elif choice.message:
            yield from self.replace(choice.message.text or None)

    def add(self, delta: str | None) -> Iterator[AnswerEvent]:
        """Add the next piece of the text."""
        if delta:
            yield from self._send(self._visible.feed(delta))

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
            self._sent = [whole]
            yield TextReplaced(whole)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._send(self._visible.close())

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


class _Finished(msgspec.Struct):
    choices: list[ChatFinish] | None = None
