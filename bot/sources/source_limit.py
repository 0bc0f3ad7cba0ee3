"""A source, restricted to what one person may see."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from citations import AnswerEvent, ReferencesFound

from . import AnswerSource, EarlierTurn, SelectiveSource, answer_in_conversation
from .permission import EVERYTHING, NotForAsker, Permission
from .step import report_event


def limit_source(source: AnswerSource, permission: Permission) -> AnswerSource:
    """``source``, restricted to what ``permission`` allows to be seen."""
    if permission is EVERYTHING:
        return source
    if isinstance(source, SelectiveSource):
        return source.within(permission)
    return source if permission.sees is None else CheckedSource(source, permission)


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
        held: list[AnswerEvent] = []
        async with contextlib.aclosing(answer_in_conversation(self.source, question, earlier)) as events:
            async for event in events:
                if isinstance(event, ReferencesFound) and not all(
                    map(self.permission.may_see, event.references)
                ):
                    raise NotForAsker("what was found may not be seen")
                held.append(event)
                report_event(event)
        for event in held:
            yield event

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions, because they could be about documents that may not be seen."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """The source's own facts without numbers, which could show how many documents there are."""
        facts = await self.source.facts()
        return {name: value for name, value in facts.items() if isinstance(value, str)}
