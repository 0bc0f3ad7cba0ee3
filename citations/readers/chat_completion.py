"""Chat completions, whole or streamed: the one reader for all providers that answer in OpenAI's form.

Governing source: OpenAI API reference, "Create chat completion". A provider's module names the fields
that the provider adds, as a subclass of :class:`ChatCompletion`, and finds references in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Generic, TypeVar

import msgspec

from ..model.answer import (
    AnswerEvent,
    Origin,
    OriginKnown,
    ReferencesFound,
    TextDelta,
    TextReplaced,
)
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .conversion import convert
from .finish_reason import FinishReason
from .json_stream import error_line
from .thoughts import VisibleText

_FAULTS: Final = ("error", "detail")
"""Where a response with status 200 says that it is none."""


class ChatMessage(msgspec.Struct):
    """What a model says: a message, or a piece of one."""

    content: str | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        """Its words; a refusal takes the place of an answer."""
        return self.content or self.refusal or ""


Message = TypeVar("Message", bound=ChatMessage)


class ChatFinish(msgspec.Struct):
    """Why a model finished a choice."""

    finish_reason: str | None = None


class ChatChoice(ChatFinish, Generic[Message]):
    """One choice: a piece of the message in a stream, otherwise the message."""

    delta: Message | None = None
    message: Message | None = None


class ChatCompletion(msgspec.Struct, Generic[Message], kw_only=True):
    """A completion, or a chunk of one. A chunk may have no choices."""

    choices: list[ChatChoice[Message]] | None = None

    @property
    def choice(self) -> ChatChoice[Message] | None:
        """The first choice: no request asks for more than one."""
        return self.choices[0] if self.choices else None


Completion = TypeVar("Completion", bound=ChatCompletion[ChatMessage])


class ChatText:
    """The visible text of one answer, and why it finishes, as its completion tells them by and by.

    Thoughts are left out. A message is all of the text so far, and a delta is the next piece of it.
    """

    def __init__(self) -> None:
        self.finish = FinishReason()
        self._told: list[str] = []
        self._visible = VisibleText()

    def read(self, completion: ChatCompletion[ChatMessage]) -> Iterator[AnswerEvent]:
        """What a completion or a chunk adds.

        Some providers repeat the whole message beside each delta; it is read where the delta is empty.
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
            yield from self._tell(self._visible.feed(delta))

    def replace(self, text: str | None) -> Iterator[AnswerEvent]:
        """Take ``text`` for all of the answer so far, and tell only what it adds where it goes on."""
        if text is None:
            return
        self._visible = VisibleText()
        whole, told = self._visible.feed(text), "".join(self._told)
        # Open WebUI strips white space from a whole text, and not from the pieces.
        if whole.strip() == told.strip():
            return
        if whole.startswith(told):
            yield from self._tell(whole.removeprefix(told))
        else:
            self._told = [whole]
            yield TextReplaced(whole)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._tell(self._visible.close())

    def _tell(self, text: str) -> Iterator[AnswerEvent]:
        if text:
            self._told.append(text)
            yield TextDelta(text)


class ChatCompletionEvents(Generic[Completion]):
    """One answer as the completions, or chunks, of a provider say it.

    ``kind`` has the fields that the provider adds, and ``find`` reads references from them. A chunk may
    repeat references: each is told once.
    """

    def __init__(
        self,
        kind: type[Completion],
        find: Callable[[Completion], tuple[Reference, ...]],
        *,
        origin: Origin | None = None,
    ) -> None:
        self.dialect: Dialect | None = Dialect.NUMBERED
        self._kind = kind
        self._find = find
        self._origin = origin
        self._text = ChatText()
        self._references: set[Reference] = set()

    @property
    def finish(self) -> FinishReason:
        """Why the answer finishes."""
        return self._text.finish

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """What one completion says; raises :class:`AnswerFormatError`."""
        if self._origin:
            yield OriginKnown(self._origin)
            self._origin = None
        raise_reported(data)
        completion = convert(data, self._kind)
        found = tuple(one for one in self._find(completion) if one not in self._references)
        if found:
            self._references.update(found)
            yield ReferencesFound(found)
        yield from self._text.read(completion)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()


def raise_reported(data: object, path: str = "$") -> None:
    """Raise :class:`AnswerFormatError` where a response only says what went wrong."""
    if isinstance(data, Mapping):
        for fault in _FAULTS:
            if data.get(fault):
                raise AnswerFormatError(error_line(data), f"{path}.{fault}")


def finish_reason_of(completion: object) -> str | None:
    """Why ``completion`` finished, if it says so: a ``dict``, or an object of a provider's client."""
    try:
        found = msgspec.convert(completion, _Finished, from_attributes=True)
    except msgspec.ValidationError:
        return None
    return (found.choices[0].finish_reason or None) if found.choices else None


class _Finished(msgspec.Struct):
    choices: list[ChatFinish] | None = None
