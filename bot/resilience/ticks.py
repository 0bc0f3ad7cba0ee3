"""Long steps one after the other, with a round of the event loop between them.

Where a hundred requests, or a hundred answers, are there at once, each takes a few milliseconds of
thinking. In one round that would be half a second in which nobody is read, sent to or timed out.
"""

from __future__ import annotations

import asyncio
from collections import deque


class OneStepPerTick:
    """Lets one step run in each round of the event loop, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._taken = False

    async def next(self) -> None:
        """Wait for a round; not at all where nobody has this one."""
        if self._taken:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        else:
            self._taken = True
            asyncio.get_running_loop().call_soon(self._call)

    def _call(self) -> None:
        """Give the round that comes to whoever has waited longest and still waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                asyncio.get_running_loop().call_soon(self._call)
                return
        self._taken = False
