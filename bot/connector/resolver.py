"""DNS for the names of channels: what they stand for is out on the internet."""

from __future__ import annotations

import socket

from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

from ..config.service_urls import ServiceUrls


class ChannelResolver(AbstractResolver):
    """Resolves names as the system does, and leaves out addresses that aren't a channel's.

    A name that leads into our own network would bring our token, and an answer, to whoever is there.
    ``others`` are names that are no channels', and may stand for any address.
    """

    def __init__(self, service_urls: ServiceUrls, others: frozenset[str] = frozenset()) -> None:
        self._service_urls = service_urls
        self._others = others
        self._system = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of ``host``; raises ``OSError`` where there is none, or none that it may have."""
        found = await self._system.resolve(host, port, family)
        if host in self._others:
            return found
        allowed = [one for one in found if self._service_urls.reaches(host, one["host"])]
        if found and not allowed:
            raise OSError("the name stands for an address that is not a channel's")
        return allowed

    async def close(self) -> None:
        """Nothing is held."""
        await self._system.close()
