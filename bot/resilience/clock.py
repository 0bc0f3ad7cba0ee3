"""The event loop's clock, and waiting by it."""

from __future__ import annotations

import asyncio
import contextlib


def now() -> float:
    """The event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


async def set_within(event: asyncio.Event, seconds: float | None) -> bool:
    """Whether ``event`` is set within so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False
