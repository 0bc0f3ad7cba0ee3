"""Timeouts, retries and a circuit breaker for the answer sources that ask a remote provider.

An answer source holds one :class:`Provider` and has one :class:`Exchange` with it for each question::

    async with self.provider.exchange() as exchange:
        response = await exchange.open(lambda: self._client.request("POST", path, exchange.stack, body))
        async for event in read_reply(response, exchange, form):
            ...

The client raises :func:`status_error` for every status but 200. It translates aiohttp's errors into those
of :mod:`..errors`, because an exchange does not know aiohttp.
"""

from __future__ import annotations

from .client import ProviderClient
from .exchange import LONGEST_ANSWER, Exchange, Provider
from .response import ProviderResponse, read_json, status_error

__all__ = [
    "LONGEST_ANSWER",
    "Exchange",
    "Provider",
    "ProviderClient",
    "ProviderResponse",
    "read_json",
    "status_error",
]
