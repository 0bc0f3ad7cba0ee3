"""What an orchestrator asks: whether this process works, and whether it should get requests.

Neither answer asks anybody else, and neither says how the bot is set up.
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
"""Seconds that each measure of ten seconds has to be late for the process to count as dead.

One that is late for once has had much to do, and to be restarted over that would lose its answers.
"""
_PATIENCE: Final = 1.0
"""Seconds that a source has to say how it is."""
_PUBLIC: Final = frozenset({"source", "answers"})
"""What anybody may know who reaches us: the kind of source, and whether it answers."""

log = logger(__name__)


@dataclass(slots=True, kw_only=True, eq=False)
class Health:
    """Whether the process is alive, and ready.

    ``needed`` is what the bot can't work without, by name, and whether it is there; ``known`` is what
    it can do without. ``open_handed`` says all that the source says, for this machine.
    """

    facts: Callable[[], Awaitable[Mapping[str, str | int]]]
    needed: Callable[[], Mapping[str, bool]] = dict
    known: Callable[[], Mapping[str, bool]] = dict
    open_handed: bool = False
    lag: Lag = field(default_factory=Lag)
    _serving: bool = False

    def leave(self) -> None:
        """Be ready no more: whoever sends us requests had better send them elsewhere."""
        self._serving = False

    async def alive(self, _: web.Request) -> web.Response:
        """200, and 503 where the event loop doesn't come round any more; ``lag`` is in seconds."""
        alive = self.lag.least <= STUCK
        status = HTTPStatus.OK if alive else HTTPStatus.SERVICE_UNAVAILABLE
        return web.json_response({"alive": alive, "lag": round(self.lag.worst, 3)}, status=status)

    async def ready(self, _: web.Request) -> web.Response:
        """200, and 503 before the start is over, from the end's beginning on, and without what is needed.

        It stays ready where a source or the state does not answer: another of us could not reach them
        either, and the person is told so.
        """
        needed = self.needed()
        ready = self._serving and all(needed.values())
        if not self._serving:
            return web.json_response({"ready": False}, status=HTTPStatus.SERVICE_UNAVAILABLE)
        told = {"ready": ready, **needed, **self.known(), **await self._facts()}
        return web.json_response(told, status=HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE)

    async def life(self, _: web.Application) -> AsyncIterator[None]:
        """The cleanup context of the application, the last to begin."""
        self.lag.open()
        self._serving = True
        yield
        self.leave()
        await self.lag.close()

    async def _facts(self) -> dict[str, str | int]:
        try:
            async with asyncio.timeout(_PATIENCE):
                facts = await self.facts()
        except Exception as error:  # noqa: BLE001 - a source that can't say how it is doesn't make us dead
            log.warning("facts failed", cause=cause(error))
            return {}
        return {name: fact for name, fact in facts.items() if self.open_handed or name in _PUBLIC}


HEALTH: Final = web.AppKey("health", Health)


def add_health(app: web.Application, health: Health) -> None:
    """Add ``/healthz`` and ``/readyz`` to ``app``, whose other parts are there."""
    app[HEALTH] = health
    app.router.add_get("/healthz", health.alive)
    app.router.add_get("/readyz", health.ready)
    app.cleanup_ctx.append(health.life)

    async def note_shutdown(_: web.Application) -> None:
        health.leave()

    app.on_shutdown.append(note_shutdown)
