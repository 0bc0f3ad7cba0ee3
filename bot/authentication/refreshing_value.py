"""What somebody else gives us for a time: got once, renewed before it ends, and used while it holds.

Whoever needs it while it holds doesn't wait. Whoever needs it when there is none waits for the one
attempt that is under way, however many they are.
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

ATTEMPT: Final = 10.0
"""Seconds that one attempt may take."""
LONGEST_PAUSE: Final = 60.0
"""Seconds between failed attempts while nobody waits; the first pauses are shorter."""
SHORTEST_PAUSE: Final = 1.0
"""Seconds between an attempt that brought nothing that holds and the next, even when somebody waits."""

log = logger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lease(Generic[T]):
    """A value, and for how long: both counted in seconds from when it was asked for."""

    value: T
    renew: float
    """When a newer one is asked for."""
    life: float
    """When it no longer holds."""


class Unavailable(Exception):  # noqa: N818 - "unavailable" says it
    """There is none, or none that is newer; the words tell why, and no secret."""


class RefreshRefused(Unavailable):
    """Whoever gives it says no: asking again would bring the same."""


class RefreshingValue(Generic[T]):
    """One value, which ``get`` brings.

    ``name`` is how the log calls it; ``patience``, in seconds, how long somebody waits where there is
    none.
    """

    def __init__(self, name: str, get: Callable[[], Awaitable[Lease[T]]], *, patience: float) -> None:
        self._name = name
        self._get = get
        self._patience = patience
        self._lease: Lease[T] | None = None
        self._ends = 0.0
        self._failed: Unavailable | None = None
        self._wanted = asyncio.Event()
        self._attempted = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def holds(self) -> bool:
        """Whether there is a value that hasn't ended."""
        return self._lease is not None and time.monotonic() < self._ends

    @property
    def failing(self) -> bool:
        """Whether the last attempt failed. The next will come, after a pause, without anybody's asking."""
        return self._failed is not None

    def open(self) -> None:
        """Begin to get it, and to renew it, in the background. Never fails."""
        if self._keeping is None:
            # Whoever wants it first may begin it: a request, which ends long before.
            self._keeping = asyncio.create_task(
                self._keep(), name=f"keep {self._name}", context=detached_context()
            )

    async def close(self) -> None:
        """End the background task, for good; whoever waits for it waits no more."""
        self._closed = True
        self._attempted.set()
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait([self._keeping])
            self._keeping = None

    async def value(self) -> T:
        """The value that holds. Raises :class:`Unavailable` where none comes in time, or it is refused."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                while not self.holds:
                    await self._attempt()
                    if isinstance(self._failed, RefreshRefused):
                        break
        if self._lease is None or not self.holds:
            raise self._failure()
        return self._lease.value

    async def renew(self) -> T:
        """What the attempt that is under way brings, or one that begins for this.

        Raises :class:`Unavailable` where that fails; what was held is held on to.
        """
        await self._attempt()
        if self._failed or self._lease is None:
            raise self._failure()
        return self._lease.value

    def _failure(self) -> Unavailable:
        """One of its own for everybody: what is raised takes the caller's frames along."""
        failed = self._failed or Unavailable(f"not within {self._patience:g} s")
        return type(failed)(*failed.args)

    async def _attempt(self) -> None:
        if self._closed:
            raise Unavailable("closed")
        self.open()
        self._wanted.set()
        await self._attempted.wait()

    async def _keep(self) -> None:
        failures = 0
        while True:
            asked = time.monotonic()
            try:
                async with asyncio.timeout(ATTEMPT):
                    lease = await self._get()
            except Exception as error:  # noqa: BLE001 - whatever it is, what is held is held on to
                failures += 1
                emit(Refreshed(self._name, done=False))
                self._failed = error if isinstance(error, Unavailable) else Unavailable(cause(error))
                self._tell(failures)
                # Full jitter, so that many of us don't come back together.
                pause = max(SHORTEST_PAUSE, random.uniform(0, min(LONGEST_PAUSE, 2.0**failures)))  # noqa: S311
            else:
                emit(Refreshed(self._name, done=True))
                if failures:
                    log.info(f"{self._name} again", failures=failures)
                failures, self._failed = 0, None
                self._lease, self._ends = lease, asked + lease.life
                pause = max(SHORTEST_PAUSE, asked + lease.renew - time.monotonic())
            self._wanted.clear()
            attempted, self._attempted = self._attempted, asyncio.Event()
            attempted.set()
            await self._rest(pause, 0.0 if self.holds and not failures else SHORTEST_PAUSE)

    def _tell(self, failures: int) -> None:
        """An outage is some lines of the log, however long it lasts: at failure 1, 2, 4, 8."""
        if failures.bit_count() == 1:
            log.warning(f"no newer {self._name}", cause=str(self._failed), held=self.holds, failures=failures)

    async def _rest(self, pause: float, least: float) -> None:
        """Until ``pause`` seconds are over, or somebody wants an attempt and ``least`` of them are over."""
        await asyncio.sleep(least)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, pause - least)):
                await self._wanted.wait()
