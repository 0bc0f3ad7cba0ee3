"""This module has one child process that reads files, as the program sees it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final, cast

import psutil

from ..scan import FolderFile
from .limits import CRASHED, ReadingLimits
from .messages import FILE, LABELS, PASSAGE, READY, TOO_HUNGRY, VIEW

_ROOT: Final = Path(__file__).parents[3]
"""The directory that has the package ``bot``."""
_PROGRAM: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); import {0}.child; {0}.child.main()"
_START: Final = 60.0
"""Seconds within which a child has to start."""
_LOOK: Final = 0.05
"""Seconds between two looks at the time and the memory of a child."""


class ReaderStartError(OSError):
    """No process can be started to read files."""


class ReadingStoppedError(Exception):
    """The child ended, or was ended, in the middle of a file. The error's text is the reason.

    ``patience_ended`` says that a file may be read with more patience.
    """

    def __init__(self, reason: str, *, patience_ended: bool = False) -> None:
        super().__init__(reason)
        self.patience_ended = patience_ended


class ReaderProcess:
    """A child process that reads one file at a time. Starting it raises :class:`ReaderStartError`."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._has_ended = False
        self._ended_for: ReadingStoppedError | None = None
        """Why the watch ended it, if it did."""
        program = _PROGRAM.format(__package__)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, and a program of ours
                # -P: nothing is imported from the working directory.
                [sys.executable, "-P", "-c", program, str(_ROOT), json.dumps(asdict(limits))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise ReaderStartError(f"no process can be started to read files: {error}") from error
        self._usage = psutil.Process(self._process.pid)
        self._requests = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)
        with self._watched(_START, sys.maxsize):
            started = self._receive()
        if started != [READY]:
            self.end()
            raise ReaderStartError("the process that reads files does not start")

    def read_text(
        self, folder: Path, file: FolderFile, sha256: str, patience: float
    ) -> tuple[dict[str, Any], tuple[dict[str, Any], ...] | None]:
        """Return the record of a file and those of its passages, or None for the latter if nothing changed.

        Raises :class:`ReadingStoppedError` after ``patience`` seconds of the processor, at a limit, and
        where the child crashes.
        """
        with self._watched(patience, self._limits.memory):
            self._send({"kind": FILE, "folder": str(folder), "file": asdict(file), "sha256": sha256})
            passages: list[dict[str, Any]] = []
            while (answer := self._expect(PASSAGE, FILE))[0] == PASSAGE:
                passages.append(answer[1])
        _, record, is_new = answer
        return record, tuple(passages) if is_new else None

    def read_labels(self, folder: Path, file: FolderFile, patience: float) -> tuple[str, ...]:
        """Return the ids of the labels in a file's metadata. Raises as :meth:`read_text` does."""
        with self._watched(patience, self._limits.memory):
            self._send({"kind": LABELS, "folder": str(folder), "file": asdict(file)})
            return tuple(self._expect(LABELS)[1])

    def render(self, folder: Path, file: FolderFile, patience: float) -> dict[str, Any] | None:
        """Return the rendering of a file; None where it can't be read. Raises as :meth:`read_text` does."""
        with self._watched(patience, self._limits.memory):
            self._send({"kind": VIEW, "folder": str(folder), "file": asdict(file)})
            rendered: dict[str, Any] | None = self._expect(VIEW)[1]
            return rendered

    @property
    def is_worn(self) -> bool:
        """Whether it has ended, or holds so much memory that the next file would have too little."""
        has_ended = self._has_ended or self._process.poll() is not None
        return has_ended or self._measure() > self._limits.memory // 2

    def kill(self) -> None:
        """End the child from any thread; what it reads now fails."""
        self._has_ended = True
        self._process.kill()

    def end(self) -> None:
        """End the child and close its pipes, while it reads nothing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                pipe.close()

    def _send(self, request: dict[str, Any]) -> None:
        try:
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()
        except OSError as error:
            raise self._explain_end() from error

    def _expect(self, *kinds: str) -> list[Any]:
        answer = self._receive()
        if answer and answer[0] in kinds:
            return answer
        if answer == [TOO_HUNGRY]:
            self._has_ended = True
            raise ReadingStoppedError(self._limits.too_hungry)
        raise self._explain_end()

    def _receive(self) -> list[Any]:
        """Return the next answer; empty where the child has ended."""
        try:
            answer = json.loads(self._answers.readline())
        except ValueError:
            return []
        return answer if isinstance(answer, list) else []

    def _explain_end(self) -> ReadingStoppedError:
        self._has_ended = True
        return self._ended_for or ReadingStoppedError(CRASHED)

    @contextlib.contextmanager
    def _watched(self, seconds: float, memory: int) -> Iterator[None]:
        """End the child within the block if it takes longer, or more memory; then its pipe ends, too."""
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(done, seconds, memory), daemon=True)
        watch.start()
        try:
            yield
        finally:
            done.set()
            watch.join()

    def _watch(self, done: threading.Event, seconds: float, memory: int) -> None:
        # Of a busy machine a child may get little, so its patience counts the time of the processor. A child
        # that waits for a disk takes none of that.
        begun, used = time.monotonic(), self._measure_work()
        most = seconds if seconds >= self._limits.seconds else max(seconds, self._limits.seconds / 2)
        while not done.wait(_LOOK):
            is_late = time.monotonic() - begun > most
            if is_late or self._measure_work() - used > seconds:
                is_last = seconds >= self._limits.seconds
                self._ended_for = ReadingStoppedError(self._limits.too_slow, patience_ended=not is_last)
            elif self._measure() > memory:
                self._ended_for = ReadingStoppedError(self._limits.too_hungry)
            else:
                continue
            self.kill()
            return

    def _measure_work(self) -> float:
        """Return the seconds of the processor that the child has taken; 0 where it has ended."""
        try:
            times = self._usage.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def _measure(self) -> int:
        """Return the bytes of memory that the child holds; 0 where it has ended."""
        try:
            return int(self._usage.memory_info().rss)
        except psutil.Error:
            return 0
