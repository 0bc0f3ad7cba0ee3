"""How far the indexing is: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Final

from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

from citations.text import printable

from .scan import FolderFile

_log = logging.getLogger(__name__)
_EVERY: Final = 10.0
"""Seconds between two lines of the log."""


def show_progress(files: Iterable[FolderFile], total: int, title: str) -> Iterator[FolderFile]:
    """The files as they come, and on stderr how many of ``total`` have gone by."""
    if sys.stderr is not None and sys.stderr.isatty():
        # A skipped file is a line of the log, above the bar and not in it.
        with logging_redirect_tqdm():
            name = f"Indexing {printable(title)}"
            yield from tqdm(files, total=total, desc=name, unit=" files", leave=False, file=sys.stderr)
        return
    last = time.monotonic()
    for done, file in enumerate(files):
        if time.monotonic() - last > _EVERY:
            last = time.monotonic()
            _log.info("indexing: %d of %d files", done, total)
        yield file
