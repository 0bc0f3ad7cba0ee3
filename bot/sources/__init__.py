"""The answer sources: each implements the protocol :class:`AnswerSource`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from citations import AnswerEvent, Reference

from .errors import SourceError, SourceRefused, SourceTimedOut, SourceUnavailable

__all__ = [
    "AnswerSource",
    "ConversationalSource",
    "DescribingSource",
    "EarlierTurn",
    "IndexedSource",
    "ModelSource",
    "PersonalSource",
    "SourceError",
    "SourceRefused",
    "SourceTimedOut",
    "SourceUnavailable",
    "answer_in_conversation",
]


class AnswerSource(Protocol):
    """A source of answers: it answers questions with events, and describes itself in a few words."""

    @property
    def title(self) -> str:
        """The name of what answers, such as a folder's or a model's, for the page's header and the log."""

    async def open(self) -> None:
        """Build the index, or connect. The bot calls this once, before the first question.

        A provider that does not answer now is no reason to raise an error: it may answer later.
        """

    async def close(self) -> None:
        """Release all resources."""

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer one question: text deltas and references in any order, then the end.

        Suggested questions come behind the text.

        Raises :class:`SourceError` where the source can't answer. Raises
        :class:`citations.AnswerFormatError` or :class:`citations.EventStreamError` for a response that is
        no answer. The events of what came before the error are yielded first. Closing the iterator
        cancels the request.
        """

    async def suggestions(self) -> tuple[str, ...]:
        """A few questions that this source can answer well, for the welcome."""

    async def facts(self) -> dict[str, str | int]:
        """Short facts for the page, ``/readyz`` and the log, such as ``{"documents": 12}``.

        ``source`` names the kind of source, and ``answers`` says whether it answers. This method sends
        no request.
        """


@runtime_checkable
class IndexedSource(AnswerSource, Protocol):
    """A source that reads documents by itself, after the bot has begun to listen."""

    @property
    def is_read(self) -> bool:
        """Whether all documents were read once, as far as they can be read."""

    @property
    def unread(self) -> int:
        """The number of files that are to be read, or are being read."""

    @property
    def stalled(self) -> int:
        """The seconds since the last step of a reading that does not move; 0 where all is well."""

    async def describe_work(self) -> str:
        """Say what is still to be read or embedded; an empty string where nothing is."""
        ...


@runtime_checkable
class DescribingSource(AnswerSource, Protocol):
    """A source that knows its documents by their paths."""

    @property
    def unread_label(self) -> str | None:
        """The label of a document that the source does not know yet; None for that of the labels file."""
        ...

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a document without its text: its name for readers and its label; None if it is unknown."""
        ...


@runtime_checkable
class ModelSource(AnswerSource, Protocol):
    """A source that may have a model of the user's choice write its answers."""

    async def try_model(self) -> None:
        """Try whether the model answers, if there is one. The log and :meth:`facts` say so."""
        ...


@runtime_checkable
class PersonalSource(AnswerSource, Protocol):
    """A source that can answer from what one person may read."""

    def for_person(self, token: str) -> AnswerSource:
        """This source for one question of the person whose access token this is.

        It is open already. Whoever keeps it keeps the token, so it is kept for the one question only.
        """
        ...


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """A question that the same person asked before in the same conversation, and its answer.

    ``references`` are all that the answer was made with, without their texts. ``answer`` is empty where
    the answer may no longer be read. A source checks ``references`` against its current labels before
    it uses ``answer``.
    """

    question: str
    answer: str = ""
    references: tuple[Reference, ...] = ()


@runtime_checkable
class ConversationalSource(AnswerSource, Protocol):
    """A source that understands a question by the questions before it."""

    def answer_after(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer one question as :meth:`answer` does, with the person's earlier turns, the oldest first.

        An answer to a question that was understood by an earlier one says how it was understood.
        """
        ...


def answer_in_conversation(
    source: AnswerSource, question: str, earlier: tuple[EarlierTurn, ...]
) -> AsyncGenerator[AnswerEvent, None]:
    """Ask a source, with the earlier turns if it can use them."""
    if earlier and isinstance(source, ConversationalSource):
        return source.answer_after(question, earlier)
    return source.answer(question)
