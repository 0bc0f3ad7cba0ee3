"""How late an event loop is."""

from __future__ import annotations

import asyncio
from typing import Final

_EVERY: Final = 0.005


class LoopLag:
    """Wants to run every 5 ms, and notes by how many seconds each run was late.

    A loop that stands still for a second misses two hundred runs, and each counts: otherwise that
    second would be one lag among many, and no percentile would see it.
    """

    def __init__(self) -> None:
        self._late: list[float] = []
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Measure from now on."""
        self._late = []
        self._task = asyncio.create_task(self._measure())

    def end(self) -> list[float]:
        """The lags since :meth:`begin`, in seconds; none where nothing was measured."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        return self._late

    async def _measure(self) -> None:
        clock = asyncio.get_running_loop().time
        due = clock()
        while True:
            due += _EVERY
            await asyncio.sleep(due - clock())
            now = clock()
            while due <= now:
                self._late.append(now - due)
                due += _EVERY
            due -= _EVERY
