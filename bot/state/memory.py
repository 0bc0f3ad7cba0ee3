"""State that ends with the process: for one replica, and for a laptop."""

from __future__ import annotations

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from ..telemetry.conversation_key import ConversationKey, place_of
from . import Swap

_OVERHEAD: Final = 300
"""Bytes that an entry takes besides its value, however long the ids are that it is kept under."""


class StateInMemory:
    """A :class:`State` that keeps no more than ``capacity`` bytes of each kind: what is oldest makes room.

    ``clock`` is in seconds. One kind can't push out another: who sends many activities doesn't make
    the bot forget its answers.
    """

    def __init__(self, *, capacity: int = 32 * 2**20, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = capacity
        self._clock = clock
        self._kinds: defaultdict[str, _StoredValue] = defaultdict(_StoredValue)

    async def open(self) -> None:
        """Nothing is to be reached."""

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """What is kept; None where there is nothing, or it is too old."""
        return self._kinds[kind].get(place_of(conversation, item), self._clock())

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Keep ``value`` in the place of what was there."""
        now, kept = self._clock(), self._kinds[kind]
        kept.put(place_of(conversation, item), value, now + lifetime)
        kept.make_room(now, self._capacity)

    async def claim(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Whether nothing was kept there. Nothing is awaited in between, so that one caller gets True."""
        now, kept, place = self._clock(), self._kinds[kind], place_of(conversation, item)
        if kept.get(place, now) is not None:
            return False
        kept.put(place, value, now + lifetime)
        kept.make_room(now, self._capacity)
        return True

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """What is kept in each place then."""
        return [self._swap(swap) for swap in swaps]

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Keep it no longer."""
        self._kinds[kind].drop(place_of(conversation, item))

    async def forget(self, conversation: ConversationKey) -> None:
        """Keep nothing of a conversation any longer."""
        beginning = place_of(conversation, "")
        for kept in self._kinds.values():
            kept.forget(beginning)

    async def close(self) -> None:
        """Nothing was taken."""

    def _swap(self, swap: Swap) -> bytes | None:
        now, kept, place = self._clock(), self._kinds[swap.kind], place_of(swap.conversation, swap.item)
        if kept.get(place, now) == swap.old:
            kept.put(place, swap.new, now + swap.lifetime)
        return kept.get(place, now)


class _StoredValue:
    """The values of one kind, each with the time until which it is kept, the oldest first."""

    def __init__(self) -> None:
        self._values: OrderedDict[bytes, tuple[bytes, float]] = OrderedDict()
        self._size = 0

    def get(self, place: bytes, now: float) -> bytes | None:
        value, until = self._values.get(place, (None, now))
        return value if until > now else None

    def put(self, place: bytes, value: bytes, until: float) -> None:
        self.drop(place)
        self._values[place] = (value, until)
        self._size += len(value) + _OVERHEAD

    def drop(self, place: bytes) -> None:
        value, _ = self._values.pop(place, (None, 0))
        if value is not None:
            self._size -= len(value) + _OVERHEAD

    def forget(self, beginning: bytes) -> None:
        for place in [place for place in self._values if place.startswith(beginning)]:
            self.drop(place)

    def make_room(self, now: float, capacity: int) -> None:
        # The values of a kind live equally long, so that the oldest is the first whose time is over.
        while self._values:
            place, (_, until) = next(iter(self._values.items()))
            if until > now and self._size <= capacity:
                return
            self.drop(place)
