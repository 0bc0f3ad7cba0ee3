"""Rows of numbers that stay in a file: a table of words is large, and a text has few of them."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray


class FileRows:
    """Rows of ``size`` bytes behind each other from ``start`` on in an open file.

    They are read, not mapped: the system counts what it maps around a row as memory of the process, too.
    """

    def __init__(self, file: IO[Any], start: int, size: int) -> None:
        self._file = file
        self._start = start
        self._size = size
        self._lock = Lock()

    def __getitem__(self, numbers: Iterable[int]) -> NDArray[np.uint8]:
        """The rows of the numbers, in their order."""
        read: list[bytes] = []
        with self._lock:
            for number in numbers:
                self._file.seek(self._start + int(number) * self._size)
                read.append(self._file.read(self._size))
        return np.frombuffer(b"".join(read), np.uint8).reshape(-1, self._size)
