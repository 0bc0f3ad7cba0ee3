"""What an engine tells, read by a task of its own, so that whoever leaves hangs up at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")
_FAREWELL: Final = 5.0
"""Seconds that an engine has to end; one that doesn't is left to itself."""


class Ahead(Generic[_T]):
    """Whatever has come and was not taken yet."""

    def __init__(self) -> None:
        self._come: asyncio.Queue[_T | Exception | None] = asyncio.Queue()

    async def take(self) -> _T | None:
        """The next thing; None at the end. Raises what the engine raised, behind all that came before."""
        come = await self._come.get()
        if come is None:
            self._come.put_nowait(None)
        if isinstance(come, Exception):
            raise come
        return come

    async def read(self, telling: AsyncGenerator[_T, None]) -> None:
        """Read all of it."""
        try:
            async with contextlib.aclosing(telling):
                async for told in telling:
                    self._come.put_nowait(told)
        except Exception as error:  # noqa: BLE001 - whoever takes it raises it
            self._come.put_nowait(error)
        else:
            self._come.put_nowait(None)


@contextlib.asynccontextmanager
async def ahead(telling: AsyncGenerator[_T, None]) -> AsyncIterator[Ahead[_T]]:
    """Read ``telling`` in this block.

    LlamaIndex puts generators into generators. Closing the outermost between two pieces leaves those
    within to the garbage collector, and their connection open; a task that is cancelled while it waits
    for the next piece ends them all.
    """
    reader = Ahead[_T]()
    task = asyncio.create_task(reader.read(telling))
    try:
        yield reader
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=_FAREWELL)
