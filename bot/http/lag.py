"""How late the event loop is: while something keeps it busy, nobody is answered."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Final

from ..resilience.clock import now as loop_time

EVERY: Final = 0.1
"""Seconds between two measures."""
WINDOW: Final = 10.0
"""Seconds that are looked back on."""


class Lag:
    """Measures, while it is open, how much later than asked for the loop calls back; in seconds."""

    def __init__(self, *, clock: Callable[[], float] = loop_time) -> None:
        self._clock = clock
        self._measures: deque[tuple[float, float]] = deque()
        """When each was taken, and what it was."""
        self._due = 0.0
        self._since = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def worst(self) -> float:
        """The longest of the last :data:`WINDOW` seconds."""
        now = self._clock()
        # Who asks may be called back before the measure that is overdue.
        overdue = now - self._due if self._task else 0.0
        return max(0.0, overdue, *(lag for _, lag in self._recent(now)))

    @property
    def least(self) -> float:
        """The shortest of them; 0 before the first :data:`WINDOW` seconds are over.

        Where even that is long, the loop doesn't come round any more: it is no burst.
        """
        now = self._clock()
        recent = self._recent(now)
        return min((lag for _, lag in recent), default=0.0) if now - self._since >= WINDOW else 0.0

    def open(self) -> None:
        """Begin to measure."""
        self._since = self._due = self._clock()
        self._task = asyncio.create_task(self._measure())

    async def close(self) -> None:
        """Measure no more."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def take(self, late: float) -> None:
        """Keep a measure."""
        now = self._clock()
        self._measures.append((now, late))
        self._recent(now)

    async def _measure(self) -> None:
        while True:
            self._due = self._clock() + EVERY
            await asyncio.sleep(EVERY)
            self.take(max(0.0, self._clock() - self._due))

    def _recent(self, now: float) -> deque[tuple[float, float]]:
        while self._measures and self._measures[0][0] < now - WINDOW:
            self._measures.popleft()
        return self._measures
