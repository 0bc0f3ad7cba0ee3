"""State in a SQLite file: it survives a restart, and processes on one machine can share it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from ..telemetry.conversation_key import ConversationKey, item_name, name_of
from . import StateError, Swap

TIMEOUT: Final = 3.0
"""Seconds to wait while another process writes."""

_APPLICATION: Final = 0x63697465
"""``cite``: the program that owns the file, by SQLite's header (PRAGMA application_id)."""
_VERSION: Final = 1
_SCHEMA: Final = f"""
    CREATE TABLE kept (
        conversation TEXT NOT NULL,
        kind TEXT NOT NULL,
        item TEXT NOT NULL,
        value BLOB NOT NULL,
        until REAL NOT NULL,
        PRIMARY KEY (conversation, kind, item)
    );
    CREATE INDEX kept_until ON kept (until);
    PRAGMA application_id = {_APPLICATION};
    PRAGMA user_version = {_VERSION};
"""
_GET: Final = "SELECT value FROM kept WHERE conversation = ? AND kind = ? AND item = ? AND until > ?"
_PUT: Final = "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?)"
_PUT_NEW: Final = "INSERT OR IGNORE INTO kept VALUES (?, ?, ?, ?, ?)"
_SWAP: Final = """
    UPDATE kept SET value = ?, until = ? WHERE conversation = ? AND kind = ? AND item = ? AND value = ?
"""
_DROP: Final = "DELETE FROM kept WHERE conversation = ? AND kind = ? AND item = ?"
_FORGET: Final = "DELETE FROM kept WHERE conversation = ?"
_EXPIRE: Final = "DELETE FROM kept WHERE until <= ?"

_GROUP_AND_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

R = TypeVar("R")


class StateInSQLite:
    """A :class:`State` in ``file``, which only its owner may read.

    All statements run in one thread. ``clock`` is the time of day in seconds, which the processes that
    share the file agree on; by default :func:`keep_time`'s. Each write deletes expired values.
    """

    recently_reached: Final = True

    def __init__(self, file: Path, *, clock: Callable[[], float] | None = None) -> None:
        self._file = file
        self._clock = clock or keep_time()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="state")
        self._database: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file, and create it if there is none."""
        await self._run(self._connect)

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """The stored value; None where there is none, or it has expired."""
        return await self._run(self._read, _key_of(conversation, kind, item))

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Store ``value``, and replace a previous one."""
        await self._run(self._write, _PUT, _key_of(conversation, kind, item), value, lifetime)

    async def put_new(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Store ``value`` if none is stored, atomically; return whether it was stored."""
        return await self._run(self._write, _PUT_NEW, _key_of(conversation, kind, item), value, lifetime) == 1

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """Do all of ``swaps`` in one transaction; return the values that are stored then."""
        return await self._run(self._swap, swaps)

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Delete a value."""
        await self._run(self._delete, _DROP, _key_of(conversation, kind, item))

    async def forget(self, conversation: ConversationKey) -> None:
        """Delete all values of a conversation."""
        await self._run(self._erase, name_of(conversation))

    async def close(self) -> None:
        """Close the file; SQLite merges its write-ahead log into it."""
        with contextlib.suppress(StateError):
            await self._run(self._disconnect)
        self._thread.shutdown(wait=False)

    async def _run(self, step: Callable[..., R], *arguments: object) -> R:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, step, *arguments)
        except (sqlite3.Error, OSError, RuntimeError) as error:
            raise StateError(f"{self._file}: {error}") from error

    # The methods below run in the thread.

    def _connect(self) -> None:
        if not self._file.parent.is_dir():
            raise StateError(f"{self._file}: there is no such folder")
        # SQLite creates its other files with the permissions of this one.
        self._file.touch(mode=0o600)
        self._restrict()
        database = sqlite3.connect(self._file, timeout=TIMEOUT, isolation_level=None)
        try:
            self._prepare(database)
        except BaseException:
            database.close()
            raise
        self._database = database

    def _restrict(self) -> None:
        """Restrict existing files too: a copy or a restored backup may be readable by others."""
        for suffix in ("", "-wal", "-shm", "-journal"):
            file = self._file.with_name(f"{self._file.name}{suffix}")
            try:
                _keep_others_out(file)
            except FileNotFoundError:
                continue  # another process deletes these files when it ends
            except OSError as error:
                raise StateError(
                    f"{file}: other users of this machine may read it, and its permissions "
                    f"can't be changed ({error.strerror})"
                ) from error

    def _prepare(self, database: sqlite3.Connection) -> None:
        with _transaction(database):
            pragmas = ("application_id", "user_version", "schema_version")
            application, version, schema = (_read_pragma(database, name) for name in pragmas)
            if application == version == schema == 0:
                for statement in _SCHEMA.split(";"):
                    database.execute(statement)
            elif application != _APPLICATION:
                raise StateError(f"{self._file}: this is another program's database")
            elif version != _VERSION:
                raise StateError(f"{self._file}: another version of this bot made it")
            database.execute(_EXPIRE, (self._clock(),))
        # With WAL, readers don't wait for a writer. SQLite ignores this where the file system lacks support.
        database.execute("PRAGMA journal_mode = WAL")
        # A power failure may lose the last transactions, but doesn't corrupt the file.
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA secure_delete = ON")

    def _disconnect(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _read(self, key: tuple[str, str, str]) -> bytes | None:
        row = self._opened.execute(_GET, (*key, self._clock())).fetchone()
        return bytes(row[0]) if row else None

    def _write(self, insert: str, key: tuple[str, str, str], value: bytes, lifetime: float) -> int:
        now = self._clock()
        with _transaction(self._opened) as database:
            database.execute(_EXPIRE, (now,))
            return database.execute(insert, (*key, value, now + lifetime)).rowcount

    def _swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        now = self._clock()
        with _transaction(self._opened) as database:
            database.execute(_EXPIRE, (now,))
            keys = [_key_of(swap.conversation, swap.kind, swap.item) for swap in swaps]
            for swap, key in zip(swaps, keys, strict=True):
                database.execute(_SWAP, (swap.new, now + swap.lifetime, *key, swap.old))
            return [self._read(key) for key in keys]

    def _delete(self, statement: str, key: tuple[str, ...]) -> None:
        with _transaction(self._opened) as database:
            database.execute(statement, key)

    def _erase(self, conversation: str) -> None:
        self._delete(_FORGET, (conversation,))
        # The write-ahead log still contains recent values. If another process is reading, they remain
        # until SQLite overwrites the log.
        self._opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            raise StateError(f"{self._file}: it is not open")
        return self._database


def keep_time() -> Callable[[], float]:
    """A clock that goes on from the time of day of now. It stays as it is where that is set later.

    Otherwise a lease would expire at once where the system's clock jumps forward, and its message would be
    answered twice.
    """
    offset = time.time() - time.monotonic()
    return lambda: time.monotonic() + offset


def _keep_others_out(path: Path) -> None:
    """Remove all permissions of group and others from ``path``. Raises ``OSError`` where that fails.

    Windows has no such bits. There a file inherits its directory's access list, and a directory in the
    user's profile is their own.
    """
    if os.name == "nt":
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _GROUP_AND_OTHERS:
        path.chmod(mode & ~_GROUP_AND_OTHERS)


def _key_of(conversation: ConversationKey, kind: str, item: str) -> tuple[str, str, str]:
    return name_of(conversation), kind, item_name(item)


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A transaction that takes the write lock at its start, and rolls back on an exception."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        yield database


def _read_pragma(database: sqlite3.Connection, name: str) -> int:
    return int(database.execute(f"PRAGMA {name}").fetchone()[0])
