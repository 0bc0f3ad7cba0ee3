"""Stores the vectors of passages and of their sentences, and codes of words, beside the index of a folder.

A text is known by a digest of 64 bits. So a text that two documents share is embedded once, and a changed
document costs only what changed in it. The file is a cache: where it is damaged, it is built again.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .embedder import Vectors
from .word_codes import WordCodes

Digests = NDArray[np.int64]

_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS text (digest INTEGER PRIMARY KEY, vector BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS passage (
        digest INTEGER PRIMARY KEY, vector BLOB NOT NULL, units BLOB NOT NULL, heading INTEGER
    );
    CREATE TABLE IF NOT EXISTS words (digest INTEGER PRIMARY KEY, codes BLOB NOT NULL, counts BLOB NOT NULL);
"""
_AMONG: Final = "digest IN (SELECT value FROM json_each(?))"
"""A condition for any number of digests, which are one value: a JSON array."""
_BUSY: Final = 30.0
"""Seconds that a statement waits for another process."""


class VectorsError(Exception):
    """The stored vectors can't be read or written."""


class DamagedVectorsError(VectorsError):
    """The file is no database any more."""


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """What is stored of a passage: its vector, the digests of its units' texts and its heading, its words."""

    digest: int
    vector: Vectors
    units: tuple[int, ...]
    heading: int | None = None
    words: WordCodes | None = None


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
        """The digests of all passages."""
        return {digest for (digest,) in self._select("SELECT digest FROM passage")}

    def read_passages(self, digests: Iterable[int]) -> dict[int, Vectors]:
        """The vectors of those passages that have one."""
        return self._read_vectors("passage", digests)

    def read_texts(self, digests: Iterable[int]) -> dict[int, Vectors]:
        """The vectors of those texts that have one."""
        return self._read_vectors("text", digests)

    def read_units(self, passages: Iterable[int]) -> dict[int, tuple[list[int], int | None]]:
        """For each passage that has vectors, the digests of its units' texts, in order, and its headings'."""
        rows = self._select(f"SELECT digest, units, heading FROM passage WHERE {_AMONG}", passages)  # noqa: S608
        return {digest: (np.frombuffer(data, np.int64).tolist(), heading) for digest, data, heading in rows}

    def read_words(self, passages: Iterable[int]) -> dict[int, WordCodes]:
        """The codes of the words of those passages that have some."""
        rows = self._select(f"SELECT digest, codes, counts FROM words WHERE {_AMONG}", passages)  # noqa: S608
        found: dict[int, WordCodes] = {}
        for digest, words, data in rows:
            counts = tuple(np.frombuffer(data, np.uint16).tolist())
            found[digest] = WordCodes(np.frombuffer(words, np.uint64).reshape(sum(counts), -1), counts)
        return found

    def _read_vectors(self, table: str, digests: Iterable[int]) -> dict[int, Vectors]:
        rows = self._select(f"SELECT digest, vector FROM {table} WHERE {_AMONG}", digests)  # noqa: S608
        data = np.frombuffer(b"".join(vector for _, vector in rows), np.float16)
        vectors = data.reshape(len(rows), -1 if rows else 0).astype(np.float32)
        return dict(zip((digest for digest, _ in rows), vectors, strict=True))

    def add(self, passages: Iterable[PassageVectors], texts: Mapping[int, Vectors]) -> None:
        """Store passages and texts, all of them or none."""
        passages = list(passages)
        coded = ((one.digest, one.words) for one in passages if one.words and len(one.words.bits))
        words = [(key, one.bits.tobytes(), np.array(one.counts, np.uint16).tobytes()) for key, one in coded]
        with self._transaction() as database:
            database.executemany("INSERT OR REPLACE INTO words VALUES (?, ?, ?)", words)
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
            for table in ("passage", "words"):
                database.execute(f"DELETE FROM {table} WHERE {_AMONG}", [json.dumps(gone)])  # noqa: S608
            used = set[int]()
            for units, heading in database.execute("SELECT units, heading FROM passage"):
                used.update(np.frombuffer(units, np.int64).tolist())
                used.add(heading)
            texts = [
                digest for (digest,) in database.execute("SELECT digest FROM text") if digest not in used
            ]
            database.execute(f"DELETE FROM text WHERE {_AMONG}", [json.dumps(texts)])  # noqa: S608

    def _select(self, statement: str, digests: Iterable[int] | None = None) -> list[tuple[Any, ...]]:
        values = [] if digests is None else [json.dumps(list(digests))]
        with _errors(), self._lock:
            return self._database.execute(statement, values).fetchall()

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
