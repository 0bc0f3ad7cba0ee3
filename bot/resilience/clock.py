"""The event loop's clock, and waiting with a timeout."""

from __future__ import annotations

import asyncio
import contextlib


def now() -> float:
    """The event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


async def wait_until_set(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait for ``event`` for up to so many seconds, or without limit; return whether it is set."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False
