"""Keeps the documents of an index in the engine of their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from ..passages import PASSAGE, FileReading, KnownFile, read_entry
from ..reading import Skipped
from ..words import Entry, Removal, SearchEngine
from .part import FILE


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
