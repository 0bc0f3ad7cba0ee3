"""The event loop's clock, its ticks, and waiting with a timeout."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque


def now() -> float:
    """The event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


async def wait_until_set(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait for ``event`` for up to so many seconds, or without limit; return whether it is set."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False


class OneStepPerTick:
    """Lets one step run in each tick of the event loop, first come, first served."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._occupied = False

    async def next(self) -> None:
        """Wait for a free tick; return at once where the current one is free."""
        if self._occupied:
            tick = asyncio.get_running_loop().create_future()
            self._waiting.append(tick)
            await tick
        else:
            self._occupied = True
            asyncio.get_running_loop().call_soon(self._advance)

    def _advance(self) -> None:
        """Give the next tick to the first caller that has not been cancelled."""
        while self._waiting:
            tick = self._waiting.popleft()
            if not tick.done():
                tick.set_result(None)
                asyncio.get_running_loop().call_soon(self._advance)
                return
        self._occupied = False
