"""When the request arrived that is being worked on: its time is spent by all that is done for it.

Channels give up a request after 15 s, counted from its arrival and not from when we have read it,
checked who sent it, and found the time to think about it.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from ..resilience.clock import now

_arrived: Final[ContextVar[float]] = ContextVar("arrived")


def arrive() -> None:
    """A request has arrived; the task that works on it, and those that it starts, know when."""
    _arrived.set(now())


def time_left(budget: float) -> float:
    """Seconds that are left of ``budget``, never less than 0; all of it where there is no request."""
    reached = now()
    return max(0.0, budget - (reached - _arrived.get(reached)))
