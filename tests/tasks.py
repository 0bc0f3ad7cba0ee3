"""What goes on in the event loop that the tests share."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator


@contextlib.asynccontextmanager
async def all_ended() -> AsyncIterator[None]:
    """Tasks that begin in this block end with it."""
    before = asyncio.all_tasks()
    yield
    begun = asyncio.all_tasks() - before - {asyncio.current_task()}
    if begun:
        _, begun = await asyncio.wait(begun, timeout=60)
    assert not begun
