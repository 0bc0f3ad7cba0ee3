"""The lag of the event loop: while a callback blocks it, no request is answered."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Final

from ..resilience.clock import now

INTERVAL: Final = 0.1
"""Seconds between two measurements."""
WINDOW: Final = 10.0
"""Seconds for which measurements count."""


class Lag:
    """Measures how late the event loop's timers fire, in seconds, between ``open`` and ``close``."""

    def __init__(self, *, clock: Callable[[], float] = now) -> None:
        self._clock = clock
        self._measurements: deque[tuple[float, float]] = deque()
        """Pairs of time and lag."""
        self._due = 0.0
        self._since = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def worst(self) -> float:
        """The longest lag of the last :data:`WINDOW` seconds."""
        current = self._clock()
        # A caller may run before a measurement that is overdue.
        overdue = current - self._due if self._task else 0.0
        return max(0.0, overdue, *(lag for _, lag in self._recent(current)))

    @property
    def least(self) -> float:
        """The shortest lag of the last :data:`WINDOW` seconds; 0 before the first window is over.

        A long one means that the loop is stuck. In a burst, some measurements are short.
        """
        current = self._clock()
        recent = self._recent(current)
        return min((lag for _, lag in recent), default=0.0) if current - self._since >= WINDOW else 0.0

    def open(self) -> None:
        """Start to measure."""
        self._since = self._due = self._clock()
        self._task = asyncio.create_task(self._measure())

    async def close(self) -> None:
        """Stop measuring."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def add(self, lag: float) -> None:
        """Store a measurement."""
        current = self._clock()
        self._measurements.append((current, lag))
        self._recent(current)

    async def _measure(self) -> None:
        while True:
            self._due = self._clock() + INTERVAL
            await asyncio.sleep(INTERVAL)
            self.add(max(0.0, self._clock() - self._due))

    def _recent(self, current: float) -> deque[tuple[float, float]]:
        while self._measurements and self._measurements[0][0] < current - WINDOW:
            self._measurements.popleft()
        return self._measurements
