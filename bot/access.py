"""Who may have what searched: the deployment's policy, asked before anything is retrieved.

The policy is any callable, sync or async, that takes an :class:`Asker` and returns a
:class:`Permission`, or None to refuse. What fails, takes too long, or returns anything else means that
nothing may be seen.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
from collections.abc import AsyncGenerator, Awaitable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from citations import AnswerEvent, Reference, ReferencesFound

from .followup import AskedForMore, Followup
from .log import cause, logger
from .permission import EVERYTHING, AccessRefused, AccessUndecided, Asker, NotForAsker, Permission
from .reading import hanging_up
from .remembered import RememberedAnswer
from .sources import AnswerSource, SelectiveSource

PATIENCE: Final = 10.0
"""Seconds that the policy has to say what may be searched."""

_FORM: Final = re.compile(r"\w+(?:\.\w+)*:\w+(?:\.\w+)*")

log = logger(__name__)


class AccessPolicy(Protocol):
    """Says what may be searched for whoever asks; None: nothing, and the person is told so."""

    def __call__(self, asker: Asker, /) -> Permission | Awaitable[Permission | None] | None:
        """May block, wait or raise; it is asked once for each question."""


def load_policy(written: str) -> AccessPolicy:
    """The policy that ``module:callable`` names. Raises ``ValueError``, in words that follow the name."""
    if not _FORM.fullmatch(written):
        raise ValueError("is not module:callable, such as access:policy")
    module, _, name = written.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise ValueError(f"can't be loaded: {cause(error)}") from error
    if not callable(found):
        raise ValueError("can't be called")
    policy: AccessPolicy = found
    return policy


async def permission_for(asker: Asker, policy: AccessPolicy | None) -> Permission:
    """What ``policy`` lets be searched; without one, everything.

    Raises :class:`AccessRefused` where it refuses, and :class:`AccessUndecided` where it fails.
    """
    if policy is None:
        return EVERYTHING
    try:
        async with asyncio.timeout(PATIENCE):
            said = await _asked(policy, asker)
    except Exception as error:  # noqa: BLE001 - whatever it raises, nothing may be seen
        log.error("access policy failed", channel=asker.channel_id, cause=cause(error))
        raise AccessUndecided("the access policy failed") from None
    if said is None:
        raise AccessRefused("the access policy refused")
    if not isinstance(said, Permission):
        log.error("access policy failed", channel=asker.channel_id, cause=f"returned {type(said).__name__}")
        raise AccessUndecided("the access policy returned no Permission")
    return said


async def _asked(policy: AccessPolicy, asker: Asker) -> object:
    if inspect.iscoroutinefunction(policy) or inspect.iscoroutinefunction(type(policy).__call__):
        said: Any = policy(asker)
    else:
        # It may wait for a directory, and nobody else should.
        said = await asyncio.to_thread(policy, asker)
    return await said if inspect.isawaitable(said) else said


def limited(source: AnswerSource, permission: Permission) -> AnswerSource:
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
        async with hanging_up(self.source.answer(question)) as events:
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


def permitted(last: RememberedAnswer, asked: Followup, permission: Permission) -> RememberedAnswer:
    """``last`` for somebody who wants to know more about it, and may not be the one whom it was for.

    Raises :class:`NotForAsker` where that is made of what they may not see.
    """
    if permission is EVERYTHING:
        return last
    for reference in _asked_for(last, asked):
        if not permission.may_see(reference):
            raise NotForAsker("what was asked for may not be seen")

    def again(reference: Reference) -> Reference:
        return replace(reference, extract=reference.extract and permission.may_extract(reference))

    citations = tuple(
        replace(one, reference=again(one.reference), parts=tuple(map(again, one.parts)))
        for one in last.citations
    )
    return replace(last, citations=citations, references=tuple(map(again, last.references)))


def _asked_for(last: RememberedAnswer, asked: Followup) -> Iterator[Reference]:
    """What is said in reply: one source, or any of all that was found."""
    for citation in last.citations:
        if isinstance(asked, AskedForMore) or citation.position == asked.number:
            yield from (citation.reference, *citation.parts)
    if isinstance(asked, AskedForMore):
        yield from last.references


def asker_of(activity: Any) -> Asker:
    """Who sent an activity."""
    sender = activity.from_property
    return Asker(
        channel_id=activity.channel_id or "",
        user_id=(sender.id if sender else None) or "",
        aad_object_id=(sender.aad_object_id if sender else None) or "",
        tenant_id=tenant_of(activity),
        conversation_id=activity.conversation.id or "",
    )


def tenant_of(activity: Any) -> str:
    """The tenant of a conversation, in lower case; empty where none is named, or two."""
    conversation, data = activity.conversation, activity.channel_data
    told = data.get("tenant") if isinstance(data, dict) else None
    named = {
        # The SDK looks for `tenantID`, and Teams writes `tenantId`.
        conversation.tenant_id,
        conversation.additional_properties.get("tenantId"),
        told.get("id") if isinstance(told, dict) else None,
    }
    tenants = {str(tenant).lower() for tenant in named if tenant}
    return tenants.pop() if len(tenants) == 1 else ""


class Tenants:
    """The tenants whose people are answered on Teams; where none is named, all are."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed
        self._refused = 0

    def admit(self, activity: Any) -> bool:
        """Whether the activity is no other tenant's; those that are get counted in the log."""
        if not self._allowed or activity.channel_id != "msteams" or tenant_of(activity) in self._allowed:
            return True
        self._refused += 1
        log.warning("other tenant refused", count=self._refused)
        return False
