"""Reads files in child processes, so that no file can stop or starve the program.

``pool`` has the processes of a program. ``queue`` has the files of one update. ``process`` is one child as
the program sees it, and ``child`` the program that runs in it. ``limits`` says what one file may cost.

Parsers of PDF, Office and XML files work on what strangers wrote. Some are written in C. A file may hang one,
crash it, or make it take all memory. In a process of its own that costs one file.
"""

from __future__ import annotations

from .folder_scan import ADDED, LARGEST, Scan, Skipped, read_bytes, scan
from .limits import LONGEST_TEXT
from .pool import POOL, ReaderPool
from .process import ReaderProcess, ReadingStoppedError
from .progress import IndexProgress
from .queue import FileQueue

__all__ = [
    "ADDED", "LARGEST", "LONGEST_TEXT", "POOL", "FileQueue", "IndexProgress",
    "ReaderPool", "ReaderProcess", "ReadingStoppedError", "Scan", "Skipped",
    "read_bytes", "scan",
]  # fmt: skip
