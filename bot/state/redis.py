"""State in Redis, for several replicas."""

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

PATIENCE: Final = 2.0
"""Seconds to wait for an answer, or for a connection."""
CONNECTIONS: Final = 32
"""At most; who finds none free waits for one."""
PAUSE: Final = 5.0
"""Seconds in which Redis isn't asked again after it kept a turn waiting."""

_PREFIX: Final = "citations-bot"
# The index has the keys of a conversation with their ends, so that all of them can be found again.
# Redis' own clock is the one that all replicas share. KEYS: the value's, the index's. ARGV: the value,
# its lifetime in ms.
_KEEP: Final = """
    local time = redis.call('TIME')
    local now, lifetime = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[2])
    redis.call('SET', KEYS[1], ARGV[1], 'PX', lifetime)
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
    redis.call('ZADD', KEYS[2], now + lifetime, KEYS[1])
    if redis.call('PTTL', KEYS[2]) < lifetime then redis.call('PEXPIRE', KEYS[2], lifetime) end
"""
# These answer with what is kept then. One whose answer was lost is tried again, and finds its own value.
_CLAIM: Final = f"""
    local there = redis.call('GET', KEYS[1])
    if there then return there end
    {_KEEP}
    return ARGV[1]
"""
_SWAP: Final = f"""
    local there = redis.call('GET', KEYS[1])
    if there ~= ARGV[3] then return there end
    {_KEEP}
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

    Redis 5 or newer. A turn waits for it for :data:`PATIENCE`; then the others don't wait for :data:`PAUSE`.
    """

    def __init__(self, url: str, *, pause: float = PAUSE) -> None:
        """Raise ``ValueError`` for a URL that Redis' client doesn't understand."""
        parts = urlsplit(url)
        self._where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._pause = pause
        self._asked_again = 0.0
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=PATIENCE,
            socket_timeout=PATIENCE / 2,
            socket_connect_timeout=PATIENCE / 2,
            # The other try goes over a new connection: Redis was restarted since the last turn.
            retry=Retry(NoBackoff(), 1),
        )
        self._redis: Redis = Redis.from_pool(pool)
        scripts = (_KEEP, _CLAIM, _DROP, _FORGET)
        self._keep, self._claim, self._drop, self._forget = map(self._redis.register_script, scripts)

    async def open(self) -> None:
        """Reach Redis once."""
        try:
            await self._ask(self._redis.ping)
        except TypeError as error:  # an option of the URL that the client doesn't know
            raise StateError(f"{self._where}: {error}") from error

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """What is kept; None where there is nothing, or it is too old."""
        found: bytes | None = await self._ask(self._redis.get, _keys(conversation, kind, item)[0])
        return found

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Keep ``value`` in the place of what was there."""
        arguments = (value, _milliseconds(lifetime))
        await self._ask(self._keep, keys=_keys(conversation, kind, item), args=arguments)

    async def claim(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Whether nothing was kept there, in one step: of several callers, replicas too, one gets True."""
        arguments = (value, _milliseconds(lifetime))
        kept = await self._ask(self._claim, keys=_keys(conversation, kind, item), args=arguments)
        return bool(kept == value)

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """What is kept in each place then: all of them in one round trip.

        Redis is asked even if it kept a turn waiting a moment ago: no turn waits for this.
        """
        pipeline = self._redis.pipeline(transaction=False)
        for swap in swaps:
            keys = _keys(swap.conversation, swap.kind, swap.item)
            pipeline.eval(_SWAP, len(keys), *keys, swap.new, _milliseconds(swap.lifetime), swap.old)
        found: list[bytes | None] = await self._answer(pipeline.execute)
        return found

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Keep it no longer."""
        await self._ask(self._drop, keys=_keys(conversation, kind, item))

    async def forget(self, conversation: ConversationKey) -> None:
        """Keep nothing of a conversation any longer."""
        await self._ask(self._forget, keys=[_index(conversation)])

    async def close(self) -> None:
        """Give the connections back."""
        await self._redis.aclose()

    async def _ask(self, command: Callable[..., Awaitable[Any]], *arguments: object, **named: object) -> Any:
        if time.monotonic() < self._asked_again:
            raise StateError(f"{self._where}: it didn't answer a moment ago")
        return await self._answer(command, *arguments, **named)

    async def _answer(
        self, command: Callable[..., Awaitable[Any]], *arguments: object, **named: object
    ) -> Any:
        try:
            async with asyncio.timeout(PATIENCE):
                return await command(*arguments, **named)
        except (TimeoutError, RedisTimeoutError) as error:
            self._asked_again = time.monotonic() + self._pause
            raise StateError(f"{self._where}: no answer within {PATIENCE:g} s") from error
        except (RedisError, OSError) as error:
            raise StateError(f"{self._where}: {error}") from error


def _milliseconds(lifetime: float) -> int:
    return max(1, round(lifetime * 1000))


def _index(conversation: ConversationKey) -> str:
    return f"{_PREFIX}:{{{name_of(conversation)}}}"


def _keys(conversation: ConversationKey, kind: str, item: str) -> Sequence[str]:
    """The value's key and the index's; what is in braces makes a cluster keep both in one place."""
    index = _index(conversation)
    return [f"{index}:{kind}:{item_name(item)}", index]
