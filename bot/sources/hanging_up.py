"""A source is asked no longer than anybody listens."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from citations import AnswerEvent


@contextlib.asynccontextmanager
async def hanging_up(events: AsyncIterator[AnswerEvent]) -> AsyncIterator[AsyncIterator[AnswerEvent]]:
    """Close a source's generator after use, so that its connection to the upstream ends with it."""
    try:
        yield events
    finally:
        aclose = getattr(events, "aclose", None)
        if aclose is not None:
            await aclose()
