"""State that works on in memory while its store is unreachable, so that an outage costs no answer."""

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
"""Seconds for which a deletion is remembered that the store has still to do."""
_RECENT: Final = 30.0
"""Seconds for which a failure counts as recent."""

log = logger(__name__)


class StateThroughOutages:
    """A :class:`State` that falls back to memory where ``store`` fails, and logs each failure.

    Only :meth:`open` and :meth:`forget` raise :class:`StateError`. The operator has to learn of a wrong
    URL at startup, and of a failure to delete personal data.
    """

    def __init__(self, store: State) -> None:
        self._store = store
        # Values that the store could not take, values that it took as leases, and overdue deletions.
        self._unstored, self._taken, self._undeleted = (StateInMemory() for _ in range(3))
        self._last_failure = -math.inf

    @property
    def recently_reached(self) -> bool:
        """Whether there was no failure in the last 30 s."""
        return time.monotonic() - self._last_failure > _RECENT

    async def open(self) -> None:
        """Connect to the store."""
        await self._store.open()

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """The value; None where there is none, where it has expired, and in an outage."""
        # A value that the store could not take is newer than the store's.
        unstored = await self._unstored.get(conversation, kind, item)
        if unstored is not None:
            return unstored
        try:
            await self._delete_overdue(conversation, kind, item)
            return await self._store.get(conversation, kind, item)
        except StateError as error:
            self._report("get", kind, error)
            return None

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Store ``value``, and replace a previous one."""
        try:
            await self._store.put(conversation, kind, item, value, lifetime=lifetime)
        except StateError as error:
            self._report("put", kind, error)
            await self._unstored.put(conversation, kind, item, value, lifetime=lifetime)
        else:
            await self._unstored.drop(conversation, kind, item)
            await self._undeleted.drop(conversation, kind, item)

    async def put_new(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Store ``value`` if none is stored; in an outage, if this process knows of none."""
        if await self._unstored.get(conversation, kind, item) is not None:
            return False
        try:
            await self._delete_overdue(conversation, kind, item)
            first = await self._store.put_new(conversation, kind, item, value, lifetime=lifetime)
        except StateError as error:
            self._report("claim", kind, error)
            first = await self._taken.put_new(conversation, kind, item, value, lifetime=lifetime)
            if first:
                await self._unstored.put(conversation, kind, item, value, lifetime=lifetime)
            return first
        await self._taken.put_new(conversation, kind, item, value, lifetime=lifetime)
        return first

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """Do each of ``swaps``; return the values that are stored then, or ``old`` in an outage."""
        try:
            return await self._store.swap(swaps)
        except StateError as error:
            self._report("swap", swaps[0].kind, error)
            return [swap.old for swap in swaps]

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Delete a value; in an outage, when it is next read."""
        await self._taken.drop(conversation, kind, item)
        await self._unstored.drop(conversation, kind, item)
        try:
            await self._store.drop(conversation, kind, item)
        except StateError as error:
            self._report("drop", kind, error)
            await self._undeleted.put(conversation, kind, item, b"", lifetime=_LONGEST_OUTAGE)

    async def forget(self, conversation: ConversationKey) -> None:
        """Delete all values of a conversation."""
        await self._taken.forget(conversation)
        await self._unstored.forget(conversation)
        await self._undeleted.forget(conversation)
        await self._store.forget(conversation)

    async def close(self) -> None:
        """Close the store."""
        with contextlib.suppress(StateError):
            await self._store.close()

    async def _delete_overdue(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Do a deletion that failed. The lease of a message that failed must not block its retry."""
        if await self._undeleted.get(conversation, kind, item) is not None:
            await self._store.drop(conversation, kind, item)
            await self._undeleted.drop(conversation, kind, item)

    def _report(self, step: str, kind: str, error: StateError) -> None:
        self._last_failure = time.monotonic()
        log.error("state not reached", step=step, kind=kind, cause=cause(error.__cause__ or error))
        emit(StateFailed(step))
