"""A value with an expiry that another system issues, such as an access token.

A background task fetches it, and refreshes it before it expires. Callers get the cached value at once.
While there is none, all callers wait for the same attempt.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from ..telemetry import Refreshed, detached_context, emit
from ..telemetry.log import cause, logger

ATTEMPT_TIMEOUT: Final = 10.0
"""Seconds for one attempt."""
LONGEST_PAUSE: Final = 60.0
"""Seconds between failed attempts, at most, while no caller waits. The backoff starts shorter."""
SHORTEST_PAUSE: Final = 1.0
"""Seconds between attempts, at least, while there is no valid value, even when a caller waits."""

log = logger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lease(Generic[T]):
    """A value with its refresh time and its expiry, both in seconds since it was requested."""

    value: T
    refresh_after: float
    lifetime: float


class Unavailable(Exception):  # noqa: N818 - "unavailable" already names the failure
    """There is no value, or no newer one. The message gives the reason, without a secret."""


class RefreshRefused(Unavailable):
    """The issuer refused, so a retry would not help."""


class RefreshingValue(Generic[T]):
    """One value, which ``fetch`` requests.

    ``name`` is its name in the log. Callers wait for up to ``timeout`` seconds while there is no value.
    """

    def __init__(self, name: str, fetch: Callable[[], Awaitable[Lease[T]]], *, timeout: float) -> None:
        self._name = name
        self._fetch = fetch
        self._timeout = timeout
        self._lease: Lease[T] | None = None
        self._expires = 0.0
        self._failed: Unavailable | None = None
        self._wanted = asyncio.Event()
        self._attempted = asyncio.Event()
        self._refreshing: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def valid(self) -> bool:
        """Whether there is an unexpired value."""
        return self._lease is not None and time.monotonic() < self._expires

    @property
    def failing(self) -> bool:
        """Whether the last attempt failed. The background task retries after a pause."""
        return self._failed is not None

    def open(self) -> None:
        """Start the background task. Never fails."""
        if self._refreshing is None:
            # A request may be the first caller. The task outlives it, so it gets a context of its own.
            self._refreshing = asyncio.create_task(
                self._keep_fresh(), name=f"keep {self._name}", context=detached_context()
            )

    async def close(self) -> None:
        """End the background task for good, and the waiting of all callers."""
        self._closed = True
        self._attempted.set()
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.wait([self._refreshing])
            self._refreshing = None

    async def get(self) -> T:
        """The valid value. Raises :class:`Unavailable` after the timeout, or where it is refused."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._timeout):
                while not self.valid:
                    await self._wait_for_attempt()
                    if isinstance(self._failed, RefreshRefused):
                        break
        if self._lease is None or not self.valid:
            raise self._failure()
        return self._lease.value

    async def refresh(self) -> T:
        """The result of the attempt under way, or else of a new one.

        Raises :class:`Unavailable` where it fails; the previous value stays cached.
        """
        await self._wait_for_attempt()
        if self._failed or self._lease is None:
            raise self._failure()
        return self._lease.value

    def _failure(self) -> Unavailable:
        """A new exception for each caller, because raising one attaches the caller's frames to it."""
        failed = self._failed or Unavailable(f"not within {self._timeout:g} s")
        return type(failed)(*failed.args)

    async def _wait_for_attempt(self) -> None:
        if self._closed:
            raise Unavailable("closed")
        self.open()
        self._wanted.set()
        await self._attempted.wait()

    async def _keep_fresh(self) -> None:
        failures = 0
        while True:
            requested = time.monotonic()
            try:
                async with asyncio.timeout(ATTEMPT_TIMEOUT):
                    lease = await self._fetch()
            except Exception as error:  # noqa: BLE001 - whatever fails, the cached value is kept
                failures += 1
                emit(Refreshed(self._name, done=False))
                self._failed = error if isinstance(error, Unavailable) else Unavailable(cause(error))
                self._log_failure(failures)
                # Full jitter, so that many replicas don't retry at the same moment.
                pause = max(SHORTEST_PAUSE, random.uniform(0, min(LONGEST_PAUSE, 2.0**failures)))  # noqa: S311
            else:
                emit(Refreshed(self._name, done=True))
                if failures:
                    log.info(f"{self._name} again", failures=failures)
                failures, self._failed = 0, None
                self._lease, self._expires = lease, requested + lease.lifetime
                pause = max(SHORTEST_PAUSE, requested + lease.refresh_after - time.monotonic())
            self._wanted.clear()
            attempted, self._attempted = self._attempted, asyncio.Event()
            attempted.set()
            await self._pause(pause, 0.0 if self.valid and not failures else SHORTEST_PAUSE)

    def _log_failure(self, failures: int) -> None:
        """Log failures 1, 2, 4, 8 and so on, so that a long outage takes few lines."""
        if failures.bit_count() == 1:
            log.warning(f"no newer {self._name}", cause=str(self._failed), held=self.valid, failures=failures)

    async def _pause(self, seconds: float, least: float) -> None:
        """Wait for ``seconds``, or for ``least`` where a caller wants an attempt."""
        await asyncio.sleep(least)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds - least)):
                await self._wanted.wait()
