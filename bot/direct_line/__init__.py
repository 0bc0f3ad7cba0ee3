"""A local Direct Line 3.0 service with a Web Chat page, for use without Azure.

Direct Line API 3.0 reference. ::

    page, any Direct Line client  ⇄  client_api        the Direct Line API
                                     conversation      the activities of each conversation
    page                          ⇄  conversation_api  a conversation is copied, or deleted
                                     footnotes         answers as Markdown with footnotes
    page                          ⇄  local_documents   the folder's documents, and files that are added
    the bot's connector           ⇄  connector_api     the connector's REST API

``token_exchange`` is for Azure's Direct Line: tokens for Web Chat on pages of one's own, in exchange for a
secret that no page sees.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
from aiohttp import web

from . import client_api, connector_api, conversation_api
from .service import SERVICE, DirectLine

__all__ = ["SERVICE", "DirectLine", "add_direct_line"]


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
