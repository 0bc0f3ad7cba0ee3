"""Health checks for an orchestrator: liveness and readiness.

Neither calls another system, and neither reveals the bot's configuration.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from aiohttp import web

from ..resilience.clock import now
from ..telemetry.log import cause, logger

STUCK: Final = 1.0
"""Seconds. The process counts as dead if every measurement of the last 10 s exceeds this lag.

A single late measurement is a burst, and a restart would lose the answers under way.
"""
_FACTS_TIMEOUT: Final = 1.0
"""Seconds for the answer source's facts."""
_PUBLIC: Final = frozenset({"source", "answers"})
"""The facts that are not confidential: the kind of answer source, and whether it answers."""

INTERVAL: Final = 0.1
"""Seconds between two measurements."""
WINDOW: Final = 10.0
"""Seconds for which measurements count."""

log = logger(__name__)


class Lag:
    """Measures how late the event loop's timers fire, in seconds, between ``open`` and ``close``."""

    def __init__(self, *, clock: Callable[[], float] = now) -> None:
        self._clock = clock
        self._measurements: deque[tuple[float, float]] = deque()
        """Pairs of time and lag."""
        self._due = 0.0
        self._since = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def worst(self) -> float:
        """The longest lag of the last :data:`WINDOW` seconds."""
        current = self._clock()
        # A caller may run before a measurement that is overdue.
        overdue = current - self._due if self._task else 0.0
        return max(0.0, overdue, *(lag for _, lag in self._recent(current)))

    @property
    def least(self) -> float:
        """The shortest lag of the last :data:`WINDOW` seconds; 0 before the first window is over.

        A long one means that the loop is stuck. In a burst, some measurements are short.
        """
        current = self._clock()
        recent = self._recent(current)
        return min((lag for _, lag in recent), default=0.0) if current - self._since >= WINDOW else 0.0

    def open(self) -> None:
        """Start to measure."""
        self._since = self._due = self._clock()
        self._task = asyncio.create_task(self._measure())

    async def close(self) -> None:
        """Stop measuring."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def add(self, lag: float) -> None:
        """Store a measurement."""
        current = self._clock()
        self._measurements.append((current, lag))
        self._recent(current)

    async def _measure(self) -> None:
        while True:
            self._due = self._clock() + INTERVAL
            await asyncio.sleep(INTERVAL)
            self.add(max(0.0, self._clock() - self._due))

    def _recent(self, current: float) -> deque[tuple[float, float]]:
        while self._measurements and self._measurements[0][0] < current - WINDOW:
            self._measurements.popleft()
        return self._measurements


@dataclass(slots=True, kw_only=True, eq=False)
class Health:
    """The process's liveness and readiness.

    ``needed`` are the parts without which the bot is not ready, by name; ``known`` are further parts.
    With ``verbose``, ``/readyz`` has all facts of the answer source: for this machine, without a policy.
    """

    facts: Callable[[], Awaitable[Mapping[str, str | int]]]
    needed: Callable[[], Mapping[str, bool]] = dict
    known: Callable[[], Mapping[str, bool]] = dict
    verbose: bool = False
    lag: Lag = field(default_factory=Lag)
    _serving: bool = False

    def begin_shutdown(self) -> None:
        """Report "not ready" from now on, so that the load balancer stops sending requests."""
        self._serving = False

    async def check_alive(self, _: web.Request) -> web.Response:
        """Answer ``/healthz``: 200, or 503 where the event loop is stuck. ``lag`` is in seconds."""
        alive = self.lag.least <= STUCK
        status = HTTPStatus.OK if alive else HTTPStatus.SERVICE_UNAVAILABLE
        return web.json_response({"alive": alive, "lag": round(self.lag.worst, 3)}, status=status)

    async def check_ready(self, _: web.Request) -> web.Response:
        """Answer ``/readyz``: 200, or 503 during startup and shutdown, and without a needed part.

        An answer source or a store that fails does not change it. Another replica could not reach them
        either, and the bot tells people of the failure.
        """
        needed = self.needed()
        ready = self._serving and all(needed.values())
        if not self._serving:
            return web.json_response({"ready": False}, status=HTTPStatus.SERVICE_UNAVAILABLE)
        report = {"ready": ready, **needed, **self.known(), **await self._read_facts()}
        return web.json_response(report, status=HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE)

    async def lifespan(self, _: web.Application) -> AsyncIterator[None]:
        """The application's last cleanup context."""
        self.lag.open()
        self._serving = True
        yield
        self.begin_shutdown()
        await self.lag.close()

    async def _read_facts(self) -> dict[str, str | int]:
        try:
            async with asyncio.timeout(_FACTS_TIMEOUT):
                facts = await self.facts()
        except Exception as error:  # noqa: BLE001 - a failing answer source doesn't make the process dead
            log.warning("facts failed", cause=cause(error))
            return {}
        return {name: fact for name, fact in facts.items() if self.verbose or name in _PUBLIC}


HEALTH: Final = web.AppKey("health", Health)


def add_health(app: web.Application, health: Health) -> None:
    """Add ``/healthz`` and ``/readyz`` to ``app``, after all its other parts."""
    app[HEALTH] = health
    app.router.add_get("/healthz", health.check_alive)
    app.router.add_get("/readyz", health.check_ready)
    app.cleanup_ctx.append(health.lifespan)
