"""The stores, each with a clock that a test can advance."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path

from redis.asyncio import Redis

from bot.state import State
from bot.state.memory import StateInMemory
from bot.state.outage import StateThroughOutages
from bot.state.redis import StateInRedis
from bot.state.sqlite import StateInSQLite

from .redis_server import RedisServer


@dataclass(frozen=True, slots=True)
class Store:
    """A store, another one that shares what it keeps, and how time passes for both."""

    state: State
    other: State
    advance: Callable[[float], Coroutine[None, None, None]]
    """By so many seconds."""


@contextlib.asynccontextmanager
async def in_memory() -> AsyncIterator[Store]:
    now = [1000.0]

    async def advance(seconds: float) -> None:
        now[0] += seconds

    state = StateInMemory(clock=lambda: now[0])
    await state.open()
    yield Store(state, state, advance)
    await state.close()


@contextlib.asynccontextmanager
async def through_outages() -> AsyncIterator[Store]:
    async with in_memory() as store:
        yield Store(StateThroughOutages(store.state), StateThroughOutages(store.state), store.advance)


@contextlib.asynccontextmanager
async def in_sqlite(file: Path) -> AsyncIterator[Store]:
    now = [1_800_000_000.0]

    async def advance(seconds: float) -> None:
        now[0] += seconds

    state, other = (StateInSQLite(file, clock=lambda: now[0]) for _ in range(2))
    await state.open()
    await other.open()
    yield Store(state, other, advance)
    await other.close()
    await state.close()


@contextlib.asynccontextmanager
async def in_redis(server: RedisServer) -> AsyncIterator[Store]:
    async with Redis.from_url(server.url) as client:
        await client.flushdb()

        async def advance(seconds: float) -> None:
            # Redis has its own clock: instead of moving on, everything ends earlier.
            for key in await client.keys("*"):
                await client.pexpire(key, max(0, await client.pttl(key) - round(seconds * 1000)))

        state, other = StateInRedis(server.url), StateInRedis(server.url)
        await state.open()
        await other.open()
        yield Store(state, other, advance)
        await other.close()
        await state.close()
