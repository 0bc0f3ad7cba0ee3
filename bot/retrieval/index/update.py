"""Brings an index up to date with its folder, step by step.

What is gone leaves the index first. Then the labels of changed documents take effect. Only then is anything
read, and what is read is committed again and again. The folder is also listed while files are being read. So
no file keeps a deletion or a label from taking effect.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final, Protocol

from citations.text import printable

from ..files import LABELLED
from ..passages import FileReading, FolderFile, KnownFile, is_unchanged, take_times
from ..reading import POOL, FileQueue, IndexProgress, Skipped, scan

_STARTED: Final = time.time()
"""When the program started. What took too long before that is tried once more."""
_RETRY_INTERVAL: Final = 6 * 3600.0
"""Seconds after which it is tried again."""
_TICK: Final = 0.1
"""Seconds that an update waits for the next reading before it looks at the folder and at its end."""
_LABELS_TIMEOUT: Final = 10.0
"""Seconds for the labels of all changed documents; those that were not read by then count as unreadable."""
_COMMIT_SHARE: Final = 0.2
"""A commit comes after this share of the update's time so far, since each one makes searches begin anew."""
_COMMIT_INTERVAL: Final = 10.0
"""The most seconds between two commits."""
_COMMIT_PASSAGES: Final = 2000
"""A commit comes after this many passages, because they are held in memory until then."""
_COMMIT_FILES: Final = 0.2
"""It comes so many passages later for each file, because its publication takes longer with many files."""
_TELL_INTERVAL: Final = 10.0
"""The least seconds between two lines of the log that say how far the update is."""

_log = logging.getLogger(__name__)

Publish = Callable[[Mapping[str, KnownFile]], None]
"""Makes what was committed visible to searches; it gets the records of all files."""


class IndexStore(Protocol):
    """What keeps the documents of an index. Each call is one change: all of it is made, or none."""

    def remove(self, paths: Sequence[str], skipped: Sequence[Skipped]) -> None:
        """Remove the documents at these paths; some may be gone because their folder was ``skipped``."""

    def relabel(self, records: Sequence[KnownFile]) -> None:
        """Store the records of documents whose labels have changed, and whose passages stay."""

    def put(self, readings: Sequence[FileReading]) -> None:
        """Store documents in place of what was stored of them; without passages, only their records."""


class IndexUpdate:
    """One update of a ``store`` from ``folder``. ``known`` has the records of the files that it holds.

    Raises ``OSError`` where no child can be started to read files, and the errors of the store.
    """

    def __init__(  # noqa: PLR0913 - the last is optional, given by name
        self,
        folder: Path,
        store: IndexStore,
        known: Mapping[str, KnownFile],
        publish: Publish,
        progress: IndexProgress,
        *,
        home: Path | None = None,
    ) -> None:
        self.skipped: tuple[Skipped, ...] = ()
        """The files that are not read, by the last listing."""
        self.is_stopped = False
        """Any thread may set it to end the update soon; what was read so far is committed."""
        self.is_listing_wanted = False
        """Any thread may set it to have the folder listed soon."""
        self._folder = folder
        self._home = home
        self._store = store
        self._known = known
        self._publish = publish
        self._progress = progress
        self._queue = FileQueue(folder)
        self._queued: dict[str, FolderFile] = {}
        self._batch: list[FileReading] = []
        self._held = 0
        """The passages of the batch, or a few more."""
        self._read = 0
        self._begun = self._committed = self._told = time.monotonic()

    def run(self) -> None:
        """Update the index."""
        with self._queue:
            self._follow_folder()
            while self._queue and not self.is_stopped:
                self._take()
                if self.is_listing_wanted or self._progress.listing_age > self._progress.interval:
                    self._follow_folder()
            self._commit()

    def _follow_folder(self) -> None:
        """List the folder, let removals and labels take effect, and queue the files to read."""
        self._progress.note_step("listing the folder")
        started = time.monotonic()
        self.is_listing_wanted = False
        listing = scan(self._folder, self._home)
        self.skipped = listing.skipped
        changed = [file for file in listing.files if self._is_changed(file)]
        self._remove({file.path for file in listing.files})
        if {file.path for file in changed} & {reading.record.path for reading in self._batch}:
            self._commit()  # later it would take back the labels of a file that has changed again
        self._relabel(changed)
        for file in changed:
            known = self._known.get(file.path)
            self._queued[file.path] = file
            self._queue.put(file, known.sha256 if known else "", is_known=bool(known and known.passages))
        self._note_files()
        self._progress.note_listing(started)

    def _is_changed(self, file: FolderFile) -> bool:
        """Whether a file is to be read, and is not the one that is being read."""
        known = self._known.get(file.path)
        # What hung, or was slow, may be read another time.
        is_retried = known and known.reason == POOL.limits.too_slow and _is_time_to_retry(known.indexed)
        return (is_retried or not is_unchanged(file, known)) and self._queued.get(file.path) != file

    def _remove(self, present: set[str]) -> None:
        """Remove all files but those that are present."""
        for path in [path for path in self._queued if path not in present]:
            self._queue.withdraw(path)
            del self._queued[path]
        self._batch = [reading for reading in self._batch if reading.record.path in present]
        if gone := [path for path in self._known if path not in present]:
            self._progress.note_step("removing documents")
            self._store.remove(gone, self.skipped)
            self._note_known({path: self._known[path] for path in self._known if path in present})

    def _relabel(self, changed: Iterable[FolderFile]) -> None:
        """Let the labels of changed documents take effect, which are still quoted as they were.

        A document has its earlier labels and its new ones until it is read. So none gets a lower label
        with the earlier text.
        """
        quoted = [file for file in changed if (known := self._known.get(file.path)) and known.passages]
        labelled = [file for file in quoted if PurePath(file.path).suffix.lower() in LABELLED]
        if not labelled:
            return
        self._progress.note_step("reading labels")
        records = []
        for path, found in self._queue.read_labels(labelled, _LABELS_TIMEOUT).items():
            known = self._known[path]
            if labels := set(found) - set(known.labels):
                # Without the digest the file is read again, whatever its bytes are.
                records.append(replace(known, labels=sorted({*known.labels, *labels}), sha256=""))
        if records:
            self._store.relabel(records)
            self._note_known({**self._known, **{record.path: record for record in records}})

    def _take(self) -> None:
        """Take the next readings, and commit them from time to time."""
        readings = self._queue.take(_TICK)
        self._batch += readings
        self._read += len(readings)
        self._held += sum(len(reading.passages or ()) for reading in readings)
        self._note_files()
        now = time.monotonic()
        interval = min(_COMMIT_INTERVAL, _COMMIT_SHARE * (now - self._begun))
        most = _COMMIT_PASSAGES + _COMMIT_FILES * len(self._known)
        if now - self._committed >= interval or self._held >= most:
            self._commit()

    def _commit(self) -> None:
        """Make what was read searchable."""
        if not self._batch:
            return
        self._progress.note_step("writing the index")
        readings = sorted(self._batch, key=lambda reading: reading.record.path)
        self._batch, self._held = [], 0
        before = self._known
        readings = [
            # Where only a file's times are new, all else is as it was.
            one
            if one.passages is not None
            else replace(one, record=take_times(before[one.record.path], one.record))
            for one in readings
        ]
        self._store.put(readings)
        records = [one.record for one in readings]
        self._note_known({**before, **{record.path: record for record in records}})
        for record in records:
            self._queued.pop(record.path, None)
            known = before.get(record.path)
            if record.reason and record.reason != (known.reason if known else None):
                _log.warning("skipped %s: %s", printable(record.path), record.reason)
            if list(record.unread) != list(known.unread if known else ()):
                _log.info("%s: %s", printable(record.path), "; ".join(record.unread))
        self._committed = time.monotonic()
        self._progress.note_step("reading files")

    def _note_known(self, known: Mapping[str, KnownFile]) -> None:
        """Let searches see the files that the index holds now."""
        self._known = known
        self._publish(known)

    def _note_files(self) -> None:
        reading = self._queue.reading
        self._progress.note_files(self._read, reading, len(self._queue) - len(reading))
        if time.monotonic() - self._told > _TELL_INTERVAL:
            self._told = time.monotonic()
            _log.info("indexing: %d of %d files", self._read, self._progress.total)


def _is_time_to_retry(read: float) -> bool:
    """Whether a file that took too long at that time is to be tried again."""
    return read < max(_STARTED, time.time() - _RETRY_INTERVAL)
