"""The activity that a request brings, and when the request arrived.

A channel's timeout of 15 s starts when the request arrives. Before the turn, the bot validates the token,
reads the body, and may wait for the event loop.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from aiohttp import web

from ..resilience.clock import now

ACTIVITY: Final = web.RequestKey("activity", dict[str, object])
"""The inbound activity as JSON; it has ``type``, ``channelId``, ``serviceUrl`` and ``conversation.id``."""
_arrived: Final[ContextVar[float]] = ContextVar("arrived")


def note_arrival() -> None:
    """Store the arrival time for the current task and for the tasks that it starts."""
    _arrived.set(now())


def time_left(budget: float) -> float:
    """The seconds left of ``budget``, at least 0; all of it outside of requests."""
    current = now()
    return max(0.0, budget - (current - _arrived.get(current)))
