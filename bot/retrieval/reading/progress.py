"""Says how far an update of an index is, to other threads."""

from __future__ import annotations

import time
from typing import Final

_INTERVAL: Final = 5.0
"""The least seconds between two listings of the folder."""
_SHARE: Final = 20
"""The listings of a large folder take one part in so many of the time."""
_STALL: Final = 90.0
"""Seconds without a step after which an update does not move. One file takes 30 s, and the lock 60 s."""


class IndexProgress:
    """How far an update is. The thread of the update writes it, and any thread may read it."""

    def __init__(self) -> None:
        self.step = ""
        """What the update does now, such as ``listing the folder``; empty while there is none."""
        self.reading: tuple[str, ...] = ()
        """The paths of the files that are being read."""
        self.read = 0
        """The files that this update has read."""
        self.waiting = 0
        """The files that are to be read, without those that are being read."""
        self.listed = 0.0
        """When the last listing of the folder that has taken effect began, on the monotonic clock."""
        self.interval = _INTERVAL
        """The least seconds from one listing to the next; more for a folder that takes long to list."""
        self._moved = time.monotonic()

    @property
    def listing_age(self) -> float:
        """The seconds since the last listing of the folder began."""
        return time.monotonic() - self.listed

    @property
    def total(self) -> int:
        """All files of this update."""
        return self.read + len(self.reading) + self.waiting

    @property
    def stalled(self) -> int:
        """The seconds since the last step of an update that does not move; 0 where all is well."""
        seconds = time.monotonic() - self._moved
        return int(seconds) if self.step and seconds > _STALL else 0

    def note_step(self, step: str) -> None:
        """Note what the update does from now on."""
        self.step, self._moved = step, time.monotonic()

    def note_listing(self, begun: float) -> None:
        """Note that removals and labels are as the folder had them at a time of the monotonic clock."""
        self.listed = begun
        self.interval = max(_INTERVAL, _SHARE * (time.monotonic() - begun))
        self.note_step("reading files")

    def note_end(self) -> None:
        """Note that the update has ended."""
        self.note_step("")
        self.reading, self.waiting = (), 0

    def note_files(self, read: int, reading: tuple[str, ...], waiting: int) -> None:
        """Note how many files are read, are being read, and wait."""
        if read > self.read or reading != self.reading:
            self._moved = time.monotonic()
        self.read, self.reading, self.waiting = read, reading, waiting
