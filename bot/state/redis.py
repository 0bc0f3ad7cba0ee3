"""State in Redis, which several replicas share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from ..telemetry.conversation_key import ConversationKey, item_name, name_of
from . import StateError, Swap

TIMEOUT: Final = 2.0
"""Seconds for one command, and for a free connection."""
CONNECTIONS: Final = 32
"""Connections at most; further commands wait for a free one."""
PAUSE: Final = 5.0
"""Seconds without requests to Redis after a timeout, so that further turns don't wait too."""

_PREFIX: Final = "citations-bot"
# The index is a sorted set of a conversation's keys by expiry time, for FORGET.
# The time is Redis' own, which all replicas share.
# KEYS: the key of the value, the key of the index. ARGV: the value, its lifetime in ms.
_PUT: Final = """
    local time = redis.call('TIME')
    local now, lifetime = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[2])
    redis.call('SET', KEYS[1], ARGV[1], 'PX', lifetime)
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
    redis.call('ZADD', KEYS[2], now + lifetime, KEYS[1])
    if redis.call('PTTL', KEYS[2]) < lifetime then redis.call('PEXPIRE', KEYS[2], lifetime) end
"""
# PUT_NEW and SWAP return the value that is stored then. A retry after a lost reply finds its own value.
_PUT_NEW: Final = f"""
    local there = redis.call('GET', KEYS[1])
    if there then return there end
    {_PUT}
    return ARGV[1]
"""
_SWAP: Final = f"""
    local there = redis.call('GET', KEYS[1])
    if there ~= ARGV[3] then return there end
    {_PUT}
    return ARGV[1]
"""
_DROP: Final = """
    redis.call('ZREM', KEYS[2], KEYS[1])
    return redis.call('DEL', KEYS[1])
"""
_FORGET: Final = """
    for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('DEL', key) end
    return redis.call('DEL', KEYS[1])
"""


class StateInRedis:
    """A :class:`State` that replicas share; ``url`` is ``redis://…``, ``rediss://…`` or ``unix://…``.

    Redis 5 or newer. After a :data:`TIMEOUT`, commands fail at once for :data:`PAUSE`.
    """

    recently_reached: Final = True

    def __init__(self, url: str, *, pause: float = PAUSE) -> None:
        """Raise ``ValueError`` for a URL that Redis' client can't parse."""
        parts = urlsplit(url)
        self._name = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._pause = pause
        self._paused_until = 0.0
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=TIMEOUT,
            socket_timeout=TIMEOUT / 2,
            socket_connect_timeout=TIMEOUT / 2,
            # The retry uses a new connection, in case Redis has been restarted since the last turn.
            retry=Retry(NoBackoff(), 1),
        )
        self._redis: Redis = Redis.from_pool(pool)
        scripts = (_PUT, _PUT_NEW, _DROP, _FORGET)
        self._put, self._put_new, self._drop, self._forget = map(self._redis.register_script, scripts)

    async def open(self) -> None:
        """Connect to Redis once."""
        try:
            await self._run(self._redis.ping)
        except TypeError as error:  # an option in the URL that the client doesn't know
            raise StateError(f"{self._name}: {error}") from error

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """The stored value; None where there is none, or it has expired."""
        value: bytes | None = await self._run(self._redis.get, _keys_of(conversation, kind, item)[0])
        return value

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Store ``value``, and replace a previous one."""
        arguments = (value, _to_milliseconds(lifetime))
        await self._run(self._put, keys=_keys_of(conversation, kind, item), args=arguments)

    async def put_new(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Store ``value`` if none is stored, atomically; return whether it was stored."""
        arguments = (value, _to_milliseconds(lifetime))
        stored = await self._run(self._put_new, keys=_keys_of(conversation, kind, item), args=arguments)
        return bool(stored == value)

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """Do each of ``swaps`` atomically, all in one round trip; return the values that are stored then.

        The pause after a timeout doesn't apply, because no turn waits for a swap.
        """
        pipeline = self._redis.pipeline(transaction=False)
        for swap in swaps:
            keys = _keys_of(swap.conversation, swap.kind, swap.item)
            pipeline.eval(_SWAP, len(keys), *keys, swap.new, _to_milliseconds(swap.lifetime), swap.old)
        values: list[bytes | None] = await self._run_anyway(pipeline.execute)
        return values

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Delete a value."""
        await self._run(self._drop, keys=_keys_of(conversation, kind, item))

    async def forget(self, conversation: ConversationKey) -> None:
        """Delete all values of a conversation."""
        await self._run(self._forget, keys=[_index_of(conversation)])

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def _run(self, command: Callable[..., Awaitable[Any]], *arguments: object, **named: object) -> Any:
        if time.monotonic() < self._paused_until:
            raise StateError(f"{self._name}: it didn't answer a moment ago")
        return await self._run_anyway(command, *arguments, **named)

    async def _run_anyway(
        self, command: Callable[..., Awaitable[Any]], *arguments: object, **named: object
    ) -> Any:
        try:
            async with asyncio.timeout(TIMEOUT):
                return await command(*arguments, **named)
        except (TimeoutError, RedisTimeoutError) as error:
            self._paused_until = time.monotonic() + self._pause
            raise StateError(f"{self._name}: no answer within {TIMEOUT:g} s") from error
        except (RedisError, OSError) as error:
            raise StateError(f"{self._name}: {error}") from error


def _to_milliseconds(lifetime: float) -> int:
    return max(1, round(lifetime * 1000))


def _index_of(conversation: ConversationKey) -> str:
    return f"{_PREFIX}:{{{name_of(conversation)}}}"


def _keys_of(conversation: ConversationKey, kind: str, item: str) -> Sequence[str]:
    """The keys of the value and of the index. A cluster stores both in one slot, by the part in braces."""
    index = _index_of(conversation)
    return [f"{index}:{kind}:{item_name(item)}", index]
