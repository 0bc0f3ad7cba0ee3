"""The wait until a folder can be asked, with a line on a terminal that says how far it is."""

from __future__ import annotations

import asyncio
from typing import Final

from ..resilience.clock import now
from ..sources.folder import FolderSource
from ..telemetry.wait_line import show_wait

_STEP: Final = 0.1
"""Seconds between two looks at the folder."""
_STANDSTILL: Final = 45.0
"""Seconds without any progress after which the wait ends: the question is answered from what is there.

Reading one file takes 30 s at most.
"""


async def wait_for_folder(source: FolderSource) -> None:
    """Wait until the documents are read, and their sentences embedded where there is a model for that."""
    moved, state = now(), ""
    # The index shows by itself how far the reading is.
    with show_wait(lambda: state if source.is_read else ""):
        while (found := await _describe(source)) and now() - moved < _STANDSTILL:
            if found != state:
                moved, state = now(), found
            await asyncio.sleep(_STEP)


async def _describe(source: FolderSource) -> str:
    """Say what is still to be done; an empty string where nothing is."""
    status = await source.status()
    if not source.is_read or status.reading or status.waiting:
        return f"Reading: {status.read} of {status.read + len(status.reading) + status.waiting} files"
    if source.knows_meaning:
        return ""
    return f"Comparing meanings: {(await source.facts()).get('meaning')} passages"
