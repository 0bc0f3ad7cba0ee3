"""Brings a document store up to date with a folder, by the steps that update the folder's own index."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ....retrieval.index import IndexUpdate
from ....retrieval.passages import KnownFile
from ....retrieval.reading import IndexProgress
from .document_store import DocumentStore
from .failure import StoreError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What an update did: documents that were stored and removed, and passages that were embedded."""

    stored: int = 0
    removed: int = 0
    embedded: int = 0


class StoreUpdate:
    """Updates ``store`` from ``folder``.

    What it knows stays in memory for the next update. A run that broke off leaves documents that are missing
    or complete, and the next run goes on.
    """

    def __init__(self, store: DocumentStore, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._progress = IndexProgress()
        self._known: Mapping[str, KnownFile] = {}
        """The records of all files, also of those without passages, which are not stored."""

    def run(self) -> StoreReport:
        """Update the store.

        Raises ``OSError`` where the folder can't be listed, and :class:`StoreError`.
        """
        if not self._folder.is_dir():
            # All documents of a folder that is not mounted would count as deleted.
            raise NotADirectoryError(f"{self._folder} is not a folder")
        stored = self._store.list_files()
        read = {path: one for path, one in self._known.items() if path in stored or not one.passages}
        self._store.changes.clear()
        IndexUpdate(self._folder, self._store, stored | read, self._note_known, self._progress).run()
        return StoreReport(**self._store.changes)

    def _note_known(self, known: Mapping[str, KnownFile]) -> None:
        self._known = known

    def watch(self) -> None:
        """Update the store whenever the folder has changed, until the process is interrupted."""
        while True:
            try:
                report = self.run()
            except (StoreError, OSError) as error:
                _log.warning("the documents were not updated: %s", error)
            else:
                if report != StoreReport():
                    _log.info("the documents were updated: %s", report)
            # A large store is not listed all the time.
            time.sleep(max(self._progress.interval, self._store.pause))
