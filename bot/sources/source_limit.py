"""A source as far as one person may see it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from citations import AnswerEvent, ReferencesFound

from . import AnswerSource, SelectiveSource
from .permission import EVERYTHING, NotForAsker, Permission


def limit_source(source: AnswerSource, permission: Permission) -> AnswerSource:
    """``source`` as far as ``permission`` lets it be seen."""
    if permission is EVERYTHING:
        return source
    if isinstance(source, SelectiveSource):
        return source.within(permission)
    return source if permission.sees is None else CheckedSource(source, permission)


@dataclass(frozen=True, slots=True)
class CheckedSource:
    """A source that can't be told what to search: what it found is looked at before its answer is shown.

    The answer is held until it is whole. If it was made with anything that may not be seen, nothing of
    it is shown.
    """

    source: AnswerSource
    permission: Permission

    @property
    def title(self) -> str:
        """The source's own."""
        return self.source.title

    async def open(self) -> None:
        """Nothing: the source is open."""

    async def close(self) -> None:
        """Nothing: the source stays open."""

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """The whole answer. Raises :class:`NotForAsker` where it is made of what may not be seen."""
        held: list[AnswerEvent] = []
        async with contextlib.aclosing(self.source.answer(question)) as events:
            async for event in events:
                if isinstance(event, ReferencesFound) and not all(
                    map(self.permission.may_see, event.references)
                ):
                    raise NotForAsker("what was found may not be seen")
                held.append(event)
        for event in held:
            yield event

    async def suggestions(self) -> tuple[str, ...]:
        """None: they may be about anything."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """The source's own, without what tells how much there is."""
        facts = await self.source.facts()
        return {name: value for name, value in facts.items() if isinstance(value, str)}
