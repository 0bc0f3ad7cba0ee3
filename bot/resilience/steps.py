"""Long steps in threads: whatever is computed, the event loop goes on.

A step takes time that grows with its input. In a thread it shares the interpreter with the event loop, which
gets its turn every few milliseconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from typing import Final, TypeVar

from citations import Reference

from .clock import now

LONG: Final = 2_000
"""Characters or bytes of the input from which on a step runs in a thread, which costs 0.1 ms by itself."""
_REFERENCE: Final = 100
"""What a reference without a text counts, in characters."""
_BATCH: Final = 1_000
"""Items that a thread computes at once."""
_BREATH: Final = 0.02
"""Seconds for which steps that never wait may hold the event loop."""

_T = TypeVar("_T")


def weigh(text: str, references: Iterable[Reference]) -> int:
    """The size of an answer, in characters."""
    return len(text) + sum(_REFERENCE + len(one.text or "") for one in references)


async def run_step(step: Callable[[], _T], size: int) -> _T:
    """The result of ``step``, whose input has ``size`` characters or bytes.

    A caller that is cancelled waits for a step in a thread: nothing else may touch its objects meanwhile.
    """
    if size < LONG:
        return step()
    running = asyncio.ensure_future(asyncio.to_thread(step))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait({running})
        raise


async def iterate(items: Iterable[_T], size: int) -> AsyncGenerator[_T, None]:
    """The ``items``, which are computed from an input of ``size``. Raises what they raise, as they do."""
    iterator, failed = iter(items), None
    while failed is None and size >= LONG:
        batch, failed = await run_step(lambda: _take(iterator), size)
        for item in batch:
            yield item
    if failed and not isinstance(failed, StopIteration):
        raise failed
    for item in iterator:
        yield item


def _take(iterator: Iterator[_T]) -> tuple[list[_T], Exception | None]:
    """The next items, and what ended them: ``StopIteration`` where they are over."""
    taken: list[_T] = []
    try:
        while len(taken) < _BATCH:
            taken.append(next(iterator))
    except Exception as error:  # noqa: BLE001 - the caller raises it behind the items
        return taken, error
    return taken, None


class Breath:
    """Gives the event loop a turn where steps follow each other without one that waits."""

    def __init__(self) -> None:
        self._due = now() + _BREATH

    async def take(self) -> None:
        """Let others run, if that was long ago."""
        if now() >= self._due:
            await asyncio.sleep(0)
            self._due = now() + _BREATH
