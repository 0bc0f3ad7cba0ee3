"""Who answers: every answer source has the shape of :class:`AnswerSource`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from citations import AnswerEvent

from .errors import SourceError, SourceRefused, SourceTimedOut, SourceUnavailable

if TYPE_CHECKING:  # it is made of this package's errors
    from .permission import Permission

__all__ = [
    "AnswerSource",
    "SelectiveSource",
    "SourceError",
    "SourceRefused",
    "SourceTimedOut",
    "SourceUnavailable",
]


class AnswerSource(Protocol):
    """What the bot needs of a source: answer events for a question, and a few words about itself."""

    @property
    def title(self) -> str:
        """What is being asked, for the page's header and the log: a folder's name, a model's name."""

    async def open(self) -> None:
        """Make ready: index, connect. Called once, before the first question.

        A source elsewhere that does not answer now is no reason to fail: it may later.
        """

    async def close(self) -> None:
        """Give everything back."""

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer one question: text deltas and references in any order, then the end.

        Raises :class:`SourceError` where it can't, and :class:`citations.AnswerFormatError` or
        :class:`citations.EventStreamError` where what it was sent is no answer; behind the events of
        what came until then. Closing the iterator hangs up.
        """

    async def suggestions(self) -> tuple[str, ...]:
        """A few questions that this source can answer well, for the welcome."""

    async def facts(self) -> dict[str, str | int]:
        """Short facts for the page, ``/readyz`` and the log, such as ``{"documents": 12}``.

        ``source`` names the kind of source, and ``answers`` says whether it does; nothing is asked
        elsewhere for them.
        """


@runtime_checkable
class SelectiveSource(AnswerSource, Protocol):
    """A source that can search a part of what it has."""

    def within(self, permission: Permission) -> AnswerSource:
        """The source as if it had nothing but what ``permission`` lets be seen.

        Whatever else it has must have no influence on its answers, suggestions and facts.
        """
        ...
