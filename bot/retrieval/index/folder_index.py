"""Indexes a folder on disk, and updates the index when files change.

The index has one entry for each file beside the entries of its passages, and both are committed
together. So after a crash the next update continues from what was committed. :mod:`.update` has the steps.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from citations.text import printable

from ..meaning import Embedder, FileTest, PassageEmbedding
from ..passages import PASSAGE, FileReading, KnownFile, read_entry, take_times
from ..reading import IndexProgress, Skipped, scan
from ..words import EngineError, Entry, Removal, SearchEngine
from .listing import IndexReport
from .part import FILE, IndexPart, copy_part, make_part
from .update import IndexUpdate


@dataclass(frozen=True, slots=True)
class WordStore:
    """An :class:`~.update.IndexStore` on a search engine. Its methods raise :class:`EngineError`."""

    engine: SearchEngine

    def remove(self, paths: Sequence[str], skipped: Sequence[Skipped]) -> None:  # noqa: ARG002
        """Remove the passages and records of these documents: what can't be opened is not quoted."""
        self.engine.apply(Removal(kind, path) for path in paths for kind in (PASSAGE, FILE))

    def relabel(self, records: Sequence[KnownFile]) -> None:
        """Replace the records of documents."""
        self.engine.apply(_write_files(records))

    def put(self, readings: Sequence[FileReading]) -> None:
        """Replace the records of documents and, where they were read, their passages.

        Nothing is written where all bytes are as they were: until the engine merges, what it has removed
        counts in its scores.
        """
        if any(one.passages is not None for one in readings):
            self.engine.apply(_write_documents(readings))


def _write_documents(readings: Iterable[FileReading]) -> Iterator[Entry | Removal]:
    for one in readings:
        if one.passages is not None:
            yield Removal(PASSAGE, one.record.path)
            yield from map(read_entry, one.passages)
        yield from _write_files((one.record,))


def _write_files(records: Iterable[KnownFile]) -> Iterator[Entry | Removal]:
    for record in records:
        yield Removal(FILE, record.path)
        yield Entry(FILE, record.path, asdict(record))


FORMAT: Final = 29
"""The version of the stored form; count it up when files are read, split or stemmed differently."""
_LOCK_TIMEOUT: Final = 60.0
"""Seconds that an update waits for the lock while another process updates the same index."""

_PARTS: Final = 8
"""Parts of an index that are cached: one for each set of visible documents."""

_log = logging.getLogger(__name__)


class FolderIndex:
    """A searchable index of the passages of a folder, stored in ``directory`` or, for None, in memory.

    With an ``embedder``, a thread embeds the passages behind each update; one on another machine gets those
    of files that ``may_leave`` this one. ``home`` is the directory with the files that were added to the
    folder. Its methods block, and only one thread may call them at a time.
    """

    def __init__(
        self,
        folder: Path,
        directory: Path | None,
        embedder: Embedder | None = None,
        *,
        home: Path | None = None,
        may_leave: FileTest = lambda _: True,
    ) -> None:
        self.progress = IndexProgress()
        """How far the update that runs is."""
        self.whole = make_part(SearchEngine(None), {})
        """All documents; none before the first :meth:`update`."""
        self._folder = folder
        self._home = home
        self._directory = directory
        self._embedder = embedder
        self._may_leave = may_leave
        self._embedding: PassageEmbedding | None = None
        self._engine: SearchEngine | None = None
        self._opened: SearchEngine | None = None
        """The engine whose state searches see."""
        self._update: IndexUpdate | None = None
        self._changing = threading.Lock()
        """Held by what changes the index: an update, and another embedder."""
        self._is_closed = False
        self._skipped: tuple[Skipped, ...] = ()
        self._parts: dict[tuple[IndexPart, frozenset[str]], IndexPart] = {}

    def restrict(self, whole: IndexPart, paths: frozenset[str]) -> IndexPart:
        """An index of these files of ``whole``, by whose labels it was decided that they may be seen.

        The last few are cached until a file changes.
        """
        if paths.issuperset(whole.listing.known):
            return whole
        parts, key = self._parts, (whole, paths)
        if (cached := parts.get(key)) is not None:
            return cached
        part = copy_part(whole, paths)
        while len(parts) >= _PARTS:
            parts.pop(next(iter(parts)), None)
        parts[key] = part
        return part

    @property
    def report(self) -> IndexReport:
        """The number of documents and passages, and the files that were skipped."""
        return self.whole.listing.report(self._skipped)

    def update(self) -> IndexReport:
        """Update the index from the folder, reading only the files that changed.

        What is read can be searched before the update ends. Raises ``OSError`` where the folder can't be
        listed, or no child can be started to read files.
        """
        self.progress.note_step("waiting for the index")
        with self._changing, ExitStack() as stack:
            stack.callback(self.progress.note_end)
            if not self._folder.is_dir():
                raise NotADirectoryError(f"{self._folder} is not a folder")
            may_write = self._lock(stack)
            try:
                self._sync(may_write)
            except EngineError as error:
                _log.warning("the index can't be used and is built again: %s", error)
                self._rebuild(may_write)
            self._follow_embedding()
        return self.report

    def embed_with(self, embedder: Embedder | None) -> None:
        """Find passages by another model's vectors from now on, or by words. It waits for an update."""
        with self._changing:
            if self._embedding:
                self._embedding.close()
            self._embedder, is_open = embedder, self._engine is not None
            self._embedding = self._create_embedding(embedder) if embedder and is_open else None
            self.whole = make_part(self.whole.words, self.whole.listing.known, self._embedding)
            self._parts = {}
            self._follow_embedding()

    def want_listing(self) -> None:
        """Have the update that runs list the folder again, from any thread."""
        if update := self._update:
            update.is_listing_wanted = True

    def stop(self) -> None:
        """End the update that runs soon, from any thread, and begin no other."""
        self._is_closed = True
        if update := self._update:
            update.is_stopped = True

    def close(self) -> None:
        """End the thread that embeds, after the few texts that it has begun."""
        self.stop()
        if self._embedding:
            self._embedding.close()

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
    def _stored(self) -> Path | None:
        return self._directory / f"passages-{FORMAT}" if self._directory else None

    def _rebuild(self, may_write: bool) -> None:
        """Build the index anew on disk; in memory where that fails or another process has the lock."""
        self._engine = None
        if may_write and self._stored:
            shutil.rmtree(self._stored, ignore_errors=True)
            try:
                return self._sync(may_write)
            except EngineError as error:
                _log.warning("the index is kept in memory: %s", error)
        self._directory, self._engine = None, None
        return self._sync(may_write=True)

    def _sync(self, may_write: bool) -> None:
        engine = self._open()
        if self.whole.listing.known:  # else the model would be loaded while the first files are read
            self._follow_embedding()
        if not may_write:
            self._note_skipped(scan(self._folder, self._home).skipped)
            return
        known = self.whole.listing.known
        publish = partial(self._publish, engine)
        self._update = update = IndexUpdate(
            self._folder, WordStore(engine), known, publish, self.progress, home=self._home
        )
        if self._is_closed:
            update.is_stopped = True
        try:
            with engine.keep_writer():
                update.run()
        finally:
            self._update = None
            self._note_skipped(update.skipped)
        if self.whole.listing.known is not known:
            # The writer has merged at its end what is worth it. Removed entries may still count in scores.
            engine.reload()
            self._publish(engine, self.whole.listing.known)

    def _open(self) -> SearchEngine:
        """Open what is stored, as any process has committed it, and delete what other formats stored."""
        if self._engine is None:
            if stored := self._stored:
                stored.mkdir(mode=0o700, parents=True, exist_ok=True)
                for other in stored.parent.glob("passages-*"):
                    if other != stored:
                        shutil.rmtree(other, ignore_errors=True)
            self._engine = SearchEngine(stored)
        self._engine.reload()
        known = {record["path"]: KnownFile(**record) for record in self._engine.iter_records(FILE)}
        seen = self.whole.listing.known
        for path, file in known.items():
            if path in seen and seen[path].sha256 == file.sha256:  # its times may be newer than those stored
                known[path] = take_times(file, seen[path])
        if self._opened is not self._engine or seen != known:
            self._publish(self._engine, known)
        return self._engine

    def _publish(self, engine: SearchEngine, known: Mapping[str, KnownFile]) -> None:
        """Let searches see the index as it is now; ``known`` are the records of its files."""
        if self._embedder and not self._embedding:
            self._embedding = self._create_embedding(self._embedder)
        self._opened, snapshot = engine, engine.take_snapshot()
        if known is self.whole.listing.known:  # only the engine's segments are others
            self.whole = replace(self.whole, words=snapshot)
        else:
            self.whole = make_part(snapshot, known, self._embedding)
        self._parts = {}

    def _create_embedding(self, embedder: Embedder) -> PassageEmbedding:
        return PassageEmbedding(embedder, self._directory, self._may_leave)

    def _note_skipped(self, skipped: tuple[Skipped, ...]) -> None:
        """Log the files that are newly skipped."""
        for one in sorted(set(skipped).difference(self._skipped), key=lambda one: one.path):
            _log.warning("skipped %s: %s", printable(one.path), printable(one.reason))
        self._skipped = skipped

    def _follow_embedding(self) -> None:
        if self._embedding and (meaning := self.whole.meaning):
            self._embedding.follow(self.whole.words, meaning.digests)
