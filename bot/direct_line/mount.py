"""The Direct Line service as a part of a web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
from aiohttp import web

from . import client_api, connector_api, conversation_api
from .service import SERVICE, DirectLine


def add_direct_line(app: web.Application, service: DirectLine) -> None:
    """Add the routes of both APIs and of the page's conversations to ``app``, and the clean-up at its end."""
    app[SERVICE] = service
    app.add_routes([*client_api.ROUTES, *connector_api.ROUTES, *conversation_api.ROUTES])
    app.cleanup_ctx.append(_open_session)
    app.on_shutdown.append(_close_sockets)


async def _open_session(app: web.Application) -> AsyncIterator[None]:
    service = app[SERVICE]
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=180)) as service.session:
        yield
        for task in list(service.tasks):
            task.cancel()
        await asyncio.gather(*service.tasks, return_exceptions=True)


async def _close_sockets(app: web.Application) -> None:
    # At shutdown aiohttp waits for all handlers, and the handler of a WebSocket ends only with it.
    for socket in list(app[SERVICE].sockets):
        await socket.close(code=aiohttp.WSCloseCode.GOING_AWAY)
