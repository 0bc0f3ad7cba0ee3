"""The stores, each with a clock that a test can advance."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis.asyncio import Redis

from bot.state import State
from bot.state.memory import StateInMemory
from bot.state.outage import StateThroughOutages
from bot.state.redis import StateInRedis
from bot.state.sqlite import StateInSQLite
from bot.telemetry.conversation_key import ConversationKey

from .redis_server import RedisServer


@dataclass(frozen=True, slots=True)
class Store:
    """A store, another one that shares what it keeps, and how time passes for both."""

    state: State
    other: State
    advance: Callable[[float], Coroutine[None, None, None]]
    """By so many seconds."""
    clock: Callable[[], float]
    written: Callable[[], Coroutine[None, None, bytes]]
    """All that is kept outside the process, and how it is named there."""


async def put_first(
    state: State, conversation: ConversationKey, kind: str, item: str, *, lifetime: float
) -> bool:
    """Whether nothing was kept there."""
    return await state.put_new(conversation, kind, item, secrets.token_bytes(8), lifetime=lifetime)


async def nothing() -> bytes:
    return b""


@contextlib.asynccontextmanager
async def in_memory() -> AsyncIterator[Store]:
    now = [1000.0]

    async def advance(seconds: float) -> None:
        now[0] += seconds

    state = StateInMemory(clock=lambda: now[0])
    await state.open()
    yield Store(state, state, advance, lambda: now[0], nothing)
    await state.close()


@contextlib.asynccontextmanager
async def through_outages() -> AsyncIterator[Store]:
    async with in_memory() as store:
        state, other = (StateThroughOutages(store.state) for _ in range(2))
        yield Store(state, other, store.advance, store.clock, nothing)


@contextlib.asynccontextmanager
async def in_sqlite(file: Path) -> AsyncIterator[Store]:
    now = [1_800_000_000.0]

    async def advance(seconds: float) -> None:
        now[0] += seconds

    async def read_store() -> bytes:
        return b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*"))

    state, other = (StateInSQLite(file, clock=lambda: now[0]) for _ in range(2))
    await state.open()
    await other.open()
    yield Store(state, other, advance, lambda: now[0], read_store)
    await other.close()
    await state.close()


@contextlib.asynccontextmanager
async def in_redis(server: RedisServer) -> AsyncIterator[Store]:
    async with Redis.from_url(server.url) as client:
        await client.flushdb()
        now = [1000.0]

        async def advance(seconds: float) -> None:
            now[0] += seconds
            # Redis has its own clock: instead of moving on, everything ends earlier.
            for key in await client.keys("*"):
                await client.pexpire(key, max(0, await client.pttl(key) - round(seconds * 1000)))

        async def read_store() -> bytes:
            keys: list[Any] = await client.keys("*")
            dumps: list[Any] = [await client.dump(key) for key in keys]
            return b"".join((*keys, *(dump for dump in dumps if dump)))

        state, other = StateInRedis(server.url), StateInRedis(server.url)
        await state.open()
        await other.open()
        yield Store(state, other, advance, lambda: now[0], read_store)
        await other.close()
        await state.close()
