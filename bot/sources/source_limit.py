"""A source, restricted to what one person may see."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass

from citations import AnswerEvent, Reference, ReferencesFound

from . import AnswerSource, EarlierTurn, SelectiveSource, answer_in_conversation
from .permission import EVERYTHING, NotForAsker, Permission
from .step import report_event


def limit_source(source: AnswerSource, permission: Permission) -> AnswerSource:
    """``source``, restricted to what ``permission`` allows to be seen."""
    if permission is EVERYTHING:
        return source
    if isinstance(source, SelectiveSource):
        return source.within(permission)
    return CheckedSource(source, permission) if permission.is_limited else source


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


@dataclass(frozen=True, slots=True)
class CheckedSource:
    """A source that can't restrict its search, so its references are checked before its answer is shown.

    The answer is held back until it is whole. If one of its references may not be seen, no part of the
    answer is shown.
    """

    source: AnswerSource
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
        """The whole answer. Raises :class:`NotForAsker` if one of its references may not be seen."""
        return self.answer_after(question, ())

    async def answer_after(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """The whole answer, with the earlier turns if the source can use them; raises the same."""
        async with contextlib.aclosing(hold_back(self._check(question, earlier))) as events:
            async for event in events:
                yield event

    async def _check(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        async with contextlib.aclosing(answer_in_conversation(self.source, question, earlier)) as events:
            async for event in events:
                if isinstance(event, ReferencesFound):
                    require_visible(event.references, self.permission)
                yield event

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions, because they could be about documents that may not be seen."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """The source's own facts without numbers, which could show how many documents there are."""
        facts = await self.source.facts()
        return {name: value for name, value in facts.items() if isinstance(value, str)}
