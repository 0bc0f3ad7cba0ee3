"""One child process that reads files, as the program sees it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final, cast

import psutil

from ..passages import FolderFile
from .limits import CRASHED, TOO_HUNGRY, ReadingLimits

_ROOT: Final = Path(__file__).parents[3]
"""The directory that has the package ``bot``."""
_PROGRAM: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); import {0}.child; {0}.child.main()"
_START: Final = 60.0
"""Seconds within which a child has to start."""
_LOOK: Final = 0.05
"""Seconds between two looks at the work and the memory of a child."""


class ReadingStoppedError(Exception):
    """The child ended, or was ended, in the middle of a file. The error's text is the reason.

    ``patience_ended`` says that a file may be read with more patience.
    """

    def __init__(self, reason: str, *, patience_ended: bool = False) -> None:
        super().__init__(reason)
        self.patience_ended = patience_ended


class ReaderProcess:
    """A child process that reads one file at a time. Starting it raises ``OSError``."""

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
            raise OSError(f"no process can be started to read files: {error}") from error
        self._usage = psutil.Process(self._process.pid)
        self._requests = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)
        try:
            with self._watched(_START, sys.maxsize):
                self._receive()
        except ReadingStoppedError as error:
            self.end()
            raise OSError("the process that reads files does not start") from error

    def ask(self, kind: str, folder: Path, file: FolderFile, patience: float, sha256: str = "") -> list[Any]:
        """The answers to a request about a file; :mod:`.limits` has the kinds of requests.

        ``sha256`` is the digest of the file's bytes that are known. Raises :class:`ReadingStoppedError`
        after ``patience`` seconds of the processor, at a limit, and where the child crashes.
        """
        request = {"kind": kind, "folder": str(folder), "file": asdict(file), "sha256": sha256}
        with self._watched(patience, self._limits.memory):
            try:
                self._requests.write(json.dumps(request).encode() + b"\n")
                self._requests.flush()
            except OSError as error:
                raise self._explain_end() from error
            return self._receive()

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

    def _receive(self) -> list[Any]:
        """The answers up to the empty one."""
        received: list[Any] = []
        try:
            while answer := json.loads(self._answers.readline()):
                received += answer
        except ValueError as error:  # half a line, or none: the child has ended
            raise self._explain_end() from error
        return received

    def _explain_end(self) -> ReadingStoppedError:
        self._has_ended = True
        if self._ended_for:
            return self._ended_for
        needs_memory = self._process.wait() == TOO_HUNGRY
        return ReadingStoppedError(self._limits.too_hungry if needs_memory else CRASHED)

    @contextlib.contextmanager
    def _watched(self, seconds: float, memory: int) -> Iterator[None]:
        """End the child within the block if it works longer, hangs, or takes more memory.

        Then its pipe ends, too.
        """
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(done, seconds, memory), daemon=True)
        watch.start()
        try:
            yield
        finally:
            done.set()
            watch.join()

    def _watch(self, done: threading.Event, seconds: float, memory: int) -> None:
        # A child gets little of a busy machine, so the time of the processor counts. One that hangs takes
        # none. Its looks are counted, since the clock goes on while all processes stand still.
        begun = last = self._measure_work()
        again = seconds < self._limits.seconds
        idle, most = 0, self._limits.seconds / _LOOK / (2 if again else 1)
        while not done.wait(_LOOK):
            work = self._measure_work()
            idle, last = (0, work) if work > last else (idle + 1, last)
            if work - begun > seconds or idle > most:
                self._ended_for = ReadingStoppedError(self._limits.too_slow, patience_ended=again)
            elif self._measure() > memory:
                self._ended_for = ReadingStoppedError(self._limits.too_hungry)
            else:
                continue
            self.kill()
            return

    def _measure_work(self) -> float:
        """The seconds of the processor that the child has taken; 0 where it has ended."""
        try:
            times = self._usage.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def _measure(self) -> int:
        """The bytes of memory that the child holds; 0 where it has ended."""
        try:
            return int(self._usage.memory_info().rss)
        except psutil.Error:
            return 0
