"""Brings a document store up to date with a folder: what changed is embedded, what was deleted is removed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from citations.text import printable

from ...retrieval.known_file import KnownFile, is_unchanged, take_times
from ...retrieval.passage import Passage
from ...retrieval.progress import show_progress
from ...retrieval.reading.queue import read_files
from ...retrieval.record import read_record
from ...retrieval.scan import FolderFile, Scan, scan
from ...telemetry.log import logger
from ..errors import SourceError
from .document_store import DocumentStore

log = logger(__name__)

_BATCH: Final = 256
"""Documents are stored together until they have this many passages."""
_INTERVAL: Final = 5.0
"""The least seconds between two listings of the folder."""
_SHARE: Final = 20
"""The time between two listings is at least this many times that of one."""


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What an update did: documents that were stored and removed, and passages that were embedded."""

    stored: int = 0
    removed: int = 0
    embedded: int = 0


class StoreUpdate:
    """Updates ``store`` from ``folder``; what it has read stays in memory for the next update.

    The folder is scanned and read as the folder source does it. A run that broke off leaves documents that
    are missing or complete, and the next run goes on.
    """

    def __init__(self, store: DocumentStore, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._read: dict[str, KnownFile] = {}
        self._listing_time = 0.0
        """The seconds that the last listing of folder and store took."""

    def run(self) -> StoreReport:
        """Update the store.

        Raises ``OSError`` where the folder can't be listed, and :class:`StoreFailed`.
        """
        if not self._folder.is_dir():
            # All documents of a folder that is not mounted would count as deleted.
            raise NotADirectoryError(f"{self._folder} is not a folder")
        started = time.monotonic()
        listing = scan(self._folder)
        stored = self._store.list_files()
        self._listing_time = time.monotonic() - started
        gone = _find_gone(stored, listing)
        self._store.remove(gone)
        count = embedded = 0
        for batch in _group(self._read_changed(listing.files, stored)):
            embedded += self._store.put(batch)
            count += len(batch)
        return StoreReport(count, len(gone), embedded)

    def watch(self) -> None:
        """Update the store whenever the folder has changed, until the process is interrupted."""
        while True:
            try:
                report = self.run()
            except (SourceError, OSError) as error:
                log.warning("the documents were not updated", reason=str(error))
            else:
                if report != StoreReport():
                    log.info(
                        "the documents were updated",
                        stored=report.stored,
                        removed=report.removed,
                        embedded=report.embedded,
                    )
            # A large folder is not listed all the time.
            time.sleep(max(_INTERVAL, _SHARE * self._listing_time))

    def _read_changed(
        self, files: Sequence[FolderFile], stored: dict[str, KnownFile]
    ) -> Iterator[tuple[KnownFile, Sequence[Passage]]]:
        """The documents whose bytes are not those that are stored."""
        changed = [file for file in files if not is_unchanged(file, self._known(file.path, stored))]
        known = [(file, stored[file.path].sha256 if file.path in stored else "") for file in changed]
        with show_progress(self._folder.name) as show:
            for done, reading in enumerate(read_files(self._folder, known), 1):
                show(done, len(changed))
                path, record = reading.record.path, reading.record
                if record.reason:
                    log.warning("skipped", file=printable(path), reason=record.reason)
                if reading.passages is None:  # only its times differ, as after a copy to this machine
                    self._read[path] = take_times(stored[path], record)
                    continue
                self._read[path] = record
                if reading.passages or path in stored:
                    yield record, [read_record(passage).passage for passage in reading.passages]

    def _known(self, path: str, stored: dict[str, KnownFile]) -> KnownFile | None:
        """The record of what was read in this process, if that is what is stored, or had no passages."""
        read = self._read.get(path)
        if path in stored:
            return read if read and read.sha256 == stored[path].sha256 else stored[path]
        return read if read and not read.passages else None


def _find_gone(stored: Iterable[str], listing: Scan) -> list[str]:
    """The stored documents that the folder has no more; not those below a folder that can't be opened."""
    present = {file.path for file in listing.files}
    closed = tuple(one.path for one in listing.skipped if one.path.endswith("/"))
    return [path for path in stored if path not in present and not path.startswith(closed)]


def _group(
    documents: Iterator[tuple[KnownFile, Sequence[Passage]]],
) -> Iterator[list[tuple[KnownFile, Sequence[Passage]]]]:
    batch: list[tuple[KnownFile, Sequence[Passage]]] = []
    for document in documents:
        batch.append(document)
        if sum(len(passages) for _, passages in batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
