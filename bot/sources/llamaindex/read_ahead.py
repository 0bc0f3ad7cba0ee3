"""Reads an engine in a task of its own, so that its request can be cancelled at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")
_FAREWELL: Final = 5.0
"""Seconds that an engine has to end after it is cancelled. The bot does not wait longer."""


class Ahead(Generic[_T]):
    """The items that the engine gave and that were not taken yet."""

    def __init__(self) -> None:
        self._come: asyncio.Queue[_T | Exception | None] = asyncio.Queue()

    async def take(self) -> _T | None:
        """The next item; None at the end. Raises what the engine raised, after all items before that."""
        come = await self._come.get()
        if come is None:
            self._come.put_nowait(None)
        if isinstance(come, Exception):
            raise come
        return come

    async def read(self, items: AsyncGenerator[_T, None]) -> None:
        """Read all of ``items``."""
        try:
            async with contextlib.aclosing(items):
                async for item in items:
                    self._come.put_nowait(item)
        except Exception as error:  # noqa: BLE001 - `take` raises it
            self._come.put_nowait(error)
        else:
            self._come.put_nowait(None)


@contextlib.asynccontextmanager
async def ahead(items: AsyncGenerator[_T, None]) -> AsyncIterator[Ahead[_T]]:
    """Read ``items`` while this block runs.

    LlamaIndex nests generators. Closing the outermost between two items leaves the inner ones to the
    garbage collector, and their connection open. Cancelling a task that waits for the next item closes
    them all.
    """
    reader = Ahead[_T]()
    task = asyncio.create_task(reader.read(items))
    try:
        yield reader
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=_FAREWELL)
