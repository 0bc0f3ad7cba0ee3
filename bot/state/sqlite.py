"""State in a file, with SQLite: it survives a restart, and several processes of one machine share it."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from ..telemetry.conversation_key import ConversationKey, item_name, name_of
from . import StateError, Swap
from .owner_only import restrict

PATIENCE: Final = 3.0
"""Seconds to wait for another process that is writing."""

_APPLICATION: Final = 0x63697465
"""``cite``: what SQLite's header says about whose file it is (PRAGMA application_id)."""
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
_CLAIM: Final = "INSERT OR IGNORE INTO kept VALUES (?, ?, ?, ?, ?)"
_SWAP: Final = """
    UPDATE kept SET value = ?, until = ? WHERE conversation = ? AND kind = ? AND item = ? AND value = ?
"""
_DROP: Final = "DELETE FROM kept WHERE conversation = ? AND kind = ? AND item = ?"
_FORGET: Final = "DELETE FROM kept WHERE conversation = ?"
_EXPIRE: Final = "DELETE FROM kept WHERE until <= ?"

R = TypeVar("R")


class StateInSQLite:
    """A :class:`State` in ``file``, which only its owner may read.

    SQLite is waited for in a thread of its own, one step after the other. ``clock`` is the time of
    day in seconds, which the processes that share the file agree on. What is over is overwritten
    with the next write.
    """

    def __init__(self, file: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._file = file
        self._clock = clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="state")
        self._database: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file, and make it where there is none."""
        await self._run(self._connect)

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """What is kept; None where there is nothing, or it is too old."""
        return await self._run(self._read, _place(conversation, kind, item))

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Keep ``value`` in the place of what was there."""
        await self._run(self._write, _PUT, _place(conversation, kind, item), value, lifetime)

    async def claim(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Whether nothing was kept there, in one step: of several callers, replicas too, one gets True."""
        return await self._run(self._write, _CLAIM, _place(conversation, kind, item), value, lifetime) == 1

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """What is kept in each place then: all of them in one transaction."""
        return await self._run(self._exchange, swaps)

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Keep it no longer."""
        await self._run(self._delete, _DROP, _place(conversation, kind, item))

    async def forget(self, conversation: ConversationKey) -> None:
        """Keep nothing of a conversation any longer."""
        await self._run(self._erase, name_of(conversation))

    async def close(self) -> None:
        """Give everything back; SQLite writes its log into the file."""
        with contextlib.suppress(StateError):
            await self._run(self._disconnect)
        self._thread.shutdown(wait=False)

    async def _run(self, step: Callable[..., R], *arguments: object) -> R:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, step, *arguments)
        except (sqlite3.Error, OSError, RuntimeError) as error:
            raise StateError(f"{self._file}: {error}") from error

    # In the thread

    def _connect(self) -> None:
        if not self._file.parent.is_dir():
            raise StateError(f"{self._file}: there is no such folder")
        # SQLite gives its other files the permissions of this one.
        self._file.touch(mode=0o600)
        self._restrict()
        database = sqlite3.connect(self._file, timeout=PATIENCE, isolation_level=None)
        try:
            self._prepare(database)
        except BaseException:
            database.close()
            raise
        self._database = database

    def _restrict(self) -> None:
        """A copy, a restored backup or an older version may have left rights for others."""
        for suffix in ("", "-wal", "-shm", "-journal"):
            file = self._file.with_name(f"{self._file.name}{suffix}")
            try:
                restrict(file)
            except FileNotFoundError:
                continue  # another process that shares the file may just have ended
            except OSError as error:
                raise StateError(
                    f"{file}: other users of this machine may read it, and its permissions "
                    f"can't be changed ({error.strerror})"
                ) from error

    def _prepare(self, database: sqlite3.Connection) -> None:
        with _transaction(database):
            found = [_pragma(database, name) for name in ("application_id", "user_version", "schema_version")]
            if found == [0, 0, 0]:
                for statement in _SCHEMA.split(";"):
                    database.execute(statement)
            elif found[0] != _APPLICATION:
                raise StateError(f"{self._file}: this is another program's database")
            elif found[1] != _VERSION:
                raise StateError(f"{self._file}: another version of this bot made it")
            database.execute(_EXPIRE, (self._clock(),))
        # Readers don't wait for a writer. Where the file system can't have it, the file works without.
        database.execute("PRAGMA journal_mode = WAL")
        # What the last seconds before a power failure brought may be lost; the file is sound.
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA secure_delete = ON")

    def _disconnect(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _read(self, place: tuple[str, str, str]) -> bytes | None:
        row = self._opened.execute(_GET, (*place, self._clock())).fetchone()
        return bytes(row[0]) if row else None

    def _write(self, insert: str, place: tuple[str, str, str], value: bytes, lifetime: float) -> int:
        now = self._clock()
        with _transaction(self._opened) as database:
            database.execute(_EXPIRE, (now,))
            return database.execute(insert, (*place, value, now + lifetime)).rowcount

    def _exchange(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        now = self._clock()
        with _transaction(self._opened) as database:
            database.execute(_EXPIRE, (now,))
            for swap in swaps:
                place = _place(swap.conversation, swap.kind, swap.item)
                database.execute(_SWAP, (swap.new, now + swap.lifetime, *place, swap.old))
            return [self._read(_place(swap.conversation, swap.kind, swap.item)) for swap in swaps]

    def _delete(self, statement: str, place: tuple[str, ...]) -> None:
        with _transaction(self._opened) as database:
            database.execute(statement, place)

    def _erase(self, conversation: str) -> None:
        self._delete(_FORGET, (conversation,))
        # What was written lately stands in the log, too. Where another process is reading, it stays until
        # the log begins anew.
        self._opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            raise StateError(f"{self._file}: it is not open")
        return self._database


def _place(conversation: ConversationKey, kind: str, item: str) -> tuple[str, str, str]:
    return name_of(conversation), kind, item_name(item)


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A change that is made whole or not at all, and that waits for its turn before it begins."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        yield database


def _pragma(database: sqlite3.Connection, name: str) -> int:
    return int(database.execute(f"PRAGMA {name}").fetchone()[0])
