"""The wait until documents can be asked, with a line on a terminal that says how far their reading is."""

from __future__ import annotations

import asyncio
from typing import Final

from ...resilience.clock import now
from ...sources import AnswerSource
from ...telemetry.wait_line import show_wait

_STEP: Final = 0.1
"""Seconds between two looks."""
_STANDSTILL: Final = 45.0
"""Seconds without any progress after which the wait ends: the question is answered from what is there.

Reading one file takes 30 s at most.
"""


async def wait_until_read(source: AnswerSource) -> None:
    """Wait until the documents are read, and their sentences embedded where there is a model for that."""
    moved, state = now(), ""
    with show_wait(lambda: state):
        while (reading := source.reading) and (found := reading.work) and now() - moved < _STANDSTILL:
            if found != state:
                moved, state = now(), found
            await asyncio.sleep(_STEP)
