"""The files that one update of an index reads, and their readings as they come.

A file whose reading takes long is put back, and read again after all others. So no number of such files keeps
a document from being read.
"""

from __future__ import annotations

import queue
from collections.abc import Iterable
from concurrent.futures import Future, wait
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final

from ..passages import UNREADABLE, FileReading, FolderFile, KnownFile, make_record
from .limits import CRASHED, LABELS, TEXT
from .pool import POOL, ReaderPool, ReadingTask
from .process import ReaderProcess, ReadingStoppedError

_PATIENCE: Final = 0.1
"""The share of the time limit that every file has before it is put back."""
_SPEED: Final = 500_000
"""A file has another second before it is put back for this many bytes; ordinary ones are read faster."""
_URGENT, _CHANGED, _NEW, _SLOW = range(4)
"""The order of reading: labels first, then documents that are known, then new ones, then slow ones."""


class FileQueue:
    """Files below ``folder`` that the children of a pool read. One thread may use it; it is a context."""

    def __init__(self, folder: Path, pool: ReaderPool = POOL) -> None:
        self._folder = folder.resolve()
        self._pool = pool
        self._tasks: dict[str, ReadingTask[FileReading]] = {}
        self._begun: set[str] = set()
        """The paths that children read now; their threads change it."""
        self._done: queue.SimpleQueue[tuple[FolderFile, str, Future[FileReading]]] = queue.SimpleQueue()

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
        return tuple(path for path in tuple(self._begun) if path in self._tasks)

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
        read = partial(self._read, file=file, sha256=sha256, patience=patience)
        self._tasks[file.path] = task = self._pool.submit((order, file.size), read)
        # With `task` in its own callback, all that was read would be kept until garbage is collected.
        task.add_done_callback(lambda done: self._done.put((file, sha256, done)))

    def _read(self, process: ReaderProcess, file: FolderFile, sha256: str, patience: float) -> FileReading:
        self._begun.add(file.path)
        try:
            record, is_new, *passages = process.ask(TEXT, self._folder, file, patience, sha256)
            return FileReading(KnownFile(**record), tuple(passages) if is_new else None)
        except (TypeError, ValueError) as error:  # no child of ours answers so
            raise ReadingStoppedError(CRASHED) from error
        finally:
            self._begun.discard(file.path)

    def take(self, seconds: float) -> list[FileReading]:
        """The readings that are there; wait for the first one, so many seconds at most.

        Raises ``OSError`` where no child can be started.
        """
        readings: list[FileReading] = []
        while True:
            try:
                file, sha256, task = self._done.get(timeout=0 if readings else seconds)
            except queue.Empty:
                return readings
            if self._tasks.get(file.path) is not task:  # it was withdrawn
                continue
            try:
                readings.append(task.result())
            except ReadingStoppedError as error:
                if error.patience_ended:
                    self._add(file, sha256, _SLOW, self._pool.limits.seconds)
                    continue
                readings.append(FileReading(make_record(file, str(error)), ()))
            del self._tasks[file.path]

    def read_labels(self, files: Iterable[FolderFile], seconds: float) -> dict[str, tuple[str, ...]]:
        """The ids of the labels in the metadata of files, within so many seconds for all of them.

        A file whose labels were not read by then has an unreadable one.
        """

        def submit(file: FolderFile) -> ReadingTask[list[str]]:
            ask = partial(ReaderProcess.ask, kind=LABELS, folder=self._folder, file=file, patience=seconds)
            return self._pool.submit((_URGENT, file.size), ask, is_urgent=True)

        tasks = {file.path: submit(file) for file in files}
        done, _ = wait(tasks.values(), timeout=seconds)
        for task in tasks.values():
            self._pool.withdraw(task)
        return {
            path: tuple(task.result()) if task in done and not task.exception() else (UNREADABLE,)
            for path, task in tasks.items()
        }
