"""Which activities have been taken up already: channels deliver at least once, not exactly once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from .state import ConversationKey, State
from .state.memory import StateInMemory

LIFETIME: Final = 15 * 60.0
"""Seconds. Teams sends an activity again when the bot took 15 s."""

AGAIN: Final = "again"
"""Under this name the state of a turn has what lets its activity be taken up again."""

_KIND: Final = "seen"


class ActivityKey(NamedTuple):
    """An activity: its id is unique in its conversation only."""

    conversation: ConversationKey
    activity_id: str


class Seen:
    """Remembers activities in ``state``, so that neither a restart nor a replica answers one again.

    Of all replicas that are given an activity within :data:`LIFETIME`, one has it first. While they
    can't reach ``state``, or where that has lost what it had, each replica may have it first once.
    ``clock`` is in seconds.
    """

    def __init__(self, state: State, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._state = state
        self._ours = None if isinstance(state, StateInMemory) else StateInMemory(clock=clock)

    async def first(self, key: ActivityKey) -> bool:
        """Whether ``key`` is new; from now on it isn't."""
        new = await self._state.claim(key.conversation, _KIND, key.activity_id, lifetime=LIFETIME)
        if self._ours is None:
            return new
        # A store that was restarted doesn't know it any more, but this process does.
        return new and await self._ours.claim(key.conversation, _KIND, key.activity_id, lifetime=LIFETIME)

    async def forget(self, key: ActivityKey) -> None:
        """Let ``key`` be new again: what it named was not done."""
        if self._ours is not None:
            await self._ours.drop(key.conversation, _KIND, key.activity_id)
        await self._state.drop(key.conversation, _KIND, key.activity_id)
