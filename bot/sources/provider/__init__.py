"""Timeouts, retries and a circuit breaker for the answer sources that ask a remote provider.

An answer source holds one :class:`Provider` and has one :class:`Exchange` with it for each question::

    async with self.provider.exchange() as exchange:
        response = await exchange.open(lambda: self._client.ask(body, exchange.stack))
        async for event in read_reply(response, exchange, form):
            ...

The client raises :func:`status_error` for every status but 200. It translates the errors of its HTTP
library into those of :mod:`..errors`, because an exchange does not know the library.
"""

from __future__ import annotations

from .client import ProviderClient
from .exchange import LONGEST_ANSWER, Exchange, Provider
from .response import ProviderResponse, read_json
from .sdk import SdkErrors, open_response, sdk_settings, translate_errors
from .status import status_error

__all__ = [
    "LONGEST_ANSWER",
    "Exchange",
    "Provider",
    "ProviderClient",
    "ProviderResponse",
    "SdkErrors",
    "open_response",
    "read_json",
    "sdk_settings",
    "status_error",
    "translate_errors",
]
