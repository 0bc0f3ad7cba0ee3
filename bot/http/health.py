"""Health checks for an orchestrator: liveness and readiness.

Neither calls another system, and neither reveals the bot's configuration.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from aiohttp import web

from ..telemetry.log import cause, logger
from .lag import Lag

STUCK: Final = 1.0
"""Seconds. The process counts as dead if every measurement of the last 10 s exceeds this lag.

A single late measurement is a burst, and a restart would lose the answers under way.
"""
_FACTS_TIMEOUT: Final = 1.0
"""Seconds for the answer source's facts."""
_PUBLIC: Final = frozenset({"source", "answers"})
"""The facts that are not confidential: the kind of answer source, and whether it answers."""

log = logger(__name__)


@dataclass(slots=True, kw_only=True, eq=False)
class Health:
    """The process's liveness and readiness.

    ``needed`` are the parts without which the bot is not ready, by name; ``known`` are further parts.
    With ``verbose``, for this machine only, ``/readyz`` has all facts of the answer source.
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
