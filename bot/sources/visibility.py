"""Keeps from a person what an answer has of documents that they may not see."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Iterable

from citations import AnswerEvent, Reference, ReferencesFound

from .permission import NotForAsker, Permission
from .step import report_event


def require_visible(references: Iterable[Reference], permission: Permission) -> None:
    """Raise :class:`NotForAsker` if ``permission`` does not let a person see all of these references."""
    if not all(map(permission.may_see, references)):
        raise NotForAsker("what was found may not be seen")


async def check_visible(
    events: AsyncGenerator[AnswerEvent, None], permission: Permission
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of an answer. Raises :class:`NotForAsker` at a reference that may not be seen."""
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, ReferencesFound):
                require_visible(event.references, permission)
            yield event


async def hold_back(events: AsyncGenerator[AnswerEvent, None]) -> AsyncGenerator[AnswerEvent, None]:
    """The events of an answer once it is whole, so that nothing is shown of one that raises an error."""
    held: list[AnswerEvent] = []
    async with contextlib.aclosing(events):
        async for event in events:
            held.append(event)
            report_event(event)
    for event in held:
        yield event
