"""An application on a socket, until its end, in which nobody who has asked is left without a word."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from collections.abc import AsyncIterator
from typing import Final

from aiohttp import web

from ..direct_line import SERVICE
from ..http import HEALTH
from ..http.connections import BACKLOG, Connections
from ..resilience.clock import now
from ..telemetry.log import logger
from .application import DELIVERY

GRACE: Final = 3.0
"""Seconds between not being ready and not listening, in which a balancer learns of it."""
DRAIN: Final = 12.0
"""Seconds that answers under way then have: as long as a request's budget."""
LOCAL_DRAIN: Final = 2.0
"""The same on this machine, where the person who ends it is the one who asked."""
LAST: Final = 1.0
"""Seconds for what goes on in spite of that, before it is cancelled, and again after it."""

__all__ = ["BACKLOG", "DRAIN", "GRACE", "freeze_objects", "open_server"]

log = logger(__name__)


def freeze_objects() -> None:
    """Take all there is out of the garbage collector's sight, once the start is over.

    Modules and settings stay to the end. To look at them now and then takes some 50 ms, in which
    nobody is answered.
    """
    gc.collect()
    gc.freeze()


@contextlib.asynccontextmanager
async def open_server(
    app: web.Application,
    listener: socket.socket,
    *,
    grace: float = GRACE,
    connections: Connections | None = None,
) -> AsyncIterator[None]:
    """Serve ``app`` on ``listener`` within the block. Raises what its start raises.

    At the block's end it is not ready any more, listens for ``grace`` seconds more, and lets what is
    under way be answered. All that takes no more than 20 s.
    """
    connections = connections or Connections()
    runner = web.AppRunner(app, shutdown_timeout=LAST)
    try:
        await runner.setup()
        if runner.server is None:
            raise RuntimeError("the application has no server")
        server = await connections.listen(runner.server, listener)
        try:
            yield
        finally:
            await _end(app, server, connections, grace)
    finally:
        await runner.cleanup()


async def _end(app: web.Application, server: asyncio.Server, connections: Connections, grace: float) -> None:
    app[HEALTH].begin_shutdown()
    delivery = app[DELIVERY]
    log.info("ending", under_way=delivery.queue.under_way, waiting=delivery.queue.waiting)
    if SERVICE in app:
        # The bot answers to ourselves, so we listen until it has. A socket of the page has no end of its own.
        await delivery.drain(LOCAL_DRAIN)
        await app[SERVICE].idle(LOCAL_DRAIN)
        server.close()
        return
    await asyncio.sleep(grace)
    server.close()
    end = now() + DRAIN
    await delivery.drain(DRAIN)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout_at(end):
            await connections.wait_until_idle()
