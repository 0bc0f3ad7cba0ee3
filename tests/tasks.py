"""What goes on in the event loop that the tests share."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any


@contextlib.asynccontextmanager
async def all_ended() -> AsyncIterator[None]:
    """Tasks that begin in this block end with it."""
    before = asyncio.all_tasks()
    yield
    begun = asyncio.all_tasks() - before - {asyncio.current_task()}
    if begun:
        await wait_until_ended(begun)


async def wait_until_ended(tasks: set[asyncio.Task[Any]]) -> None:
    """Wait for tasks that are on their way to their end; one that goes on after a minute is an error."""
    _, goes_on = await asyncio.wait(tasks, timeout=60)
    assert not goes_on
