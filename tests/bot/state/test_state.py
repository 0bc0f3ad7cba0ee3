"""What every store promises, and what each promises besides."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from bot.state import Swap
from bot.state.sqlite import StateInSQLite
from bot.telemetry.conversation_key import ConversationKey
from tests.bot.redis_server import RedisServer, redis_server
from tests.bot.stores import Store, in_memory, in_redis, in_sqlite, put_first, through_outages
from tests.depth import examples

Opened = Callable[[], AbstractAsyncContextManager[Store]]

ANNE = ConversationKey("sms", "+4915112345678")
BERT = ConversationKey("msteams", "+4915112345678")
MINUTE = 60.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.fixture(params=["memory", "outages", "sqlite", "redis"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    if request.param == "memory":
        return in_memory
    if request.param == "outages":
        return through_outages
    if request.param == "sqlite":
        files = itertools.count()
        return lambda: in_sqlite(tmp_path / f"{next(files)}.db")
    server: RedisServer = request.getfixturevalue("server")
    return lambda: in_redis(server)


@pytest.fixture
async def store(opened: Opened) -> AsyncIterator[Store]:
    async with opened() as one:
        yield one


async def test_what_is_put_is_got(store: Store) -> None:
    assert await store.state.get(ANNE, "answer") is None
    await store.state.put(ANNE, "answer", "", b"first", lifetime=MINUTE)
    await store.state.put(ANNE, "answer", "", b"\x00second\xff", lifetime=MINUTE)
    await store.state.put(ANNE, "answer", "item", b"", lifetime=MINUTE)
    assert await store.other.get(ANNE, "answer") == b"\x00second\xff"
    assert await store.other.get(ANNE, "answer", "item") == b""
    assert await store.other.get(ANNE, "vote") is None
    assert await store.other.get(BERT, "answer") is None


async def test_it_is_kept_for_its_lifetime(store: Store) -> None:
    await store.state.put(ANNE, "answer", "", b"short", lifetime=MINUTE)
    await store.state.put(ANNE, "vote", "1", b"long", lifetime=10 * MINUTE)
    await store.advance(0.5 * MINUTE)
    assert await store.state.get(ANNE, "answer") == b"short"
    await store.advance(0.5 * MINUTE)
    assert await store.state.get(ANNE, "answer") is None
    assert await store.state.get(ANNE, "vote", "1") == b"long"


async def test_what_is_put_again_lives_anew(store: Store) -> None:
    await store.state.put(ANNE, "answer", "", b"first", lifetime=MINUTE)
    await store.advance(0.5 * MINUTE)
    await store.state.put(ANNE, "answer", "", b"second", lifetime=MINUTE)
    await store.advance(0.75 * MINUTE)
    assert await store.state.get(ANNE, "answer") == b"second"


async def test_one_of_many_leases_is_first(store: Store) -> None:
    asked = [store.state, store.other] * 10
    leases = [put_first(state, ANNE, "seen", "activity", lifetime=MINUTE) for state in asked]
    assert sorted(await asyncio.gather(*leases)) == [False] * 19 + [True]
    assert await put_first(store.state, BERT, "seen", "activity", lifetime=MINUTE)
    await store.advance(MINUTE)
    assert await put_first(store.other, ANNE, "seen", "activity", lifetime=MINUTE)


async def test_a_lease_ends_when_it_is_dropped(store: Store) -> None:
    await store.state.drop(ANNE, "seen", "never kept")
    assert await put_first(store.state, ANNE, "seen", "1", lifetime=MINUTE)
    await store.other.drop(ANNE, "seen", "1")
    assert await put_first(store.state, ANNE, "seen", "1", lifetime=MINUTE)


async def test_a_swap_is_made_where_the_old_value_is(store: Store) -> None:
    await store.state.put(ANNE, "seen", "1", b"old", lifetime=MINUTE)
    await store.state.put(ANNE, "seen", "2", b"another", lifetime=MINUTE)
    swaps = [Swap(ANNE, "seen", item, b"old", b"new", 3 * MINUTE) for item in ("1", "2", "3")]
    assert await store.other.swap(swaps) == [b"new", b"another", None]
    await store.advance(2 * MINUTE)
    assert [await store.state.get(ANNE, "seen", item) for item in ("1", "2", "3")] == [b"new", None, None]
    assert await store.state.swap([]) == []


async def test_one_of_many_swaps_is_made(store: Store) -> None:
    await store.state.put(ANNE, "seen", "1", b"old", lifetime=MINUTE)
    asked = [store.state, store.other] * 10
    swaps = [Swap(ANNE, "seen", "1", b"old", b"new %d" % number, MINUTE) for number in range(len(asked))]
    found = await asyncio.gather(*(one.swap([swap]) for one, swap in zip(asked, swaps, strict=True)))
    assert [kept == [swap.new] for kept, swap in zip(found, swaps, strict=True)].count(True) == 1
    assert found == [found[0]] * 20


async def test_a_conversation_is_forgotten_whole(store: Store) -> None:
    await store.state.forget(ANNE)
    await store.state.put(ANNE, "answer", "", b"answer", lifetime=MINUTE)
    await store.state.put(ANNE, "vote", "1", b"vote", lifetime=10 * MINUTE)
    await put_first(store.state, ANNE, "seen", "1", lifetime=MINUTE)
    await store.state.put(BERT, "answer", "", b"another's", lifetime=MINUTE)
    # What is longer kept is found after the rest is over.
    await store.advance(2 * MINUTE)
    await store.state.put(ANNE, "answer", "", b"answer", lifetime=MINUTE)
    await store.state.put(BERT, "answer", "", b"another's", lifetime=MINUTE)
    await store.other.forget(ANNE)
    assert await store.state.get(ANNE, "answer") is None
    assert await store.state.get(ANNE, "vote", "1") is None
    assert await put_first(store.state, ANNE, "seen", "1", lifetime=MINUTE)
    assert await store.state.get(BERT, "answer") == b"another's"


async def test_any_id_is_an_id(store: Store) -> None:
    odd = ["", " ", "a:b", "{x}", "\x00", "*", "'; DROP TABLE kept", "é" * 5000, "\ud800"]
    for name in odd:
        await store.state.put(
            ConversationKey("c", name), "answer", name, name.encode("utf-8", "ignore"), lifetime=9
        )
    for name in odd:
        assert await store.state.get(ConversationKey("c", name), "answer", name) == name.encode(
            "utf-8", "ignore"
        )
    assert await store.state.get(ConversationKey("c:", "b"), "answer") is None


CONVERSATIONS = st.sampled_from([ANNE, BERT])
KINDS = st.sampled_from(["answer", "seen"])
ITEMS = st.sampled_from(["", "1", "2"])
VALUES = st.sampled_from([b"", b"a", b"b"])
LIFETIMES = st.sampled_from([MINUTE, 3 * MINUTE])
SWAPS = st.builds(Swap, CONVERSATIONS, KINDS, ITEMS, VALUES, VALUES, LIFETIMES)


class StoreMachine(RuleBasedStateMachine):
    """A store beside a dict."""

    opened: Opened

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.context = self.opened()
        self.store = self.runner.run(self.context.__aenter__())
        self.now = 0.0
        self.model: dict[tuple[ConversationKey, str, str], tuple[bytes, float]] = {}

    def teardown(self) -> None:
        self.runner.run(self.context.__aexit__(None, None, None))
        self.runner.close()

    @rule(conversation=CONVERSATIONS, kind=KINDS, item=ITEMS, value=VALUES, lifetime=LIFETIMES)
    def put(self, conversation: ConversationKey, kind: str, item: str, value: bytes, lifetime: float) -> None:
        self.runner.run(self.store.state.put(conversation, kind, item, value, lifetime=lifetime))
        self.model[conversation, kind, item] = (value, self.now + lifetime)

    @rule(conversation=CONVERSATIONS, kind=KINDS, item=ITEMS, lifetime=LIFETIMES)
    def put_new(self, conversation: ConversationKey, kind: str, item: str, lifetime: float) -> None:
        value = secrets.token_bytes(8)
        first = self.runner.run(self.store.other.put_new(conversation, kind, item, value, lifetime=lifetime))
        assert first == ((conversation, kind, item) not in self.model)
        if first:
            self.model[conversation, kind, item] = (value, self.now + lifetime)

    @rule(swap=SWAPS)
    def swap(self, swap: Swap) -> None:
        place = swap[:3]
        if self.model.get(place, (None, 0))[0] == swap.old:
            self.model[place] = (swap.new, self.now + swap.lifetime)
        [found] = self.runner.run(self.store.state.swap([swap]))
        assert found == self.model.get(place, (None, 0))[0]

    @rule(conversation=CONVERSATIONS, kind=KINDS, item=ITEMS)
    def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        self.runner.run(self.store.state.drop(conversation, kind, item))
        self.model.pop((conversation, kind, item), None)

    @rule(conversation=CONVERSATIONS)
    def forget(self, conversation: ConversationKey) -> None:
        self.runner.run(self.store.other.forget(conversation))
        self.model = {place: kept for place, kept in self.model.items() if place[0] != conversation}

    @rule(seconds=st.sampled_from([0.5 * MINUTE, MINUTE, 2 * MINUTE]))
    def advance(self, seconds: float) -> None:
        self.runner.run(self.store.advance(seconds))
        self.now += seconds
        self.model = {place: kept for place, kept in self.model.items() if kept[1] > self.now}

    @invariant()
    def agrees(self) -> None:
        for place in itertools.product((ANNE, BERT), ("answer", "seen"), ("", "1", "2")):
            found = self.runner.run(self.store.other.get(*place))
            assert found == self.model.get(place, (None, 0))[0]


def test_a_store_is_a_dict_whose_entries_end(opened: Opened) -> None:
    machine = type("StoreMachineHere", (StoreMachine,), {"opened": staticmethod(opened)})
    run_state_machine_as_test(
        machine,
        settings=settings(examples(15), stateful_step_count=20),
    )


async def test_a_clock_that_is_set_frees_no_lease_while_the_process_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with another process on the same file. One that starts later goes by the new time."""
    file, now = tmp_path / "state.db", time.time()
    first, second = StateInSQLite(file), StateInSQLite(file)
    await first.open()
    await second.open()
    assert await first.put_new(ANNE, "seen", "m", b"first", lifetime=900)
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    assert not await second.put_new(ANNE, "seen", "m", b"second", lifetime=900)
    assert await first.get(ANNE, "seen", "m") == b"first"
    third = StateInSQLite(file)
    await third.open()
    assert await third.put_new(ANNE, "seen", "m", b"third", lifetime=900)
    for one in (first, second, third):
        await one.close()
