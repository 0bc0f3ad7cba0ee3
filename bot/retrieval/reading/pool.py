"""This module has the child processes of a program, of which each reads one file at a time.

A child is started with the first file that has to wait for one. It ends when it had nothing to do for a
while. So an idle program has no children.
"""

from __future__ import annotations

import heapq
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from .limits import ReadingLimits
from .process import ReaderProcess

_IDLE: Final = 10.0
"""Seconds without a file after which a child ends."""
_MOST: Final = 8
"""The most children, on a machine with as many cores or more."""


@dataclass(order=True, slots=True)
class ReadingTask:
    """Something that a child does with one file. Tasks are done in the order of their priorities.

    ``run`` gets the child, and handles all its errors but those of starting one; ``fail`` gets these.
    """

    priority: tuple[int, int, str]
    run: Callable[[ReaderProcess], None] = field(compare=False)
    fail: Callable[[OSError], None] = field(compare=False)
    is_urgent: bool = field(default=False, compare=False)
    """Whether it does not wait for the children that are busy; others are started for such tasks."""
    process: ReaderProcess | None = field(default=None, compare=False)
    """The child that does it now."""
    is_withdrawn: bool = field(default=False, compare=False)


class ReaderPool:
    """Child processes that do tasks, as many at once as there are cores. Any thread may call it."""

    def __init__(self, limits: ReadingLimits | None = None, size: int | None = None) -> None:
        self.limits = limits or ReadingLimits()
        self._size = size or min(_MOST, _count_cores())
        self._tasks: list[ReadingTask] = []
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0

    def add(self, task: ReadingTask) -> None:
        """Have a task done as soon as a child has time."""
        with self._changed:
            heapq.heappush(self._tasks, task)
            most = 2 * self._size if task.is_urgent else self._size
            if len(self._tasks) > self._idle and self._threads < most:
                self._threads += 1
                threading.Thread(target=self._work, name="reading", daemon=True).start()
            self._changed.notify()

    def withdraw(self, task: ReadingTask) -> None:
        """Don't do a task, and end the child that does it now."""
        with self._changed:
            task.is_withdrawn = True
            if task.process:
                task.process.kill()

    def _work(self) -> None:
        """Do tasks with one child, until there was none for a while."""
        process: ReaderProcess | None = None
        while task := self._wait_for_task():
            try:
                process = _drop_worn(process) or ReaderProcess(self.limits)
            except OSError as error:
                task.fail(error)
                continue
            self._do(task, process)
            process = _drop_worn(process)
        if process:
            process.end()

    def _do(self, task: ReadingTask, process: ReaderProcess) -> None:
        with self._changed:
            if task.is_withdrawn:
                return
            task.process = process
        try:
            task.run(process)
        finally:
            with self._changed:
                task.process = None

    def _wait_for_task(self) -> ReadingTask | None:
        """Return the next task; None where the thread has to end."""
        with self._changed:
            self._idle += 1
            has_task = self._changed.wait_for(lambda: self._tasks, _IDLE)
            self._idle -= 1
            if has_task:
                return heapq.heappop(self._tasks)
            self._threads -= 1
            return None


def _drop_worn(process: ReaderProcess | None) -> ReaderProcess | None:
    """Return a child that can do another task; end it where it can't."""
    if process and process.is_worn:
        process.end()
        return None
    return process


def _count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


POOL: Final = ReaderPool()
"""The processes of this program. All its folders share them, as they share the cores."""
