"""The wait until a folder can be asked, with a line on a terminal that says how far it is."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from ..resilience.clock import now
from ..sources.folder import FolderSource

_STEP: Final = 0.1
"""Seconds between two looks at the folder."""
_SILENT: Final = 1.0
"""A shorter wait shows no line."""
_STANDSTILL: Final = 45.0
"""Seconds without any progress after which the wait ends: the question is answered from what is there.

Reading one file takes 30 s at most.
"""
_CLEAR: Final = "\r\x1b[K"


async def wait_for_folder(source: FolderSource) -> None:
    """Wait until the documents are read, and their sentences embedded where there is a model for that."""
    started = moved = now()
    state = ""
    shown = False
    while (state_now := await _describe(source)) and now() - moved < _STANDSTILL:
        if state_now != state:
            state, moved = state_now, now()
        # The index shows by itself how far the reading is.
        if source.is_read and sys.stderr.isatty() and now() - started > _SILENT:
            print(f"{_CLEAR}{state}", end="", file=sys.stderr, flush=True)
            shown = True
        await asyncio.sleep(_STEP)
    if shown:
        print(_CLEAR, end="", file=sys.stderr, flush=True)


async def _describe(source: FolderSource) -> str:
    """Say what is still to be done; an empty string where nothing is."""
    status = await source.status()
    if not source.is_read or status.reading or status.waiting:
        return f"Reading: {status.read} of {status.read + len(status.reading) + status.waiting} files"
    if source.knows_meaning:
        return ""
    return f"Comparing meanings: {(await source.facts()).get('meaning')} passages"
