"""The bot's requests to the channels' connectors.

All clients share one aiohttp session. There is one client for each service URL and scope, and a turn
creates none.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import OrderedDict
from typing import Final

import aiohttp
from botframework.connector.auth import ConnectorFactory

from ..config.proxy import proxy_for, proxy_hosts
from ..config.service_urls import ServiceUrls
from ..config.timeouts import Timeouts
from .client import ConnectorClient
from .errors import ChannelRefusal, ConnectorError, ForeignService, MaybeSent, NotSent, TokenError
from .resolver import ChannelResolver
from .transport import RETRY_STATUSES, AccessTokens, ConnectorTransport
from .user_tokens import UserTokens

__all__ = [
    "RETRY_STATUSES",
    "AccessTokens",
    "ChannelRefusal",
    "ConnectorError",
    "Connectors",
    "ForeignService",
    "MaybeSent",
    "NotSent",
    "TokenError",
    "UserTokens",
]

CACHED_CLIENTS: Final = 100
"""A bot needs one client for each of its channels and regions."""
CONNECTIONS: Final = 400
"""Connections at once: 100 answers are read and as many are sent, and each may have a sign on its way, too.

Further requests wait for a free one. So with fewer, an answer would wait for the response to a sign.
"""
DNS_TTL: Final = 60
"""Seconds for which resolved addresses are cached."""


class Connectors:
    """The clients of the channels' connectors, which send between ``open`` and ``close``.

    Without ``tokens`` requests carry no access token, as on this machine.
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
        """Open the HTTP session."""
        connector = aiohttp.TCPConnector(
            limit=CONNECTIONS,
            ttl_dns_cache=DNS_TTL,
            resolver=ChannelResolver(self._service_urls, proxy_hosts()),
            # This reads a few hundred certificates, so it runs in a thread.
            ssl=await asyncio.to_thread(ssl.create_default_context),
        )
        self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    async def close(self) -> None:
        """Close all connections."""
        self._clients.clear()
        if self._session is not None:
            await self._session.close()

    def factory(self, audience: str) -> ConnectorFactory:
        """The SDK's factory of clients; ``audience`` is the scope where the SDK names none."""
        return _Factory(self, audience)

    def client(self, service_url: str, scope: str) -> ConnectorClient:
        """The cached client for ``service_url``, which authenticates with tokens for ``scope``.

        Raises :class:`ForeignService` for a service URL that :class:`ServiceUrls` doesn't allow.
        """
        key = (service_url, scope)
        if key not in self._clients:
            self._clients[key] = self._create_client(service_url, scope)
            if len(self._clients) > CACHED_CLIENTS:
                self._clients.popitem(last=False)
        self._clients.move_to_end(key)
        return self._clients[key]

    def user_tokens(self, service: str, scope: str, app_id: str) -> UserTokens:
        """The client of Bot Service's token service, which authenticates with tokens for ``scope``."""
        return UserTokens(service, lambda: self.client(service, scope).transport, app_id)

    def _create_client(self, service_url: str, scope: str) -> ConnectorClient:
        if not self._service_urls.allows(service_url):
            raise ForeignService("answers don't go to this service URL")
        if self._session is None:
            raise NotSent("the connectors are not open")
        proxy = proxy_for(service_url)
        transport = ConnectorTransport(self._session, self._tokens, scope, self._timeouts, proxy)
        return ConnectorClient(service_url, transport)


class _Factory(ConnectorFactory):  # type: ignore[misc] # the SDK ships no types
    def __init__(self, connectors: Connectors, audience: str) -> None:
        self._connectors = connectors
        self._audience = audience

    async def create(self, service_url: str, audience: str | None = None) -> ConnectorClient:
        return self._connectors.client(service_url, audience or self._audience)
