"""What all sources share that ask somebody else: retries, deadlines, and a breaker.

A source holds one :class:`Upstream` and has one :class:`Exchange` with it for each question::

    async with self._upstream.exchange() as exchange:
        response = await exchange.opened(lambda: self._asked(question))
        while received := await exchange.next(response.read_some()):
            ...

``self._asked`` raises :func:`status_error` for a status that is no answer, and translates the errors
of its HTTP client into the family of :mod:`..errors`; only those are understood here.
"""

from __future__ import annotations

from ...resilience.breaker import Breaker
from ...resilience.retry_after import retry_after
from .exchange import ATTEMPTS, LONGEST_ANSWER, LONGEST_PAUSE, Exchange, Upstream
from .status import status_error

__all__ = [
    "ATTEMPTS",
    "LONGEST_ANSWER",
    "LONGEST_PAUSE",
    "Breaker",
    "Exchange",
    "Upstream",
    "retry_after",
    "status_error",
]
