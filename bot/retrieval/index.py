"""This module indexes a folder on disk, and updates the index when files change.

The index has one entry for each file beside the entries of its passages, and both are committed
together. So after a crash the next update continues from what was committed.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from .embedder import Embedder
from .embedding import PassageEmbedding
from .engine import EngineError, Entry, Removal, SearchEngine
from .file_reader import read_file
from .meaning import PartMeaning
from .part import FILE, IndexPart, IndexReport, KnownFile, copy_part, is_unchanged, make_part
from .progress import show_progress
from .record import PASSAGE, write_entry
from .scan import FolderFile, Skipped, scan

FORMAT: Final = 8
"""The version of the stored form; count it up when the records, the splitting or the stemming change."""
_LOCK_TIMEOUT: Final = 60.0
"""Seconds that an update waits for the lock while another process updates the same index."""

_PARTS: Final = 8
"""Parts of an index that are cached: one for each set of visible documents."""

_log = logging.getLogger(__name__)


class FolderIndex:
    """A searchable index of the passages of a folder, stored in ``directory`` or, for None, in memory.

    With an ``embedder``, a thread embeds the passages behind each update. Its methods block, and only
    one thread may call them at a time.
    """

    def __init__(self, folder: Path, directory: Path | None, embedder: Embedder | None = None) -> None:
        self._folder = folder
        self._directory = directory
        self._skipped: tuple[Skipped, ...] = ()
        self._embedder = embedder
        self._embedding: PassageEmbedding | None = None
        self._engine: SearchEngine | None = None
        self._part: IndexPart | None = None
        self._parts: dict[frozenset[str], IndexPart] = {}

    @property
    def engine(self) -> SearchEngine:
        """The engine that searches it. Raises :class:`EngineError` before the first :meth:`update`."""
        if self._engine is None:
            raise EngineError("the folder is not indexed yet")
        return self._engine

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the documents, the one with the most passages first."""
        return self.whole.languages

    @property
    def whole(self) -> IndexPart:
        """All documents. Raises :class:`EngineError` before the first :meth:`update`."""
        if self._part is None:
            raise EngineError("the folder is not indexed yet")
        return self._part

    @property
    def meaning(self) -> PartMeaning | None:
        """The vectors of all passages; None without an embedder, and before the first :meth:`update`."""
        return self._part.meaning if self._part else None

    def restrict_to(self, paths: frozenset[str]) -> IndexPart:
        """Return an index of these files only; the last few are cached until a file changes."""
        whole = self.whole
        if paths.issuperset(whole.known):
            return whole
        if (cached := self._parts.get(paths)) is not None:
            return cached
        part = copy_part(whole, paths)
        if whole is self._part:
            while len(self._parts) >= _PARTS:
                self._parts.pop(next(iter(self._parts)), None)
            self._parts[paths] = part
        return part

    @property
    def report(self) -> IndexReport:
        """The number of documents and passages, and the files that were skipped."""
        return self._part.report(self._skipped) if self._part else IndexReport(0, 0, self._skipped)

    @property
    def _known(self) -> Mapping[str, KnownFile]:
        return self._part.known if self._part else {}

    def update(self) -> IndexReport:
        """Update the index from the folder, reading only the files that changed.

        Raises ``OSError`` where the folder can't be listed.
        """
        if not self._folder.is_dir():
            raise NotADirectoryError(f"{self._folder} is not a folder")
        with ExitStack() as stack:
            may_write = self._lock(stack)
            try:
                self._sync(may_write)
            except EngineError as error:
                _log.warning("the index can't be used and is built again: %s", error)
                self._rebuild(may_write)
            if self._embedding and self._part and self._part.meaning:
                self._embedding.follow(self._part.engine, self._part.meaning.digests)
        return self.report

    def close(self) -> None:
        """End the thread that embeds, after the few texts that it has begun."""
        if self._embedding:
            self._embedding.close()

    def _rebuild(self, may_write: bool) -> None:
        """Build the index anew on disk; in memory where that fails or another process has the lock."""
        self._engine = None
        if may_write and self._home:
            shutil.rmtree(self._home, ignore_errors=True)
            try:
                self._sync(may_write)
            except EngineError as error:
                _log.warning("the index is kept in memory: %s", error)
            else:
                return
        self._directory, self._engine = None, None
        self._sync(may_write=True)

    def _lock(self, stack: ExitStack) -> bool:
        """Lock the directory and return whether this process may write; wait up to a minute for the lock."""
        if self._directory is None:
            return True
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            # tantivy's files hold the text of the documents, so other users must not read them. On Windows
            # the directory has the access list of the user's profile, and chmod changes nothing.
            self._directory.chmod(0o700)
            stack.enter_context(FileLock(self._directory / "lock", timeout=_LOCK_TIMEOUT))
        except Timeout:
            _log.warning("another process is indexing the same folder; what it has committed is used")
            return False
        except OSError as error:
            _log.warning(
                "the cache directory can't be written, or kept from other users (%s); "
                "the index is kept in memory",
                error.strerror,
            )
            self._directory, self._engine = None, None
        return True

    @property
    def _home(self) -> Path | None:
        return self._directory / f"passages-{FORMAT}" if self._directory else None

    def _open(self) -> None:
        if self._engine is None:
            if self._home:
                self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._drop_older()
            self._engine = SearchEngine(self._home)
        self._engine.reload()
        self._remember({record["path"]: KnownFile(**record) for record in self._engine.iter_records(FILE)})

    def _drop_older(self) -> None:
        """Delete indexes of other formats."""
        for other in self._home.parent.glob("passages-*") if self._home else ():
            if other != self._home:
                shutil.rmtree(other, ignore_errors=True)

    def _sync(self, may_write: bool) -> None:
        self._open()
        listing = scan(self._folder)
        self._skipped = listing.skipped
        changed = [file for file in listing.files if not is_unchanged(file, self._known.get(file.path))]
        paths = {file.path for file in listing.files}
        gone = [path for path in self._known if path not in paths]
        if may_write and (changed or gone):
            self._write(changed, gone)

    def _write(self, changed: list[FolderFile], gone: list[str]) -> None:
        known = {path: one for path, one in self._known.items() if path not in gone}

        def list_changes() -> Iterator[Entry | Removal]:
            for path in gone:
                yield from (Removal(PASSAGE, path), Removal(FILE, path))
            for file in show_progress(changed, len(changed), self._folder.name):
                reading = read_file(self._folder, file, self._known.get(file.path))
                known[file.path] = reading.record
                if reading.passages is not None:
                    yield Removal(PASSAGE, file.path)
                    yield from map(write_entry, reading.passages)
                yield Removal(FILE, file.path)
                yield Entry(FILE, file.path, asdict(reading.record))

        self.engine.apply(list_changes())
        self._remember(known)

    def _remember(self, known: dict[str, KnownFile]) -> None:
        if self._part is None or self._part.engine is not self.engine or self._part.known != known:
            self._parts = {}
            if self._embedder and not self._embedding:
                self._embedding = PassageEmbedding(self._embedder, self._directory)
            self._part = make_part(self.engine, known, self._embedding)
