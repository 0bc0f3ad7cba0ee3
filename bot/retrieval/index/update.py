"""This module brings an index up to date with its folder, step by step.

What is gone leaves the index first. Then the labels of changed documents take effect. Only then is anything
read, and what is read is committed again and again. The folder is also listed while files are being read. So
no file keeps a deletion or a label from taking effect.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path, PurePath
from typing import Final

from citations.text import printable

from ..files import LABELLED
from ..passages import PASSAGE, FileReading, FolderFile, KnownFile, is_unchanged, read_entry, take_times
from ..reading import POOL, FileQueue, IndexProgress, Skipped, is_machine_idle, scan, show_progress
from ..words import Entry, Removal, SearchEngine
from .part import FILE

_STARTED: Final = time.time()
"""When the program started. What took too long before that is tried once more."""
_RETRY_INTERVAL: Final = 6 * 3600.0
"""Seconds after which it is tried again on an idle machine."""
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

_log = logging.getLogger(__name__)

Publish = Callable[[Mapping[str, KnownFile]], None]
"""Makes what was committed visible to searches; it gets the records of all files."""


class IndexUpdate:
    """One update of an index from ``folder``. ``known`` has the records of the files that it holds.

    Raises :class:`EngineError` where the index can't be changed, and ``OSError`` where no child can be
    started to read files.
    """

    def __init__(  # noqa: PLR0913 - the last is optional, given by name
        self,
        folder: Path,
        engine: SearchEngine,
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
        self._engine = engine
        self._known = known
        self._publish = publish
        self._progress = progress
        self._queue = FileQueue(folder)
        self._queued: dict[str, FolderFile] = {}
        self._batch: list[FileReading] = []
        self._held = 0
        """The passages of the batch, or a few more."""
        self._read = 0
        self._begun = self._committed = time.monotonic()

    def run(self) -> None:
        """Update the index."""
        known = self._known
        with self._queue, self._engine.keep_writer(), show_progress(self._folder.name) as show:
            self._follow_folder()
            while self._queue and not self.is_stopped:
                self._take()
                show(self._read, self._progress.total)
                if self.is_listing_wanted or self._progress.listing_age > self._progress.interval:
                    self._follow_folder()
            self._commit()
        if self._known is not known:
            # The writer has merged its commits at its end. Removed entries no longer count in searches.
            self._engine.reload()
            self._publish(self._known)

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
        """Return whether a file is to be read, and is not the one that is being read."""
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
            removals = [Removal(kind, path) for path in gone for kind in (PASSAGE, FILE)]
            self._apply(removals, {path: self._known[path] for path in self._known if path in present})

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
            changes = (change for record in records for change in _write_file(record))
            self._apply(changes, {**self._known, **{record.path: record for record in records}})

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
        records = [
            # Where only a file's times are new, all else is as it was.
            one.record if one.passages is not None else take_times(before[one.record.path], one.record)
            for one in readings
        ]
        changes = _list_changes(readings, records)
        self._apply(changes, {**before, **{record.path: record for record in records}})
        for record in records:
            self._queued.pop(record.path, None)
            known = before.get(record.path)
            if record.reason and record.reason != (known.reason if known else None):
                _log.warning("skipped %s: %s", printable(record.path), record.reason)
            if list(record.unread) != list(known.unread if known else ()):
                _log.info("%s: %s", printable(record.path), "; ".join(record.unread))
        self._committed = time.monotonic()
        self._progress.note_step("reading files")

    def _apply(self, changes: Iterable[Entry | Removal], known: Mapping[str, KnownFile]) -> None:
        """Commit changes, and let searches see the files that the index holds now: those ``known``."""
        self._engine.apply(changes)
        self._known = known
        self._publish(known)

    def _note_files(self) -> None:
        reading = self._queue.reading
        self._progress.note_files(self._read, reading, len(self._queue) - len(reading))


def _is_time_to_retry(read: float) -> bool:
    """Return whether a file that took too long at that time is to be tried again."""
    return read < _STARTED or (time.time() - read > _RETRY_INTERVAL and is_machine_idle())


def _list_changes(readings: list[FileReading], records: list[KnownFile]) -> Iterator[Entry | Removal]:
    for reading, record in zip(readings, records, strict=True):
        if reading.passages is not None:
            yield Removal(PASSAGE, record.path)
            yield from map(read_entry, reading.passages)
        yield from _write_file(record)


def _write_file(record: KnownFile) -> Iterator[Entry | Removal]:
    yield Removal(FILE, record.path)
    yield Entry(FILE, record.path, asdict(record))
