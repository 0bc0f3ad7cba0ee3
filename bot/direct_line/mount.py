"""How the service joins an application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
from aiohttp import web

from . import client_api, connector_api
from .service import SERVICE, DirectLine


def add_direct_line(app: web.Application, service: DirectLine) -> None:
    """Add the routes of both sides to ``app``, and give everything back when it ends."""
    app[SERVICE] = service
    app.add_routes([*client_api.ROUTES, *connector_api.ROUTES])
    app.cleanup_ctx.append(_client_session)
    app.on_shutdown.append(_hang_up)


async def _client_session(app: web.Application) -> AsyncIterator[None]:
    service = app[SERVICE]
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=180)) as service.session:
        yield
        for task in list(service.tasks):
            task.cancel()
        await asyncio.gather(*service.tasks, return_exceptions=True)


async def _hang_up(app: web.Application) -> None:
    # aiohttp waits for open handlers before it ends, and a socket's handler has no end of its own.
    for socket in list(app[SERVICE].sockets):
        await socket.close(code=aiohttp.WSCloseCode.GOING_AWAY)
