"""Long steps run beside the event loop, one at a time for what they use."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from bot.resilience.steps import LONG, Breath, iterate, run_step

HERE = threading.get_ident


async def test_a_short_step_runs_at_once_and_a_long_one_in_a_thread() -> None:
    assert await run_step(HERE, LONG - 1) == HERE()
    assert await run_step(HERE, LONG) != HERE()


async def test_what_a_step_raises_is_raised() -> None:
    for size in (0, LONG):
        with pytest.raises(ZeroDivisionError):
            await run_step(lambda: 1 // 0, size)


async def test_who_is_cancelled_waits_for_the_step_that_uses_what_they_have() -> None:
    begun, release, done = threading.Event(), threading.Event(), threading.Event()

    def step() -> None:
        begun.set()
        release.wait(60)
        done.set()

    running = asyncio.create_task(run_step(step, LONG))
    await asyncio.to_thread(begun.wait, 60)
    running.cancel()
    await asyncio.sleep(0.05)
    assert not running.done()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert done.is_set()


@pytest.mark.parametrize("size", [0, LONG])
async def test_items_come_before_what_ends_them(size: int) -> None:
    def failing() -> Iterator[int]:
        yield from range(2500)
        raise ValueError("the end")

    seen: list[int] = []

    async def take_all() -> None:
        async for item in iterate(failing(), size):
            seen.append(item)  # noqa: PERF401 - what came before the error counts

    with pytest.raises(ValueError, match="the end"):
        await take_all()
    assert seen == list(range(2500))
    assert [item async for item in iterate(iter("abc"), size)] == ["a", "b", "c"]


async def test_others_get_their_turn_between_steps_that_never_wait() -> None:
    turns, over = 0, False

    async def count() -> None:
        nonlocal turns
        while not over:
            turns += 1
            await asyncio.sleep(0)

    counting, breath = asyncio.create_task(count()), Breath()
    for _ in range(200_000):
        await breath.take()
    over = True
    await counting
    assert turns > 1
