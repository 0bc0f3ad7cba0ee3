"""What a file and a server promise besides: who may share them, what they hold, and how they fail."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import sqlite3
import stat
import sys
import tracemalloc
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.state import State, StateError, Swap
from bot.state.memory import StateInMemory
from bot.state.outage import StateThroughOutages
from bot.state.redis import StateInRedis
from bot.state.sqlite import StateInSQLite
from bot.state.store_url import create_store
from bot.telemetry.conversation_key import ConversationKey
from tests.bot.redis_server import RedisServer, redis_server
from tests.bot.stores import put_first

ANNE = ConversationKey("sms", "+4915112345678")
SECRET = "what was said"
ACTIVITY = "activity-0000001"


async def fill(state: State, lifetime: float = 60) -> None:
    await state.put(ANNE, "answer", "", SECRET.encode(), lifetime=lifetime)
    await put_first(state, ANNE, "seen", ACTIVITY, lifetime=lifetime)


# Memory


async def test_memory_is_bounded_kind_by_kind() -> None:
    state = StateInMemory(capacity=10_000)
    await state.put(ANNE, "answer", "", b"kept", lifetime=60)
    for number in range(1000):
        await put_first(state, ANNE, "seen", f"{number}", lifetime=60)
    assert await state.get(ANNE, "answer") == b"kept"
    first = [await put_first(state, ANNE, "seen", f"{number}", lifetime=60) for number in (999, 0)]
    assert first == [False, True]
    await state.put(ANNE, "vote", "", b"x" * 10_000, lifetime=60)
    assert await state.get(ANNE, "vote") is None


@pytest.mark.parametrize(("value", "longer"), [(b"", 0), (b"", 20_000), (b"x" * 20, 0), (b"x" * 2000, 0)])
async def test_memory_takes_no_more_than_it_counts(value: bytes, longer: int) -> None:
    """Whoever sends an activity chooses its ids, and may choose long ones."""
    capacity = 1_000_000
    state = StateInMemory(capacity=capacity)
    await state.put(ANNE, "answer", "first", b"", lifetime=60)
    tracemalloc.start()
    try:
        for number in range(5000):
            where = ConversationKey("sms", f"{number:0{10 + longer}}")
            await state.put(where, "answer", f"{number:0{10 + longer}}", value + b"!", lifetime=60)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Besides, the names of the last conversations are kept for a while.
    assert capacity / 2 < taken <= capacity + 64 * 1024


# SQLite


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


async def test_a_file_keeps_it(file: Path) -> None:
    for _ in range(2):
        state = StateInSQLite(file)
        await state.open()
        await fill(state)
        await state.close()
    again = StateInSQLite(file)
    await again.open()
    assert await again.get(ANNE, "answer") == SECRET.encode()
    assert not await put_first(again, ANNE, "seen", ACTIVITY, lifetime=60)
    await again.close()


async def test_a_file_names_nobody_and_forgets_what_is_over(file: Path) -> None:
    now = [1000.0]
    state = StateInSQLite(file, clock=lambda: now[0])
    await state.open()
    await fill(state)
    await state.put(ANNE, "answer", "long", SECRET.encode() * 5000, lifetime=60)
    written = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert SECRET.encode() in written
    assert ANNE.conversation_id.encode() not in written
    assert ACTIVITY.encode() not in written
    now[0] += 61
    await put_first(state, ANNE, "seen", "another", lifetime=60)
    await state.close()
    assert SECRET.encode() not in file.read_bytes()
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
async def test_only_its_owner_may_read_a_file(file: Path) -> None:
    state = StateInSQLite(file)
    await state.open()
    await fill(state)
    assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}
    await state.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
async def test_rights_that_others_have_on_a_file_are_taken_from_them(file: Path) -> None:
    state = StateInSQLite(file)
    await state.open()
    await fill(state)
    for path in file.parent.iterdir():  # with its -wal and -shm
        path.chmod(0o664)
    other = StateInSQLite(file)
    await other.open()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    assert modes == dict.fromkeys((f"{file.name}", f"{file.name}-wal", f"{file.name}-shm"), 0o600)
    assert await other.get(ANNE, "answer") == SECRET.encode()
    await other.close()
    await state.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
async def test_a_file_that_others_go_on_reading_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.touch(mode=0o644)
    file.chmod(0o644)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")  # as to who is not the file's owner

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(StateError, match=r"other users .* may read it.*\(Operation not permitted\)"):
        await StateInSQLite(file).open()


CLAIMING = """
import asyncio, sys
from pathlib import Path
from bot.state import ConversationKey
from bot.state.sqlite import StateInSQLite

async def main():
    state = StateInSQLite(Path(sys.argv[1]))
    await state.open()
    place = ConversationKey("sms", "1"), "seen"
    leases = [await state.put_new(*place, f"{n}", sys.argv[2].encode(), lifetime=600) for n in range(100)]
    await state.close()
    print(sum(leases))

asyncio.run(main())
"""


async def test_processes_that_begin_together_share_a_file(file: Path) -> None:
    root = Path(__file__).parents[3]
    started = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", CLAIMING, str(file), str(number), cwd=root, stdout=asyncio.subprocess.PIPE
        )
        for number in range(4)
    ]
    outputs = [(await process.communicate())[0] for process in started]
    assert [process.returncode for process in started] == [0] * 4
    assert sum(map(int, outputs)) == 100


async def test_a_writer_waits_its_turn_and_the_loop_does_not(file: Path) -> None:
    state = StateInSQLite(file)
    await state.open()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(fill(state))
    # Were the loop to wait, the other writer would still be there when SQLite gives up.
    for _ in range(20):
        await asyncio.sleep(0.01)
    assert not waiting.done()
    other.execute("COMMIT")
    await waiting
    assert await state.get(ANNE, "answer") == SECRET.encode()
    other.close()
    await state.close()


def _foreign(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE photos (name TEXT)")


def _newer(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute(f"PRAGMA application_id = {0x63697465}")
        database.execute("PRAGMA user_version = 2")


def _text(file: Path) -> None:
    file.write_text("Dear diary, " * 100, encoding="utf-8")


REFUSED = [
    (_foreign, "this is another program's database"),
    (_newer, "another version of this bot made it"),
    (_text, "not a database"),
    (Path.mkdir, ""),
]


@pytest.mark.parametrize(("make", "fault"), REFUSED)
async def test_what_is_not_ours_is_left_alone(file: Path, make: object, fault: str) -> None:
    make(file)  # type: ignore[operator] # each takes a file
    before = _digest(file)
    state = StateInSQLite(file)
    with pytest.raises(StateError) as refused:
        await state.open()
    assert str(file) in str(refused.value)
    assert fault in str(refused.value)
    with pytest.raises(StateError):
        await fill(state)
    await state.close()
    assert _digest(file) == before


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "a folder"


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StateError, match=r"nowhere.*no such folder"):
        await create_store(f"sqlite:///{tmp_path / 'nowhere' / 'state.db'}").open()


# Redis


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis"), password="s3cret") as started:
        yield started


@pytest.fixture
async def state(server: RedisServer) -> AsyncIterator[StateInRedis]:
    opened = StateInRedis(server.url, pause=0)
    await opened.open()
    yield opened
    await opened.close()


async def test_redis_names_nobody_and_all_of_it_ends(server: RedisServer, state: StateInRedis) -> None:
    async with Redis.from_url(server.url, decode_responses=True) as client:
        await client.flushdb()
        await fill(state, lifetime=30)
        await state.put(ANNE, "vote", "1", b"like", lifetime=90)
        keys = [str(key) for key in await client.keys("*")]
        assert len(keys) == 4
        assert all(key.startswith("citations-bot:{") for key in keys)
        assert not [key for key in keys if ANNE.conversation_id in key or ACTIVITY in key]
        lifetimes = {key.rpartition("}")[2][:5]: await client.pttl(key) for key in keys}
        assert 80_000 < lifetimes[""] <= 90_000  # the index lives as long as the last that it names
        assert 20_000 < lifetimes[":seen"] <= 30_000
        await state.forget(ANNE)
        assert await client.keys("*") == []


async def test_redis_that_is_gone_fails_at_once_and_comes_back(
    server: RedisServer, state: StateInRedis
) -> None:
    await fill(state)
    server.kill()
    try:
        with pytest.raises(StateError, match=f"127.0.0.1:{server.port}") as raised:
            await fill(state)
        assert "no answer within" not in str(raised.value)
    finally:
        server.start()
    await fill(state)
    assert await state.get(ANNE, "answer") == SECRET.encode()


async def test_redis_that_hangs_is_waited_for_once(server: RedisServer) -> None:
    state = StateInRedis(server.url, pause=600)
    await state.open()
    with server.hanging():
        with pytest.raises(StateError, match="no answer within 2 s"):
            await fill(state)
        for _ in range(100):
            with pytest.raises(StateError, match="a moment ago"):
                await fill(state)
    await state.close()


@contextlib.asynccontextmanager
async def losing_an_answer(server: RedisServer, behind: bytes) -> AsyncIterator[str]:
    """Redis behind a line that is cut once: when what has ``behind`` in it has been answered."""
    cut = [False]

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        above, below = await asyncio.open_connection("127.0.0.1", server.port)
        last = b""

        async def down() -> None:
            while answer := await above.read(65536):
                if behind in last and not cut[0]:
                    cut[0] = True
                    break
                writer.write(answer)
            writer.close()

        answering = asyncio.create_task(down())
        while asked := await reader.read(65536):
            last = asked
            below.write(asked)
        below.close()
        await answering

    line = await asyncio.start_server(forward, "127.0.0.1", 0)
    port = line.sockets[0].getsockname()[1]
    yield server.url.replace(f":{server.port}/", f":{port}/")
    assert cut == [True]
    line.close()


async def test_a_lease_whose_answer_is_lost_is_not_lost(server: RedisServer, state: StateInRedis) -> None:
    await state.forget(ANNE)
    await put_first(state, ANNE, "seen", "another", lifetime=60)  # the script is known there
    async with losing_an_answer(server, behind=b"EVALSHA") as url:
        far = StateInRedis(url)
        await far.open()
        assert await put_first(far, ANNE, "seen", ACTIVITY, lifetime=60)
        assert not await put_first(far, ANNE, "seen", ACTIVITY, lifetime=60)
        await far.close()


async def test_a_swap_whose_answer_is_lost_is_made_once(server: RedisServer, state: StateInRedis) -> None:
    await state.put(ANNE, "seen", ACTIVITY, b"old", lifetime=60)
    swaps = [Swap(ANNE, "seen", ACTIVITY, b"old", b"new", 60), Swap(ANNE, "seen", "none", b"old", b"new", 60)]
    async with losing_an_answer(server, behind=b"EVAL") as url:
        far = StateInRedis(url)
        await far.open()
        assert await far.swap(swaps) == [b"new", None]
        await far.close()


@pytest.mark.parametrize("password", ["wr0ng", ""])
async def test_a_wrong_password_is_not_told(server: RedisServer, password: str) -> None:
    url = (
        f"redis://:{password}@127.0.0.1:{server.port}/0" if password else f"redis://127.0.0.1:{server.port}/0"
    )
    state = create_store(url)
    with pytest.raises(StateError) as refused:
        await state.open()
    assert f"127.0.0.1:{server.port}" in str(refused.value)
    assert "wr0ng" not in repr(refused.value)
    await state.close()


# Outages


class Broken(StateInMemory):
    """A store that can be cut off."""

    cut = False

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        self._check()
        return await super().get(conversation, kind, item)

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        self._check()
        await super().put(conversation, kind, item, value, lifetime=lifetime)

    async def put_new(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        self._check()
        return await super().put_new(conversation, kind, item, value, lifetime=lifetime)

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        self._check()
        return await super().swap(swaps)

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        self._check()
        await super().drop(conversation, kind, item)

    async def forget(self, conversation: ConversationKey) -> None:
        self._check()
        await super().forget(conversation)

    def _check(self) -> None:
        if self.cut:
            raise StateError("cut off")


async def test_an_outage_is_bridged_and_a_deletion_is_not() -> None:
    store = Broken()
    state = StateThroughOutages(store)
    await state.put(ANNE, "answer", "", b"before", lifetime=60)
    assert await put_first(state, ANNE, "seen", "1", lifetime=60)
    store.cut = True
    assert await state.get(ANNE, "answer") is None
    await state.put(ANNE, "answer", "", b"during", lifetime=60)
    assert await state.get(ANNE, "answer") == b"during"
    assert not await put_first(state, ANNE, "seen", "1", lifetime=60)
    assert await put_first(state, ANNE, "seen", "2", lifetime=60)
    assert not await put_first(state, ANNE, "answer", "", lifetime=60)
    await state.drop(ANNE, "seen", "2")
    assert await put_first(state, ANNE, "seen", "2", lifetime=60)
    with pytest.raises(StateError):
        await state.forget(ANNE)
    await state.put(ANNE, "answer", "", b"during", lifetime=60)
    assert await put_first(state, ANNE, "seen", "3", lifetime=60)
    store.cut = False
    assert not await put_first(state, ANNE, "seen", "3", lifetime=60)
    # The store still has the answer before the outage, and nobody gets it.
    assert await state.get(ANNE, "answer") == b"during"
    await state.put(ANNE, "answer", "", b"after", lifetime=60)
    assert await state.get(ANNE, "answer") == await store.get(ANNE, "answer") == b"after"
    await state.forget(ANNE)
    assert await state.get(ANNE, "answer") is None


async def test_what_failed_in_an_outage_may_be_tried_again_after_it() -> None:
    store = Broken()
    state = StateThroughOutages(store)
    assert await put_first(state, ANNE, "seen", "1", lifetime=60)
    await state.put(ANNE, "answer", "", b"before", lifetime=60)
    store.cut = True
    await state.drop(ANNE, "seen", "1")
    await state.drop(ANNE, "answer", "")
    store.cut = False
    assert await put_first(state, ANNE, "seen", "1", lifetime=60)
    assert not await put_first(state, ANNE, "seen", "1", lifetime=60)
    assert await state.get(ANNE, "answer") is None
    assert await store.get(ANNE, "answer") is None


async def test_nothing_is_swapped_in_an_outage() -> None:
    store = Broken()
    state = StateThroughOutages(store)
    await state.put(ANNE, "seen", "1", b"old", lifetime=60)
    store.cut = True
    assert await state.swap([Swap(ANNE, "seen", "1", b"old", b"new", 60)]) == [b"old"]
    store.cut = False
    assert await state.get(ANNE, "seen", "1") == b"old"
