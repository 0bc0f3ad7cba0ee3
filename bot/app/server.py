"""The server of an application, with a graceful shutdown that answers every question."""

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
"""Seconds between "not ready" and the end of listening, in which the load balancer notices."""
DRAIN: Final = 12.0
"""Seconds for the answers under way, as long as a request's budget."""
LOCAL_DRAIN: Final = 2.0
"""The same without credentials, where the person who stops the bot is the one who asked."""
MOMENT: Final = 0.2
"""Seconds in which a connection that was just accepted sends its request."""
CANCEL_TIMEOUT: Final = 1.0
"""Seconds for the remaining handlers before they are cancelled, and again after that."""

__all__ = ["BACKLOG", "DRAIN", "GRACE", "freeze_objects", "open_server"]

log = logger(__name__)


def freeze_objects() -> None:
    """Exclude all existing objects from garbage collection, after startup.

    Modules and settings live as long as the process. A full collection of them blocks the event loop for
    some 50 ms.
    """
    gc.collect()
    gc.freeze()


@contextlib.asynccontextmanager
async def open_server(
    app: web.Application,
    listener: socket.socket,
    *,
    grace: float = GRACE,
    moment: float = MOMENT,
    connections: Connections | None = None,
) -> AsyncIterator[None]:
    """Serve ``app`` on ``listener`` within the block. The errors of its startup pass through.

    At the end of the block it is not ready any more. It listens for another ``grace`` seconds, waits a
    ``moment`` for requests on new connections, and then finishes the answers under way. The shutdown
    takes 20 s at most.
    """
    connections = connections or Connections()
    runner = web.AppRunner(app, shutdown_timeout=CANCEL_TIMEOUT)
    try:
        await runner.setup()
        if runner.server is None:
            raise RuntimeError("the application has no server")
        server = await connections.listen(runner.server, listener)
        try:
            yield
        finally:
            await _shut_down(app, server, connections, grace, moment)
    finally:
        await runner.cleanup()


async def _shut_down(
    app: web.Application, server: asyncio.Server, connections: Connections, grace: float, moment: float
) -> None:
    app[HEALTH].begin_shutdown()
    connections.are_ending = True
    delivery = app[DELIVERY]
    log.info("ending", under_way=delivery.queue.under_way, waiting=delivery.queue.waiting)
    if SERVICE in app:
        # The bot sends its answers to this server, which has to listen until then. The page's WebSockets
        # never end by themselves, so this doesn't wait for idle connections.
        await delivery.drain(LOCAL_DRAIN)
        await app[SERVICE].wait_until_idle(LOCAL_DRAIN)
        server.close()
        await asyncio.sleep(moment)
        return
    await asyncio.sleep(grace)
    server.close()
    await asyncio.sleep(moment)
    deadline = now() + DRAIN
    await delivery.drain(DRAIN)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout_at(deadline):
            await connections.wait_until_idle()
