"""State in memory, which ends with the process: for one replica, or a laptop."""

from __future__ import annotations

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from ..telemetry.conversation_key import ConversationKey, digest_of
from . import Swap

_OVERHEAD: Final = 300
"""Bytes that an entry takes besides its value. Keys are hashes, so the length of ids doesn't matter."""


class StateInMemory:
    """A :class:`State` of at most ``capacity`` bytes for each kind; the oldest values are evicted.

    ``clock`` is in seconds. Each kind has a limit of its own, so that many activities don't evict
    answers.
    """

    recently_reached: Final = None

    def __init__(self, *, capacity: int = 32 * 2**20, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = capacity
        self._clock = clock
        self._kinds: defaultdict[str, _StoredValues] = defaultdict(_StoredValues)

    async def open(self) -> None:
        """Do nothing: there is no connection."""

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """The stored value; None where there is none, or it has expired."""
        return self._kinds[kind].get(digest_of(conversation, item), self._clock())

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Store ``value``, and replace a previous one."""
        now, stored = self._clock(), self._kinds[kind]
        stored.put(digest_of(conversation, item), value, now + lifetime)
        stored.evict(now, self._capacity)

    async def put_new(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Store ``value`` if none is stored. This is atomic, since nothing is awaited in between."""
        now, stored, key = self._clock(), self._kinds[kind], digest_of(conversation, item)
        if stored.get(key, now) is not None:
            return False
        stored.put(key, value, now + lifetime)
        stored.evict(now, self._capacity)
        return True

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """Do each of ``swaps``; return the values that are stored then."""
        return [self._swap(swap) for swap in swaps]

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Delete a value."""
        self._kinds[kind].drop(digest_of(conversation, item))

    async def forget(self, conversation: ConversationKey) -> None:
        """Delete all values of a conversation."""
        prefix = digest_of(conversation, "")
        for stored in self._kinds.values():
            stored.drop_all(prefix)

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def _swap(self, swap: Swap) -> bytes | None:
        now, stored, key = self._clock(), self._kinds[swap.kind], digest_of(swap.conversation, swap.item)
        if stored.get(key, now) == swap.old:
            stored.put(key, swap.new, now + swap.lifetime)
        return stored.get(key, now)


class _StoredValues:
    """The values of one kind with their expiry times, oldest first."""

    def __init__(self) -> None:
        self._values: OrderedDict[bytes, tuple[bytes, float]] = OrderedDict()
        self._size = 0

    def get(self, key: bytes, now: float) -> bytes | None:
        value, expires = self._values.get(key, (None, now))
        return value if expires > now else None

    def put(self, key: bytes, value: bytes, expires: float) -> None:
        self.drop(key)
        self._values[key] = (value, expires)
        self._size += len(value) + _OVERHEAD

    def drop(self, key: bytes) -> None:
        value, _ = self._values.pop(key, (None, 0))
        if value is not None:
            self._size -= len(value) + _OVERHEAD

    def drop_all(self, prefix: bytes) -> None:
        for key in [key for key in self._values if key.startswith(prefix)]:
            self.drop(key)

    def evict(self, now: float, capacity: int) -> None:
        # The values of a kind have the same lifetime, so the oldest expires first.
        while self._values:
            key, (_, expires) = next(iter(self._values.items()))
            if expires > now and self._size <= capacity:
                return
            self.drop(key)
