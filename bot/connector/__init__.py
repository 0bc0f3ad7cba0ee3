"""The way out: what the bot sends to a channel's connector.

One aiohttp session for all, one client of the SDK's for each service URL and scope, and nothing made
anew for a turn.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import OrderedDict
from typing import Final

import aiohttp
from botframework.connector.aio import ConnectorClient
from botframework.connector.auth import ConnectorFactory

from ..config.service_urls import ServiceUrls
from ..config.timeouts import Timeouts
from .client import connector_client
from .errors import ConnectorError, ForeignService, MaybeSent, NotSent, Unreadable
from .proxy import proxy_for, proxy_hosts
from .resolver import ChannelResolver
from .response import ConnectorResponse
from .tokens import AccessTokens, TokenError
from .transport import AGAIN, ConnectorTransport

__all__ = [
    "AGAIN",
    "AccessTokens",
    "ConnectorError",
    "ConnectorResponse",
    "Connectors",
    "ForeignService",
    "MaybeSent",
    "NotSent",
    "TokenError",
    "Unreadable",
]

KEPT: Final = 100
"""Clients; a bot has one for each channel and region that it is on."""
CONNECTIONS: Final = 200
"""At once; a request waits for a free one."""
RESOLVED: Final = 60
"""Seconds for which the addresses of a name are kept."""


class Connectors:
    """The clients of the connectors that the bot talks to, while it is open.

    Without ``tokens`` nothing is said of who we are, as on this machine.
    """

    def __init__(
        self, tokens: AccessTokens | None, service_urls: ServiceUrls, timeouts: Timeouts | None = None
    ) -> None:
        self._tokens = tokens
        self._service_urls = service_urls
        self._timeouts = timeouts or Timeouts()
        self._session: aiohttp.ClientSession | None = None
        self._clients: OrderedDict[tuple[str, str], ConnectorClient] = OrderedDict()

    async def open(self) -> None:
        """Be able to connect."""
        connector = aiohttp.TCPConnector(
            limit=CONNECTIONS,
            ttl_dns_cache=RESOLVED,
            resolver=ChannelResolver(self._service_urls, proxy_hosts()),
            # It reads a few hundred certificates.
            ssl=await asyncio.to_thread(ssl.create_default_context),
        )
        self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    async def close(self) -> None:
        """End all connections."""
        self._clients.clear()
        if self._session is not None:
            await self._session.close()

    def factory(self, audience: str) -> ConnectorFactory:
        """What the SDK asks for clients; ``audience`` is the scope where it names none."""
        return _Factory(self, audience)

    def client(self, service_url: str, scope: str) -> ConnectorClient:
        """The client for ``service_url``, whose tokens are for ``scope``.

        Raises :class:`ForeignService` for a service URL that answers don't go to.
        """
        key = (service_url, scope)
        if key not in self._clients:
            self._clients[key] = self._make(service_url, scope)
            if len(self._clients) > KEPT:
                self._clients.popitem(last=False)
        self._clients.move_to_end(key)
        return self._clients[key]

    def _make(self, service_url: str, scope: str) -> ConnectorClient:
        if not self._service_urls.allows(service_url):
            raise ForeignService("answers don't go to this service URL")
        if self._session is None:
            raise NotSent("the connectors are not open")
        line = ConnectorTransport(self._session, self._tokens, scope, self._timeouts, proxy_for(service_url))
        return connector_client(service_url, line)


class _Factory(ConnectorFactory):  # type: ignore[misc] # the SDK ships no types
    def __init__(self, connectors: Connectors, audience: str) -> None:
        self._connectors = connectors
        self._audience = audience

    async def create(self, service_url: str, audience: str | None = None) -> ConnectorClient:
        return self._connectors.client(service_url, audience or self._audience)
