"""DNS for the hosts of channels, whose addresses must be public."""

from __future__ import annotations

import socket

from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

from ..config.service_urls import ServiceUrls


class ChannelResolver(AbstractResolver):
    """Resolves names with the system's resolver, and drops addresses that a channel can't have.

    A host that resolves into the bot's own network would send its token and its answers there.
    ``exempt`` hosts, such as proxies, may have any address.
    """

    def __init__(self, service_urls: ServiceUrls, exempt: frozenset[str] = frozenset()) -> None:
        self._service_urls = service_urls
        self._exempt = exempt
        self._system = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Resolve ``host``. Raises ``OSError`` where it has no address, or none that is allowed."""
        results = await self._system.resolve(host, port, family)
        if host in self._exempt:
            return results
        allowed = [result for result in results if self._service_urls.allows_address(host, result["host"])]
        if results and not allowed:
            raise OSError("the name stands for an address that is not a channel's")
        return allowed

    async def close(self) -> None:
        """Close the system's resolver."""
        await self._system.close()
