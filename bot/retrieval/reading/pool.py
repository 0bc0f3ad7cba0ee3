"""The child processes of a program, of which each reads one file at a time.

A child is started with the first file that has to wait for one. It ends when it had nothing to do for a
while. So an idle program has no children.
"""

from __future__ import annotations

import heapq
import itertools
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from .limits import ReadingLimits
from .process import ReaderProcess

_IDLE: Final = 10.0
"""Seconds without a file after which a child ends."""
_MOST: Final = 8
"""The most children, on a machine with as many cores or more."""
_CPU_LIMIT: Final = Path("/sys/fs/cgroup/cpu.max")
"""The limit of a container on Linux: microseconds of the processor, and of the clock (cgroup v2)."""

_Answer = TypeVar("_Answer")


class ReadingTask(Future[_Answer], Generic[_Answer]):
    """What a child does with one file, and its outcome; ``process`` is the child that does it."""

    def __init__(self, ask: Callable[[ReaderProcess], _Answer]) -> None:
        super().__init__()
        self.ask = ask
        self.process: ReaderProcess | None = None


class ReaderPool:
    """Child processes that do tasks, as many at once as there are cores. Any thread may call it."""

    def __init__(self, limits: ReadingLimits | None = None, size: int | None = None) -> None:
        self.limits = limits or ReadingLimits()
        self._size = size or min(_MOST, count_cores())
        self._tasks: list[tuple[tuple[int, int], int, ReadingTask[Any]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0

    def submit(
        self, priority: tuple[int, int], ask: Callable[[ReaderProcess], _Answer], *, is_urgent: bool = False
    ) -> ReadingTask[_Answer]:
        """Have ``ask`` called with a child as soon as one has time, in the order of priorities.

        An urgent task does not wait for the children that are busy; others are started for it. The task's
        error is that of ``ask``, or an ``OSError`` where no child can be started.
        """
        task = ReadingTask(ask)
        with self._changed:
            heapq.heappush(self._tasks, (priority, next(self._numbers), task))
            most = 2 * self._size if is_urgent else self._size
            if len(self._tasks) > self._idle and self._threads < most:
                self._threads += 1
                threading.Thread(target=self._work, name="reading", daemon=True).start()
            self._changed.notify()
        return task

    def withdraw(self, task: ReadingTask[Any]) -> None:
        """Don't do a task, and end the child that does it now."""
        with self._changed:  # the child begins no other task meanwhile
            if not task.cancel() and not task.done() and task.process:
                task.process.kill()

    def _work(self) -> None:
        """Do tasks with one child, until there was none for a while."""
        process: ReaderProcess | None = None
        while task := self._wait_for_task():
            try:
                task.process = process = _drop_worn(process) or ReaderProcess(self.limits)
            except OSError as error:
                with suppress(InvalidStateError):  # it was withdrawn
                    task.set_exception(error)
                continue
            if task.set_running_or_notify_cancel():
                try:
                    task.set_result(task.ask(process))
                except Exception as error:  # noqa: BLE001 - it is told to the one who waits for the task
                    task.set_exception(error)
            process = _drop_worn(process)
        if process:
            process.end()

    def _wait_for_task(self) -> ReadingTask[Any] | None:
        """The next task; None where the thread has to end."""
        with self._changed:
            self._idle += 1
            has_task = self._changed.wait_for(lambda: self._tasks, _IDLE)
            self._idle -= 1
            if has_task:
                return heapq.heappop(self._tasks)[-1]
            self._threads -= 1
            return None


def _drop_worn(process: ReaderProcess | None) -> ReaderProcess | None:
    """A child that can do another task; end it where it can't."""
    if process and process.is_worn:
        process.end()
        return None
    return process


def count_cores() -> int:
    """The number of cores that this process may use, by its affinity and its container."""
    has_affinity = hasattr(os, "sched_getaffinity")  # Linux
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    try:
        quota, period = map(int, _CPU_LIMIT.read_text(encoding="ascii").split())
    except (OSError, ValueError):  # there is no limit, which is written as "max"
        return cores
    return min(cores, max(1, round(quota / period)))


POOL: Final = ReaderPool()
"""The processes of this program. All its folders share them, as they share the cores."""
