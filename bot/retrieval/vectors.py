"""This module stores the vectors of passages and of their sentences, beside the index of a folder.

A text is known by a digest of 64 bits. So a text that two documents share is embedded once, and a changed
document costs only what changed in it. The file is a cache: where it is damaged, it is built again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .embedder import Vectors

Digests = NDArray[np.int64]

_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS text (digest INTEGER PRIMARY KEY, vector BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS passage (
        digest INTEGER PRIMARY KEY, vector BLOB NOT NULL, units BLOB NOT NULL, heading INTEGER
    );
"""
_AT_ONCE: Final = 500
"""The most values of one statement; SQLite before 3.32 allows 999."""
_BUSY: Final = 30.0
"""Seconds that a statement waits for another process."""


class VectorsError(Exception):
    """The stored vectors can't be read or written."""


class DamagedVectorsError(VectorsError):
    """The file is no database any more."""


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """What is stored of a passage: its own vector, and the digests of its units' texts and its heading."""

    digest: int
    vector: Vectors
    units: tuple[int, ...]
    heading: int | None = None


class VectorStore:
    """The vectors of one model in an SQLite file, or in memory for None. Any thread may call it.

    Each method raises :class:`VectorsError` where SQLite fails.
    """

    def __init__(self, file: Path | None) -> None:
        self._lock = threading.Lock()
        with _errors():
            self._database = sqlite3.connect(
                file or ":memory:", timeout=_BUSY, isolation_level=None, check_same_thread=False
            )
            # Readers never wait for the writer; a power failure may cost the last vectors.
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def list_passages(self) -> set[int]:
        """Return the digests of all passages."""
        return {row[0] for row in self._select("SELECT digest FROM passage")}

    def read_passages(self, digests: Sequence[int]) -> dict[int, Vectors]:
        """Return the vectors of those passages that have one."""
        rows = self._select_among("SELECT digest, vector FROM passage", digests)
        return dict(zip((row[0] for row in rows), _decode([row[1] for row in rows]), strict=True))

    def read_units(self, passages: Sequence[int]) -> dict[int, Vectors]:
        """Return for each passage that has vectors those of its units, in their order."""
        units = {
            digest: np.frombuffer(data, np.int64).tolist()
            for digest, data in self._select_among("SELECT digest, units FROM passage", passages)
        }
        texts = self.read_texts({text for digests in units.values() for text in digests})
        return {
            passage: np.array([texts[text] for text in digests])
            for passage, digests in units.items()
            if digests and all(text in texts for text in digests)
        }

    def read_texts(self, digests: Iterable[int]) -> dict[int, Vectors]:
        """Return the vectors of those texts that have one."""
        rows = self._select_among("SELECT digest, vector FROM text", list(digests))
        return dict(zip((row[0] for row in rows), _decode([row[1] for row in rows]), strict=True))

    def add(self, passages: Iterable[PassageVectors], texts: Mapping[int, Vectors]) -> None:
        """Store passages and texts, all of them or none."""
        with self._transaction() as database:
            database.executemany(
                "INSERT OR REPLACE INTO text VALUES (?, ?)",
                ((digest, _encode(vector)) for digest, vector in texts.items()),
            )
            database.executemany(
                "INSERT OR REPLACE INTO passage VALUES (?, ?, ?, ?)",
                (
                    (one.digest, _encode(one.vector), np.array(one.units, np.int64).tobytes(), one.heading)
                    for one in passages
                ),
            )

    def keep_only(self, digests: set[int]) -> None:
        """Delete all other passages, and the texts that no passage has any more."""
        if not (gone := list(self.list_passages() - digests)):
            return
        with self._transaction() as database:
            for part in _split(gone):
                database.execute(f"DELETE FROM passage WHERE digest IN ({_marks(part)})", part)  # noqa: S608
            used = set[int]()
            for units, heading in database.execute("SELECT units, heading FROM passage"):
                used.update(np.frombuffer(units, np.int64).tolist())
                used.add(heading)
            texts = [row[0] for row in database.execute("SELECT digest FROM text") if row[0] not in used]
            for part in _split(texts):
                database.execute(f"DELETE FROM text WHERE digest IN ({_marks(part)})", part)  # noqa: S608

    def _select(self, statement: str, values: Sequence[object] = ()) -> list[tuple[int, bytes]]:
        with _errors(), self._lock:
            return self._database.execute(statement, values).fetchall()

    def _select_among(self, statement: str, digests: Sequence[int]) -> list[tuple[int, bytes]]:
        rows: list[tuple[int, bytes]] = []
        for part in _split(digests):
            rows += self._select(f"{statement} WHERE digest IN ({_marks(part)})", part)
        return rows

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _errors(), self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise VectorsError(str(error)) from error
    except sqlite3.Error as error:
        raise DamagedVectorsError(str(error)) from error


def _encode(vector: Vectors) -> bytes:
    return vector.astype(np.float16).tobytes()


def _decode(rows: Sequence[bytes]) -> Vectors:
    if not rows:
        return np.zeros((0, 0), np.float32)
    return np.frombuffer(b"".join(rows), np.float16).reshape(len(rows), -1).astype(np.float32)


def _split(digests: Sequence[int]) -> Iterator[Sequence[int]]:
    return (digests[start : start + _AT_ONCE] for start in range(0, len(digests), _AT_ONCE))


def _marks(values: Sequence[int]) -> str:
    return ",".join("?" * len(values))
