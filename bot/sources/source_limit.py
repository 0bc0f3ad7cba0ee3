"""A source, restricted to what one person may see."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass

from citations import AnswerEvent, Reference, ReferencesFound

from . import AnswerSource, EarlierTurn, answer_in_conversation
from .permission import EVERYTHING, NotForAsker, Permission
from .step import report_event


class SelectiveSource(ABC):
    """A source that can answer from a part of its documents.

    Documents that a permission hides have no influence on answers, suggestions and facts.
    """

    @property
    @abstractmethod
    def title(self) -> str:
        """The name of what answers."""

    @abstractmethod
    def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the visible documents, after the person's earlier turns."""

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:  # noqa: ARG002
        """Questions that the visible documents answer; none where they are not known."""
        return ()

    @abstractmethod
    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The facts about the visible documents."""

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from everything, as :meth:`answer_for` does."""
        return self.answer_for(question, EVERYTHING)

    def answer_after(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from everything, after the person's earlier turns."""
        return self.answer_for(question, EVERYTHING, earlier)

    async def suggestions(self) -> tuple[str, ...]:
        """Questions that the documents answer."""
        return await self.suggestions_for(EVERYTHING)

    async def facts(self) -> dict[str, str | int]:
        """The facts about all documents."""
        return await self.facts_for(EVERYTHING)


@dataclass(frozen=True, slots=True)
class LimitedSource:
    """An answer source that has only what ``permission`` lets a person see of ``source``."""

    source: SelectiveSource
    permission: Permission

    @property
    def title(self) -> str:
        """The title of the source itself."""
        return self.source.title

    async def open(self) -> None:
        """Do nothing, because the source is open already."""

    async def close(self) -> None:
        """Do nothing, because the source stays open for others."""

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what may be seen."""
        return self.source.answer_for(question, self.permission)

    def answer_after(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what may be seen, after the person's earlier turns."""
        return self.source.answer_for(question, self.permission, earlier)

    async def suggestions(self) -> tuple[str, ...]:
        """Questions that can be answered from what may be seen."""
        return await self.source.suggestions_for(self.permission)

    async def facts(self) -> dict[str, str | int]:
        """The facts about what may be seen."""
        return await self.source.facts_for(self.permission)


def limit_source(source: AnswerSource, permission: Permission) -> AnswerSource:
    """``source``, restricted to what ``permission`` allows to be seen."""
    if permission is EVERYTHING:
        return source
    if isinstance(source, SelectiveSource):
        return LimitedSource(source, permission)
    return LimitedSource(CheckedSource(source), permission) if permission.is_limited else source


def require_visible(references: Iterable[Reference], permission: Permission) -> None:
    """Raise :class:`NotForAsker` if ``permission`` does not let a person see all of these references."""
    if not all(map(permission.may_see, references)):
        raise NotForAsker("what was found may not be seen")


async def hold_back(events: AsyncGenerator[AnswerEvent, None]) -> AsyncGenerator[AnswerEvent, None]:
    """The events of an answer once it is whole, so that nothing is shown of one that raises an error."""
    held: list[AnswerEvent] = []
    async with contextlib.aclosing(events):
        async for event in events:
            held.append(event)
            report_event(event)
    for event in held:
        yield event


class CheckedSource(SelectiveSource):
    """A source that can't restrict its search, so its references are checked before its answer is shown.

    The answer is held back until it is whole. If one of its references may not be seen, no part of the
    answer is shown.
    """

    def __init__(self, source: AnswerSource) -> None:
        self._source = source

    @property
    def title(self) -> str:
        """The title of the source itself."""
        return self._source.title

    def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """The whole answer. Raises :class:`NotForAsker` if one of its references may not be seen."""
        return hold_back(_check(answer_in_conversation(self._source, question, earlier), permission))

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:  # noqa: ARG002
        """The source's own facts without numbers, which could show how many documents there are."""
        facts = await self._source.facts()
        return {name: value for name, value in facts.items() if isinstance(value, str)}


async def _check(
    events: AsyncGenerator[AnswerEvent, None], permission: Permission
) -> AsyncGenerator[AnswerEvent, None]:
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, ReferencesFound):
                require_visible(event.references, permission)
            yield event
