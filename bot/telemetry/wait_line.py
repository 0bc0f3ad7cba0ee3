"""A line on a terminal that says what the program waits for, and for how long it has."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, TextIO

from citations.text import printable

_SILENT: Final = 1.0
"""Seconds: a shorter wait shows no line."""
_STEP: Final = 0.25
_WIDTH: Final = 79
"""Columns that are written over; a narrower terminal would break the line."""


@contextlib.contextmanager
def show_wait(describe: Callable[[], str], stream: TextIO | None = None) -> Iterator[None]:
    """In this block, show ``describe()`` and the seconds on a terminal, and nothing elsewhere.

    ``describe`` is called in a thread. An empty text shows no line. The line is gone behind the block.
    """
    terminal = stream or sys.stderr
    if not terminal.isatty():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_show, args=(describe, terminal, done), name="wait", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(describe: Callable[[], str], terminal: TextIO, done: threading.Event) -> None:
    started = time.monotonic()
    if done.wait(_SILENT):
        return
    while not done.wait(_STEP):
        if text := printable(describe()):
            seconds = f" … {time.monotonic() - started:.0f} s"
            _write_over(terminal, text[: _WIDTH - len(seconds)] + seconds)
    _write_over(terminal, "")


def _write_over(terminal: TextIO, text: str) -> None:
    """Write over the last line, without the escape sequences that old Windows consoles show as they are."""
    # The cursor stays at the beginning, where a line of the log may come.
    terminal.write(f"\r{text:<{_WIDTH}}\r")
    terminal.flush()
