"""Brings a document store up to date with a folder, by the steps that update the folder's own index."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from ...retrieval.index import IndexUpdate
from ...retrieval.passages import FileReading, KnownFile, read_record
from ...retrieval.reading import IndexProgress, Skipped
from ...telemetry.log import logger
from ..errors import SourceError
from .document_store import DocumentStore

log = logger(__name__)

_SHARE: Final = 20
"""The time between two listings of the store is at least this many times that of one."""


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What an update did: documents that were stored and removed, and passages that were embedded."""

    stored: int = 0
    removed: int = 0
    embedded: int = 0


class StoreUpdate:
    """Updates ``store`` from ``folder``, and is the :class:`~..retrieval.index.IndexStore` of that.

    What it knows stays in memory for the next update. A run that broke off leaves documents that are missing
    or complete, and the next run goes on.
    """

    def __init__(self, store: DocumentStore, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._progress = IndexProgress()
        self._known: Mapping[str, KnownFile] = {}
        """The records of all files, also of those without passages, which are not stored."""
        self._listing_time = 0.0
        """The seconds that the last listing of the store took."""
        self._stored = self._removed = self._embedded = 0

    def run(self) -> StoreReport:
        """Update the store.

        Raises ``OSError`` where the folder can't be listed, and :class:`StoreFailed`.
        """
        if not self._folder.is_dir():
            # All documents of a folder that is not mounted would count as deleted.
            raise NotADirectoryError(f"{self._folder} is not a folder")
        started = time.monotonic()
        stored = self._store.list_files()
        self._listing_time = time.monotonic() - started
        read = {path: one for path, one in self._known.items() if path in stored or not one.passages}
        self._stored = self._removed = self._embedded = 0
        IndexUpdate(self._folder, self, stored | read, self._note_known, self._progress).run()
        return StoreReport(self._stored, self._removed, self._embedded)

    def _note_known(self, known: Mapping[str, KnownFile]) -> None:
        self._known = known

    def remove(self, paths: Sequence[str], skipped: Sequence[Skipped]) -> None:
        """Remove documents, unless they lie below a folder that can't be opened."""
        closed = tuple(one.path for one in skipped if one.path.endswith("/"))
        gone = [path for path in paths if not path.startswith(closed)]
        self._store.remove(gone)
        self._removed += len(gone)

    def relabel(self, records: Sequence[KnownFile]) -> None:
        """Remove documents, which are read again at once: a label is stored with the passages."""
        self._store.remove([one.path for one in records])

    def put(self, readings: Sequence[FileReading]) -> None:
        """Store the passages of documents that were read, and embed those that are new."""
        documents = [
            (one.record, [read_record(record).passage for record in one.passages])
            for one in readings
            if one.passages is not None
        ]
        self._embedded += self._store.put(documents)
        self._stored += sum(bool(passages) for _, passages in documents)

    def watch(self) -> None:
        """Update the store whenever the folder has changed, until the process is interrupted."""
        while True:
            try:
                report = self.run()
            except (SourceError, OSError) as error:
                log.warning("the documents were not updated", reason=str(error))
            else:
                if report != StoreReport():
                    log.info("the documents were updated", **asdict(report))
            # A large store is not listed all the time.
            time.sleep(max(self._progress.interval, _SHARE * self._listing_time))
