"""Works that take turns, each with its CPU time; those of another checkout run in a process of their own.

CPU time leaves out what other programs take of the machine. Works in turns share its changing clock.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

Work = Callable[[str], object]
"""What is done with one text."""

HERE: Final = Path(__file__).resolve().parent.parent
"""This checkout."""
_START: Final = """
import importlib, pathlib, sys
sys.path.insert(0, sys.argv[1])
import citations
assert pathlib.Path(citations.__file__).is_relative_to(sys.argv[1]), citations.__file__
del sys.path[0]
importlib.import_module(sys.argv[2]).serve()
"""
"""Both sides run the benchmark of this checkout, each with its own ``citations``."""


class Checkout:
    """A process that does the works of the benchmark ``module`` with the ``citations`` of ``path``."""

    def __init__(self, path: Path, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(path.resolve()), module],
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, work: str, size: int) -> float:
        """The CPU seconds that ``work`` takes there for an answer of ``size`` characters."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(size, work, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def serve(works: Mapping[str, Work], text: Callable[[int], str]) -> None:
    """Do what a :class:`Checkout` asks for on standard input."""
    for line in sys.stdin:
        size, _, work = line.rstrip("\n").partition(" ")
        print(cpu_seconds(works[work], text(int(size))), flush=True)


def cpu_seconds(work: Work, text: str) -> float:
    """The CPU seconds that ``work`` takes for ``text``."""
    start = time.process_time()
    work(text)
    return time.process_time() - start


def in_turns(works: Sequence[Callable[[], float]], rounds: int) -> list[list[float]]:
    """The seconds of each work in each round, after one round that does not count."""
    measured = [[work() for work in works] for _ in range(rounds + 1)]
    return [list(column) for column in zip(*measured[1:], strict=True)]


def median_ratio(ours: Iterable[float], theirs: Iterable[float]) -> float:
    """The median of the ratios of neighbours."""
    return statistics.median(our / their for our, their in zip(ours, theirs, strict=True))
