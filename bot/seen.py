"""Which activities have been taken up already: channels deliver at least once, not exactly once."""

from __future__ import annotations

from typing import Final, NamedTuple

from .state import ConversationKey, State

LIFETIME: Final = 15 * 60.0
"""Seconds. Teams sends an activity again when the bot took 15 s."""

_KIND: Final = "seen"


class ActivityKey(NamedTuple):
    """An activity: its id is unique in its conversation only."""

    conversation: ConversationKey
    activity_id: str


class Seen:
    """Remembers activities in ``state``, so that neither a restart nor a replica answers one again."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def first(self, key: ActivityKey) -> bool:
        """Whether ``key`` is new; from now on it isn't."""
        return await self._state.claim(key.conversation, _KIND, key.activity_id, lifetime=LIFETIME)

    async def forget(self, key: ActivityKey) -> None:
        """Let ``key`` be new again: what it named was not done."""
        await self._state.drop(key.conversation, _KIND, key.activity_id)
