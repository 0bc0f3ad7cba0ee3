"""Timeouts, retries and a circuit breaker for the answer sources that ask a remote provider.

An answer source holds one :class:`Provider` and has one :class:`Exchange` with it for each question::

    async with self.provider.exchange() as exchange:
        response = await exchange.open(lambda: self._client.ask(body))
        async for event in read_reply(response, exchange, read, stream):
            ...

The client raises :func:`status_error` for every status but 200. It translates the errors of its HTTP
library into those of :mod:`..errors`, because an exchange does not know the library.
"""

from __future__ import annotations

from ...resilience.breaker import Breaker
from ...resilience.retry_after import retry_after
from .client import ProviderClient, ProviderResponse, explain_unknown_model
from .exchange import ATTEMPTS, LONGEST_ANSWER, LONGEST_PAUSE, Exchange, Provider
from .json_body import JsonBody
from .sdk import SdkErrors, SdkResponse, translate_errors
from .status import status_error

__all__ = [
    "ATTEMPTS",
    "LONGEST_ANSWER",
    "LONGEST_PAUSE",
    "Breaker",
    "Exchange",
    "JsonBody",
    "Provider",
    "ProviderClient",
    "ProviderResponse",
    "SdkErrors",
    "SdkResponse",
    "explain_unknown_model",
    "retry_after",
    "status_error",
    "translate_errors",
]
