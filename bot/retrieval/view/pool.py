"""This module renders files in the child processes that read the others, within the same limits."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Final

from ..passage import Markup
from ..reading.pool import POOL, ReaderPool, ReadingTask
from ..reading.process import ReaderProcess, ReadingStoppedError
from ..scan import FolderFile
from .document import RenderedDocument

_FIRST: Final = 0
"""The priority of a document that a person waits for."""


def render_in_child(file: Path, pool: ReaderPool = POOL) -> RenderedDocument | None:
    """Render a file in a child process; return None where it can't be read within the limits. Blocks."""
    status = file.stat()
    folder_file = FolderFile(file.name, status.st_mtime_ns, status.st_size, status.st_ctime_ns)
    found: queue.SimpleQueue[RenderedDocument | None] = queue.SimpleQueue()

    def render(process: ReaderProcess) -> None:
        try:
            found.put(_read_rendering(process.render(file.parent, folder_file, pool.limits.seconds)))
        except (ReadingStoppedError, TypeError, ValueError):
            found.put(None)

    task = ReadingTask((_FIRST, status.st_size, file.name), render, lambda _: found.put(None), is_urgent=True)
    pool.add(task)
    return found.get()


def _read_rendering(record: dict[str, object] | None) -> RenderedDocument | None:
    if record is None:
        return None
    return RenderedDocument(**record | {"markup": Markup(record["markup"])})  # type: ignore[arg-type]
