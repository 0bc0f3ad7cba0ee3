"""State that goes on while its store can't be reached: an answer is never lost over what is kept about it."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Sequence
from typing import Final

from ..telemetry import StateFailed, emit
from ..telemetry.conversation_key import ConversationKey
from ..telemetry.log import cause, logger
from . import State, StateError, Swap
from .memory import StateInMemory

_LONGEST_OUTAGE: Final = 24 * 3600.0
_LATELY: Final = 30.0
"""Seconds after which a failure says nothing about a store any more."""

log = logger(__name__)


class StateThroughOutages:
    """A :class:`State` that keeps in memory what ``store`` doesn't take, and says so in the log.

    Only :meth:`open` and :meth:`forget` raise :class:`StateError`: whoever runs the bot has to hear
    of a store that was never there, and of something that is still kept.
    """

    def __init__(self, store: State) -> None:
        self._store = store
        # What the store didn't take, what it holds as claimed, and what it still has to drop.
        self._untaken, self._claimed, self._undropped = (StateInMemory() for _ in range(3))
        self._failed = -math.inf

    @property
    def reached_lately(self) -> bool:
        """Whether nothing has failed in the last seconds."""
        return time.monotonic() - self._failed > _LATELY

    async def open(self) -> None:
        """Reach the store."""
        await self._store.open()

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """What is kept; None where there is nothing, where it is too old, and where nobody can tell."""
        # What the store didn't take is newer than what it has.
        untaken = await self._untaken.get(conversation, kind, item)
        if untaken is not None:
            return untaken
        try:
            await self._make_up(conversation, kind, item)
            return await self._store.get(conversation, kind, item)
        except StateError as error:
            self._report("get", kind, error)
            return None

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Keep ``value`` in the place of what was there."""
        try:
            await self._store.put(conversation, kind, item, value, lifetime=lifetime)
        except StateError as error:
            self._report("put", kind, error)
            await self._untaken.put(conversation, kind, item, value, lifetime=lifetime)
        else:
            await self._untaken.drop(conversation, kind, item)
            await self._undropped.drop(conversation, kind, item)

    async def claim(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Whether nothing was kept there, as far as the store or else this process knows."""
        if await self._untaken.get(conversation, kind, item) is not None:
            return False
        try:
            await self._make_up(conversation, kind, item)
            first = await self._store.claim(conversation, kind, item, value, lifetime=lifetime)
        except StateError as error:
            self._report("claim", kind, error)
            first = await self._claimed.claim(conversation, kind, item, value, lifetime=lifetime)
            if first:
                await self._untaken.put(conversation, kind, item, value, lifetime=lifetime)
            return first
        await self._claimed.claim(conversation, kind, item, value, lifetime=lifetime)
        return first

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """What is kept in each place then; ``old`` where nobody can tell."""
        try:
            return await self._store.swap(swaps)
        except StateError as error:
            self._report("swap", swaps[0].kind, error)
            return [swap.old for swap in swaps]

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Keep it no longer."""
        await self._claimed.drop(conversation, kind, item)
        await self._untaken.drop(conversation, kind, item)
        try:
            await self._store.drop(conversation, kind, item)
        except StateError as error:
            self._report("drop", kind, error)
            await self._undropped.put(conversation, kind, item, b"", lifetime=_LONGEST_OUTAGE)

    async def forget(self, conversation: ConversationKey) -> None:
        """Keep nothing of a conversation any longer."""
        await self._claimed.forget(conversation)
        await self._untaken.forget(conversation)
        await self._undropped.forget(conversation)
        await self._store.forget(conversation)

    async def close(self) -> None:
        """Give everything back."""
        with contextlib.suppress(StateError):
            await self._store.close()

    async def _make_up(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Drop what was to be dropped when the store was away: a message that failed may be sent again."""
        if await self._undropped.get(conversation, kind, item) is not None:
            await self._store.drop(conversation, kind, item)
            await self._undropped.drop(conversation, kind, item)

    def _report(self, step: str, kind: str, error: StateError) -> None:
        self._failed = time.monotonic()
        log.error("state not reached", step=step, kind=kind, cause=cause(error.__cause__ or error))
        emit(StateFailed(step))
