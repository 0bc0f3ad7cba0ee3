"""The answer sources: each is an :class:`AnswerSource`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from typing import Self

from citations import AnswerEvent, Reference

from .errors import SourceError, SourceRefused, SourceTimedOut, SourceUnavailable
from .permission import EVERYTHING, Permission, check_visible, hold_back

__all__ = [
    "AnswerSource",
    "EarlierTurn",
    "ReadingState",
    "SelectiveSource",
    "SourceError",
    "SourceRefused",
    "SourceTimedOut",
    "SourceUnavailable",
]


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


@dataclass(frozen=True, slots=True)
class ReadingState:
    """How far a source has read documents. ``work`` says what is still to do, or is empty.

    ``stalled`` counts the seconds since the last step of a reading that does not move; 0 where all is well.
    """

    is_complete: bool
    """Whether all documents were read once, as far as they can be read."""
    unread: int
    """The number of files that are to be read, or are being read."""
    stalled: int
    work: str


class AnswerSource(ABC):
    """A source of answers: it answers questions with events, and describes itself in a few words.

    What a method does here is right for a source that asks a provider: it knows neither its documents nor
    the conversation, and what it found is checked before a person sees the answer.
    """

    follows_turns = False
    """Whether the source understands a question by those before it."""
    knows_documents = False
    """Whether the source lists its documents, and so names the rules of labels that match none of them."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name of what answers, such as a folder's or a model's, for the page's header and the log."""

    @property
    def unread_label(self) -> str | None:
        """The label of a document that the source does not know yet; None for that of the labels file."""
        return None

    @property
    def reading(self) -> ReadingState | None:
        """How far documents are read, if the source reads any by itself after the bot has begun to listen."""
        return None

    async def open(self) -> None:  # noqa: B027 - most sources need no preparation
        """Build the index, or connect. The bot calls this once, before the first question.

        A provider that does not answer now is no reason to raise an error: it may answer later.
        """

    async def close(self) -> None:  # noqa: B027
        """Release all resources."""

    @abstractmethod
    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer one question: text deltas and references in any order, then the end.

        Suggested questions come behind the text.

        Raises :class:`SourceError` where the source can't answer. Raises
        :class:`citations.AnswerFormatError` or :class:`citations.EventStreamError` for a response that is
        no answer. The events of what came before the error are yielded first. Closing the iterator
        cancels the request.
        """

    def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what ``permission`` lets a person see, after their earlier turns, the oldest first.

        An answer to a question that was understood by an earlier one says how it was understood. An answer
        that may have something else is held back until it is whole. Raises :class:`NotForAsker` if one of
        its references may not be seen.
        """
        del earlier
        answer = self.answer(question)
        return hold_back(check_visible(answer, permission)) if permission.is_limited else answer

    async def suggestions(self) -> tuple[str, ...]:
        """A few questions that this source can answer well, for the welcome."""
        return ()

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Questions that the visible documents answer; none where they are not known."""
        return () if permission.is_limited else await self.suggestions()

    async def facts(self) -> dict[str, str | int]:
        """Short facts for the page, ``/readyz`` and the log, such as ``{"documents": 12}``.

        ``source`` names the kind of source, and ``answers`` says whether it answers. This method sends
        no request.
        """
        return {}

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The facts; for a limited person without numbers, which could show how many documents there are."""
        facts = await self.facts()
        if not permission.is_limited:
            return facts
        return {name: fact for name, fact in facts.items() if isinstance(fact, str)}

    def for_person(self, token: str) -> Self:  # noqa: ARG002
        """This source for one question of the person whose access token this is, where that matters.

        It is open already. Whoever keeps it keeps the token, so it is kept for the one question only.
        """
        return self

    async def describe_document(self, path: str) -> Reference | None:  # noqa: ARG002
        """Describe a document without its text: its name for readers and its label; None if it is unknown."""
        return None

    async def renew(self, references: Iterable[Reference]) -> dict[Reference, Reference]:
        """Those of the references whose documents are still there, each as it is labelled now.

        A source that does not know its documents returns them all as they are.
        """
        return {one: one for one in references}

    async def try_model(self) -> None:  # noqa: B027 - most sources have none
        """Try whether the model that words the answers does so, if there is one; log and facts tell."""


class SelectiveSource(AnswerSource):
    """A source that can answer from a part of its documents, and follows the turns of a conversation.

    Documents that a permission hides have no influence on answers, suggestions and facts.
    """

    follows_turns = True

    @abstractmethod
    def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the visible documents, after the person's earlier turns."""

    @abstractmethod
    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The facts about the visible documents."""

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from everything, as :meth:`answer_for` does."""
        return self.answer_for(question, EVERYTHING)

    async def suggestions(self) -> tuple[str, ...]:
        """Questions that the documents answer."""
        return await self.suggestions_for(EVERYTHING)

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:  # noqa: ARG002
        """Questions that the visible documents answer; none where they are not known."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """The facts about all documents."""
        return await self.facts_for(EVERYTHING)
