"""This module shows how far the indexing is: as a bar on a terminal, otherwise as lines in the log."""

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
"""The least seconds between two lines of the log."""


def show_progress(files: Iterable[FolderFile], total: int, title: str) -> Iterator[FolderFile]:
    """Yield the files unchanged, and show on stderr how many of ``total`` have passed."""
    if sys.stderr is not None and sys.stderr.isatty():
        # The log line of a skipped file goes above the bar.
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
