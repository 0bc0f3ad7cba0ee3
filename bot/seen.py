"""Which activities have been taken up already: channels deliver at least once, not exactly once."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable


class Seen:
    """Remembers keys for ``lifetime`` seconds, and no more than ``capacity`` of them.

    Teams sends an activity again when the bot took 15 s; a second one within the lifetime is not
    answered again.
    """

    def __init__(
        self,
        *,
        lifetime: float = 15 * 60,
        capacity: int = 20_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lifetime = lifetime
        self._capacity = capacity
        self._clock = clock
        self._since: dict[Hashable, float] = {}

    def first(self, key: Hashable) -> bool:
        """Whether ``key`` is new; from now on it isn't."""
        now = self._clock()
        self._expire(now)
        if key in self._since:
            return False
        self._since[key] = now
        return True

    def forget(self, key: Hashable) -> None:
        """Let ``key`` be new again: what it named was not done."""
        self._since.pop(key, None)

    def _expire(self, now: float) -> None:
        # A dict keeps the order of insertion, so the oldest comes first.
        while self._since:
            oldest = next(iter(self._since))
            if now - self._since[oldest] < self._lifetime and len(self._since) < self._capacity:
                return
            del self._since[oldest]
