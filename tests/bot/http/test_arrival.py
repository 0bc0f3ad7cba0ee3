"""A request's time runs from its arrival, through all that is done for it."""

from __future__ import annotations

import asyncio
import contextvars

import pytest

from bot.http.arrival import note_arrival, time_left


async def test_time_runs_from_the_arrival_also_in_tasks() -> None:
    async def later() -> float:
        await asyncio.sleep(0.2)
        return time_left(10.0)

    async def request() -> tuple[float, float]:
        note_arrival()
        await asyncio.sleep(0.2)
        return time_left(10.0), await asyncio.create_task(later())

    now, then = await asyncio.create_task(request())
    assert then < now - 0.15 < 9.7


async def test_it_is_never_less_than_none() -> None:
    note_arrival()
    await asyncio.sleep(0.01)
    assert time_left(0.001) == 0


async def test_without_a_request_nothing_is_spent() -> None:
    alone = contextvars.Context()
    assert await asyncio.create_task(nothing_spent(), context=alone) == pytest.approx(5.0, abs=0.01)


async def nothing_spent() -> float:
    return time_left(5.0)
