"""Keeps the index of a folder up to date while questions are answered.

The first update begins with the bot, and further ones with questions. A question waits for a moment only:
it is answered from what is read so far.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from ...retrieval.index import FolderIndex

_TIMEOUT: Final = 2.0
"""Seconds that a question waits until the folder is listed, and until an update that has just begun ends."""
_FIRST_TIMEOUT: Final = 8.0
"""Seconds that a question waits for the first document, without which there is no answer."""
_LOOK: Final = 0.01
"""Seconds between two looks at an update."""
_WATCH: Final = 10.0
"""Seconds between two looks of the watchdog."""

_log = logging.getLogger(__name__)


class IndexUpkeep:
    """Begins the updates of ``index``, waits for them, and tells of one that does not move.

    It calls ``on_read`` once, when all files were read for the first time.
    """

    def __init__(self, index: FolderIndex, on_read: Callable[[], None] = lambda: None) -> None:
        self.is_read = False
        """Whether all files of the folder were read once, as far as they can be read."""
        self._index = index
        self._on_read = on_read
        self._update: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._begun = 0.0

    @property
    def is_reading(self) -> bool:
        """Whether there are files that are not read yet."""
        progress = self._index.progress
        return self._is_updating and (not self.is_read or progress.total > progress.read)

    @property
    def _is_updating(self) -> bool:
        return self._update is not None and not self._update.done()

    async def open(self) -> None:
        """Begin the first update, and the watchdog."""
        self._begin()
        self._watch = asyncio.create_task(self._watch_progress())

    async def close(self) -> None:
        """End the update that runs; what it has read is kept."""
        if self._watch:
            self._watch.cancel()
        self._index.stop()
        await self.wait_until_read()
        await asyncio.to_thread(self._index.close)

    async def wait_until_read(self) -> None:
        """Wait until the update that runs has ended."""
        if self._update:
            await asyncio.wait({self._update})

    async def wait_for_first(self, seconds: float) -> None:
        """Wait until the first update has ended, so many seconds at most."""
        if self._update and not self.is_read:
            await asyncio.wait({self._update}, timeout=seconds)

    def begin_refresh(self, *, now: bool = False) -> float:
        """Have the index follow the folder, unless it was listed just now; ``now`` has it in any case.

        Return the time on the monotonic clock from which on a listing is new enough.
        """
        progress = self._index.progress
        if not now and progress.listing_age < progress.interval:
            return progress.listed
        asked = time.monotonic()
        if self._is_updating:
            self._index.want_listing()
        else:
            self._begin()
        return asked

    async def refresh(self, *, now: bool = False) -> None:
        """Do as :meth:`begin_refresh`, and wait for a moment until the listing has taken effect."""
        asked = self.begin_refresh(now=now)
        deadline = time.monotonic() + _TIMEOUT
        while self._has_to_wait(asked, deadline):
            await asyncio.sleep(_LOOK)

    def _has_to_wait(self, asked: float, deadline: float) -> bool:
        """Whether a question waits for a listing since ``asked``, until the deadline."""
        if not self._is_updating:
            return False
        now = time.monotonic()
        if now < deadline and self._index.progress.listed < asked:
            return True
        is_empty = not self._index.report.documents
        return now < self._begun + (_FIRST_TIMEOUT if is_empty else _TIMEOUT)

    def _begin(self) -> None:
        self._begun = time.monotonic()
        self._update = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            report = await asyncio.to_thread(self._index.update)
        except OSError as error:
            _log.warning("the folder could not be read: %s", error)
        else:
            if not self.is_read:
                await asyncio.to_thread(self._on_read)
                _log.info(
                    "indexed: %d documents, %d passages, %d skipped, %.1f s",
                    report.documents,
                    report.passages,
                    len(report.skipped),
                    time.monotonic() - self._begun,
                )
            self.is_read = True

    async def _watch_progress(self) -> None:
        """Say in the log when an update does not move, and when it moves again."""
        progress, told = self._index.progress, False
        while True:
            await asyncio.sleep(_WATCH)
            if bool(progress.stalled) != told:
                told = not told
                if told:
                    _log.error("the index has not moved for %d s, while %s", progress.stalled, progress.step)
                else:
                    _log.info("the index moves again")
