"""This module has the files that one update of an index reads, and their readings as they come.

A file whose reading takes long is put back, and read again after all others. So no number of such files keeps
a document from being read.
"""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Final

from ..file_reader import FileReading, make_record
from ..known_file import KnownFile
from ..own_labels import UNREADABLE
from ..scan import FolderFile
from .limits import CRASHED
from .pool import POOL, ReaderPool, ReadingTask
from .process import ReaderProcess, ReadingStoppedError

_PATIENCE: Final = 0.1
"""The share of the time limit that every file has before it is put back."""
_SPEED: Final = 500_000
"""A file has another second before it is put back for this many bytes; ordinary ones are read faster."""
_URGENT, _CHANGED, _NEW, _SLOW = range(4)
"""The order of reading: labels first, then documents that are known, then new ones, then slow ones."""


@dataclass(frozen=True, slots=True)
class _PutBack:
    """A file whose reading took long, and is done again after all others."""

    file: FolderFile
    sha256: str


_Outcome = FileReading | _PutBack | OSError
"""What came of a task; the error says why no child could be started."""


class FileQueue:
    """Files below ``folder`` that the children of a pool read. One thread may use it; it is a context."""

    def __init__(self, folder: Path, pool: ReaderPool = POOL) -> None:
        self._folder = folder.resolve()
        self._pool = pool
        self._tasks: dict[str, ReadingTask] = {}
        self._reading: set[str] = set()
        self._done: queue.SimpleQueue[tuple[ReadingTask, _Outcome]] = queue.SimpleQueue()

    def __enter__(self) -> FileQueue:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for path in list(self._tasks):
            self.withdraw(path)

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def reading(self) -> tuple[str, ...]:
        """The paths of the files that are being read now."""
        return tuple(self._reading)

    def put(self, file: FolderFile, sha256: str = "", *, is_known: bool = False) -> None:
        """Read a file, the small ones first. ``sha256`` is the digest of the bytes that are known.

        A file that is known comes before new ones. An earlier task for the same path is withdrawn.
        """
        self.withdraw(file.path)
        limit = self._pool.limits.seconds
        patience = min(limit, limit * _PATIENCE + file.size / _SPEED)
        self._add(file, sha256, _CHANGED if is_known else _NEW, patience)

    def withdraw(self, path: str) -> None:
        """Don't read a file any more."""
        if task := self._tasks.pop(path, None):
            self._pool.withdraw(task)

    def _add(self, file: FolderFile, sha256: str, order: int, patience: float) -> None:
        def read(process: ReaderProcess) -> None:
            self._reading.add(file.path)
            try:
                outcome = self._read(process, file, sha256, patience)
            finally:
                self._reading.discard(file.path)
            self._done.put((task, outcome))

        def fail(error: OSError) -> None:
            self._done.put((task, error))

        task = ReadingTask((order, file.size, file.path), read, fail)
        self._tasks[file.path] = task
        self._pool.add(task)

    def _read(self, process: ReaderProcess, file: FolderFile, sha256: str, patience: float) -> _Outcome:
        try:
            record, passages = process.read_text(self._folder, file, sha256, patience)
            return FileReading(KnownFile(**record), passages)
        except ReadingStoppedError as error:
            if error.patience_ended:
                return _PutBack(file, sha256)
            return FileReading(make_record(file, str(error)), ())
        except (TypeError, ValueError, KeyError, IndexError):  # no child of ours answers so
            return FileReading(make_record(file, CRASHED), ())

    def take(self, seconds: float) -> list[FileReading]:
        """Return the readings that are there; wait for the first one, so many seconds at most.

        Raises ``OSError`` where no child can be started.
        """
        readings: list[FileReading] = []
        while True:
            try:
                task, outcome = self._done.get(timeout=0 if readings else seconds)
            except queue.Empty:
                return readings
            if task.is_withdrawn:
                continue
            if isinstance(outcome, OSError):
                raise outcome
            if isinstance(outcome, _PutBack):
                self._add(outcome.file, outcome.sha256, _SLOW, self._pool.limits.seconds)
                continue
            del self._tasks[outcome.record.path]
            readings.append(outcome)

    def read_labels(self, files: Iterable[FolderFile], seconds: float) -> dict[str, tuple[str, ...]]:
        """Return the ids of the labels in the metadata of files, within so many seconds for all of them.

        A file whose labels were not read by then has an unreadable one.
        """
        found: queue.SimpleQueue[tuple[str, tuple[str, ...]]] = queue.SimpleQueue()
        tasks = [_make_label_task(self._folder, file, seconds, found) for file in files]
        labels: dict[str, tuple[str, ...]] = {path: (UNREADABLE,) for path, _ in tasks}
        for _, task in tasks:
            self._pool.add(task)
        deadline = monotonic() + seconds
        for _ in tasks:
            try:
                path, ids = found.get(timeout=max(0.0, deadline - monotonic()))
            except queue.Empty:
                break
            labels[path] = ids
        for _, task in tasks:
            self._pool.withdraw(task)
        return labels


def _make_label_task(
    folder: Path, file: FolderFile, seconds: float, found: queue.SimpleQueue[tuple[str, tuple[str, ...]]]
) -> tuple[str, ReadingTask]:
    def read(process: ReaderProcess) -> None:
        try:
            found.put((file.path, process.read_labels(folder, file, seconds)))
        except ReadingStoppedError:
            found.put((file.path, (UNREADABLE,)))

    def fail(_: OSError) -> None:
        found.put((file.path, (UNREADABLE,)))

    return file.path, ReadingTask((_URGENT, file.size, file.path), read, fail, is_urgent=True)


def read_files(
    folder: Path, files: Iterable[tuple[FolderFile, str]], pool: ReaderPool = POOL
) -> Iterator[FileReading]:
    """Yield the readings of files as they come; each file is given with the digest that is known of it.

    Raises ``OSError`` where no child can be started.
    """
    with FileQueue(folder, pool) as waiting:
        for file, sha256 in files:
            waiting.put(file, sha256)
        while waiting:
            yield from waiting.take(1.0)
