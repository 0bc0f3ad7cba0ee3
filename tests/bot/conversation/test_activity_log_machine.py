"""Two replicas and what they take up: whatever happens in which order, and while Redis comes and goes."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot.conversation.activity_log import LIFETIME, ActivityKey, ActivityLease, ActivityLog
from bot.conversation.last_answer import LIFETIME as REMEMBERED
from bot.conversation.last_answer import AnswerMemory, RememberedAnswer
from bot.state import State, StateError
from bot.state.outage import StateThroughOutages
from bot.state.redis import StateInRedis
from bot.telemetry.conversation_key import ConversationKey, name_of
from tests.bot.redis_server import RedisServer, redis_server
from tests.bot.stores import Store, in_memory, in_redis, in_sqlite, through_outages
from tests.depth import examples

Opened = Callable[[], AbstractAsyncContextManager[Store]]
ANNE = ConversationKey("sms", "+4915112345678")
BERT = ConversationKey("msteams", "+4915112345678")
CONVERSATIONS = st.sampled_from([ANNE, BERT])
REPLICAS = st.integers(0, 1)
GOING = st.sampled_from([(0, 1), (1, 0), (0,), (1,)])
"""Which replicas go on, in this order; one that is missing stands still."""
LEASE = LIFETIME / 3
"""Longer than it is, so that a machine has not to wake up so often in a lifetime."""
RECENT = st.integers(0, 3)
SOME = st.lists(REPLICAS, min_size=1, max_size=4)
ACTIVITIES = st.builds(ActivityKey, CONVERSATIONS, st.sampled_from(["activity-1", "activity-2"]))


def of(quick: int, deep: int) -> settings:
    return settings(examples(quick, deep), stateful_step_count=40)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.fixture(params=["memory", "shared", "sqlite", "redis"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    if request.param == "memory":
        return in_memory
    if request.param == "shared":  # many more steps in the same time
        return through_outages
    if request.param == "sqlite":
        files = itertools.count()
        return lambda: in_sqlite(tmp_path / f"{next(files)}.db")
    server: RedisServer = request.getfixturevalue("server")
    return lambda: in_redis(server)


@dataclass(frozen=True)
class InTurn:
    """A store that takes one step after the other, in the order in which replicas ask for them.

    SQLite's threads would have another order each time, and Hypothesis could replay nothing.
    """

    state: State
    turn: asyncio.Lock

    @property
    def recently_reached(self) -> bool | None:
        return self.state.recently_reached

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        step = getattr(self.state, name)

        async def ask(*arguments: Any, **named: Any) -> Any:
            async with self.turn:
                return await step(*arguments, **named)

        return ask


@dataclass(eq=False)
class Replica:
    """A process, from its start to its death."""

    state: State
    machine: TwoReplicas

    def __post_init__(self) -> None:
        self.seen = ActivityLog(self.state, lease=LEASE, clock=self.machine.store.clock, sleep=self.sleep)
        self.memory = AnswerMemory(self.state)
        self.under_way: list[ActivityLease] = []
        self.tasks: dict[asyncio.Task[ActivityLease | None], ActivityKey] = {}
        """Activities that came, and wait for what becomes of another replica."""
        self.asleep: dict[asyncio.Task[Any], tuple[float, asyncio.Future[None]]] = {}

    async def sleep(self, seconds: float) -> None:
        task = asyncio.current_task()
        assert task
        wake = asyncio.get_running_loop().create_future()
        self.asleep[task] = (self.machine.store.clock() + seconds, wake)
        await wake

    @property
    def awake(self) -> list[asyncio.Task[Any]]:
        return [task for task in self.all_tasks if not task.done() and task not in self.asleep]

    @property
    def all_tasks(self) -> list[asyncio.Task[Any]]:
        own = (self.seen._renewing, self.seen._settling)
        return [*self.tasks, *(task for task in own if task)]

    async def wake(self) -> None:
        """Whoever has slept long enough goes on, until everybody sleeps again."""
        now = self.machine.store.clock()
        for task, (due, wake) in list(self.asleep.items()):
            if due <= now:
                del self.asleep[task]
                wake.set_result(None)
        while self.awake:
            await asyncio.sleep(0)

    async def settle(self) -> None:
        """The store has been told of what is over; nothing else goes on."""
        if self.seen._settling:
            await self.seen._settling

    async def die(self) -> None:
        for task in self.all_tasks:
            task.cancel()
        await asyncio.gather(*self.all_tasks, return_exceptions=True)


class TwoReplicas(RuleBasedStateMachine):
    """Two replicas on one store that is always there, which answer, fail, stand still and die.

    No activity is answered twice, and none that came again is left to a replica that is dead.
    """

    opened: Opened

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.context = self.opened()
        self.store: Store = self.run(self.context.__aenter__())
        self.alone = self.store.state is self.store.other
        """What is kept in memory belongs to one process, and dies with it."""
        turn = asyncio.Lock()
        states: list[Any] = [self.store.state, self.store.other]
        self.replicas = [Replica(InTurn(one, turn), self) for one in states]
        if self.alone:
            self.replicas = [self.replicas[0]] * 2
        self.taken: dict[ActivityKey, float] = {}
        """What was answered, and until when nobody answers it again."""
        self.before: set[asyncio.Task[ActivityLease | None]] = set()
        """What came before the last death: it may have been left to who gave a sign of life just then."""
        self.answered: set[ActivityKey] = set()
        """What was ever answered."""
        self.own: dict[tuple[Replica, ActivityKey], float] = {}
        """What a replica knows by itself, although its conversation was forgotten."""
        self.answers: dict[ConversationKey, tuple[RememberedAnswer, float]] = {}

    def run(self, step: Any) -> Any:
        return self.runner.run(step)

    @property
    def processes(self) -> list[Replica]:
        return list(dict.fromkeys(self.replicas))

    def teardown(self) -> None:
        for replica in self.processes:
            self.run(replica.die())
        self.run(self.context.__aexit__(None, None, None))
        self.runner.close()

    @rule(deliveries=st.lists(st.tuples(REPLICAS, ACTIVITIES), min_size=1, max_size=8))
    def deliver(self, deliveries: list[tuple[int, ActivityKey]]) -> None:
        """All at once."""
        self.run(self._deliver(deliveries))

    async def _deliver(self, deliveries: list[tuple[int, ActivityKey]]) -> None:
        for number, key in deliveries:
            replica = self.replicas[number]
            task = asyncio.create_task(replica.seen.take_lease(key))
            if any(before in self.before for before, other in replica.tasks.items() if other == key):
                self.before.add(task)  # it is left to that one, which waits in the same replica
            replica.tasks[task] = key
        await self._go_on(self.replicas)

    async def _go_on(self, replicas: list[Replica]) -> None:
        await asyncio.gather(*(replica.wake() for replica in dict.fromkeys(replicas)))
        for replica in self.processes:
            for task in [task for task in replica.tasks if task.done()]:
                key = replica.tasks[task]
                taken = task.result()
                if taken:
                    self.own[replica, key] = self.store.clock() + LIFETIME
                    replica.under_way.append(taken)
        for replica in self.replicas:
            for task in [task for task in replica.tasks if task.done()]:
                key = replica.tasks.pop(task)
                justified = task in self.before or await self._has_an_answer(replica, key)
                assert task.result() or justified, "nobody took it up"

    async def _has_an_answer(self, replica: Replica, key: ActivityKey) -> bool:
        """Whether it had one, or somebody alive has taken it up, or finds out about it."""
        waits = any(not task.done() and waiting == key for task, waiting in replica.tasks.items())
        held = any(taken.key == key for other in self.replicas for taken in other.under_way)
        # A turn that takes longer than any does is under way all the same: its lease is renewed.
        renewed = self.alone and key in replica.seen._leases
        # The store learns after the answer that it was given, and keeps it for as long from then on.
        told = key in self.answered and await self.store.state.get(key.conversation, "seen", key.activity_id)
        return waits or held or renewed or key in self.taken or (replica, key) in self.own or told == b""

    @rule(replica=REPLICAS, which=RECENT)
    def answer_it(self, replica: int, which: int) -> None:
        """It says what it has to say, if it still may."""
        if taken := self._under_way(replica, which):
            self.run(self._answer_it(self.replicas[replica], taken))

    async def _answer_it(self, replica: Replica, taken: ActivityLease) -> None:
        if await taken.is_valid():
            assert taken.key not in self.taken, "answered twice"
            self.answered.add(taken.key)
            self.taken[taken.key] = self.store.clock() + LIFETIME
        taken.release()
        await replica.settle()

    @rule(replica=REPLICAS, which=RECENT)
    def fail(self, replica: int, which: int) -> None:
        """Whoever took it up failed: the channel may send it again."""
        if taken := self._under_way(replica, which):
            self.run(self._fail(self.replicas[replica], taken))

    async def _fail(self, replica: Replica, taken: ActivityLease) -> None:
        if await taken.is_valid():
            self.own.pop((replica, taken.key), None)
        await taken.give_back()
        taken.release()
        await replica.settle()

    def _under_way(self, replica: int, which: int) -> ActivityLease | None:
        under_way = self.replicas[replica].under_way
        return under_way.pop(which) if which < len(under_way) else None

    @precondition(lambda self: not self.alone)
    @rule(number=REPLICAS)
    def die(self, number: int) -> None:
        """Without a word."""
        dead = self.replicas[number]
        self.before.update(*(replica.tasks for replica in self.replicas))
        self.run(dead.die())
        self.replicas[number] = Replica(dead.state, self)

    @rule(replica=REPLICAS, conversation=CONVERSATIONS, text=st.sampled_from(["It is so.", "It isn't."]))
    def answer(self, replica: int, conversation: ConversationKey, text: str) -> None:
        answer = RememberedAnswer(text=text)
        self.run(self.replicas[replica].memory.remember(conversation, answer))
        self.answers[conversation] = (answer, self.store.clock() + REMEMBERED)

    @rule(replica=REPLICAS, conversation=CONVERSATIONS)
    def forget(self, replica: int, conversation: ConversationKey) -> None:
        """Nothing of a conversation is left, under whichever name, nor comes back."""
        self.run(self.replicas[replica].state.forget(conversation))
        self.taken = {key: until for key, until in self.taken.items() if key.conversation != conversation}
        for one in self.processes:
            one.under_way = [taken for taken in one.under_way if taken.key.conversation != conversation]
            self.run(one.seen.renew())
        self.answers.pop(conversation, None)
        written = self.run(self.store.written())
        assert name_of(conversation).encode() not in written
        assert conversation.conversation_id.encode() not in written

    @rule(seconds=st.sampled_from([LEASE / 8, LEASE / 2, LEASE, LIFETIME]), numbers=GOING)
    def wait(self, seconds: float, numbers: tuple[int, ...]) -> None:
        """One of them may stand still meanwhile."""
        until = self.store.clock() + seconds
        going = [self.replicas[number] for number in numbers]
        while times := [due for replica in going for due, _ in replica.asleep.values() if due <= until]:
            self._pass(max(min(times), self.store.clock()), going)
        # What it was to do meanwhile it may do after what it is told to do next.
        self._pass(until, going)

    @precondition(lambda self: not any(replica.asleep or replica.under_way for replica in self.replicas))
    @rule()
    def wait_for_long(self) -> None:
        self._pass(self.store.clock() + REMEMBERED, self.replicas)

    def _pass(self, until: float, going: list[Replica]) -> None:
        self.run(self.store.advance(until - self.store.clock()))
        now = self.store.clock()
        self.taken = {key: ends for key, ends in self.taken.items() if ends > now}
        self.own = {place: ends for place, ends in self.own.items() if ends > now}
        self.answers = {key: kept for key, kept in self.answers.items() if kept[1] > now}
        if self.alone:  # no turn takes so long, and nobody says there again that it is under way
            for replica in self.replicas:
                replica.under_way = [one for one in replica.under_way if (replica, one.key) in self.own]
        self.run(self._go_on(going))

    @invariant()
    def each_replica_knows_the_last_answers(self) -> None:
        for replica, conversation in itertools.product(self.replicas, (ANNE, BERT)):
            answer, _ = self.answers.get(conversation, (None, 0.0))
            assert self.run(replica.memory.recall(conversation)) == answer

    @invariant()
    def nobody_is_named(self) -> None:
        written = self.run(self.store.written())
        assert ANNE.conversation_id.encode() not in written
        assert b"activity-" not in written


def test_an_activity_is_taken_up_once(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine is no outage.
    monkeypatch.setattr("bot.state.redis.TIMEOUT", 60.0)
    machine = type("TwoReplicasHere", (TwoReplicas,), {"opened": staticmethod(opened)})
    run_state_machine_as_test(machine, settings=of(8, 400))


# Redis, which comes and goes


class Watched(StateInRedis):
    """Counts the times that Redis could not be asked."""

    failures = 0

    async def _run(self, *arguments: Any, **named: Any) -> Any:
        try:
            return await super()._run(*arguments, **named)
        except StateError:
            self.failures += 1
            raise


class Outages(RuleBasedStateMachine):
    """Two replicas on a Redis that hangs, dies with all it had, and comes back.

    Whatever happens, a replica has an activity first at most once, and one that nobody had is somebody's.
    As long as nothing fails, one replica has it first.
    """

    server: RedisServer

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.server.resume()
        self.server.start_again()
        self.redis = [Watched(self.server.url, pause=0.05) for _ in range(2)]
        self.seen = [ActivityLog(StateThroughOutages(redis), sleep=self.sleep) for redis in self.redis]
        self.answered = asyncio.Event()
        """Whoever could take it up has answered it, and who waits for that may go on."""
        self.conversation = ConversationKey("msteams", f"{next(_NUMBERS)}")
        self.activities = 0
        self.holders: dict[ActivityKey, set[int]] = {}
        """Which replicas took up each activity that was delivered, and didn't fail."""
        self.unsure: set[ActivityKey] = set()
        """What Redis may not know, or know otherwise."""
        self.taken: dict[tuple[int, ActivityKey], ActivityLease] = {}
        self.failed: dict[ActivityKey, int] = {}
        """Who failed at what, and nobody was given it since."""

    async def sleep(self, _: float) -> None:
        await self.answered.wait()
        await asyncio.sleep(0.001)

    def teardown(self) -> None:
        self.server.resume()
        for seen in self.seen:
            self.runner.run(seen.close())
        for redis in self.redis:
            self.runner.run(redis.close())
        self.runner.close()

    @property
    def failures(self) -> int:
        return sum(redis.failures for redis in self.redis)

    @rule(replicas=SOME)
    def deliver(self, replicas: list[int]) -> None:
        """The channel gives the replicas an activity, all at once."""
        self.activities += 1
        self._deliver(ActivityKey(self.conversation, f"{self.activities}"), replicas)

    @precondition(lambda self: self.activities)
    @rule(replicas=SOME, back=RECENT)
    def deliver_again(self, replicas: list[int], back: int) -> None:
        """The channel has not heard that it was taken."""
        self._deliver(self._recent(back), replicas)

    def _recent(self, back: int) -> ActivityKey:
        return ActivityKey(self.conversation, f"{max(1, self.activities - back)}")

    def _deliver(self, key: ActivityKey, replicas: list[int]) -> None:
        before = self.failures
        took = self.runner.run(self._together(key, replicas))
        held = self.holders.setdefault(key, set())
        assert len(took) == len(set(took)), "a replica had it first twice at once"
        assert held.isdisjoint(took), "a replica had it first again"
        failed = self.failed.pop(key, None)
        if self.failures > before:
            self.unsure.add(key)
        elif key not in self.unsure:
            assert len(took) == (0 if held else 1)
        if not held and (key not in self.unsure or failed in replicas):
            assert took, "nobody has it"
        held.update(took)

    async def _together(self, key: ActivityKey, replicas: list[int]) -> list[int]:
        """Who took it up, and answered it at once."""
        self.answered.clear()
        taking = [asyncio.create_task(self._take(key, replica)) for replica in replicas]
        while not any(task.done() for task in taking):
            await asyncio.sleep(0.001)
        for replica in set(replicas):
            await self.seen[replica].renew()
        self.answered.set()
        return [
            replica for replica, took in zip(replicas, await asyncio.gather(*taking), strict=True) if took
        ]

    async def _take(self, key: ActivityKey, replica: int) -> bool:
        taken = await self.seen[replica].take_lease(key)
        if taken:
            self.taken[replica, key] = taken
            taken.release()
        return taken is not None

    @precondition(lambda self: self.activities)
    @rule(replica=REPLICAS, back=RECENT)
    def fail(self, replica: int, back: int) -> None:
        """A replica could not do what it was given: it may have it again."""
        key = self._recent(back)
        if replica not in self.holders[key]:
            return
        before = self.failures
        self.runner.run(self.taken[replica, key].give_back())
        self.holders[key].discard(replica)
        if self.failures > before or self.holders[key]:
            self.unsure.add(key)
        self.failed[key] = replica

    @rule(what=st.sampled_from(["hang", "resume", "die", "start", "restart"]))
    def trouble(self, what: str) -> None:
        """Something happens to Redis."""
        if what == "hang":
            self.server.hang()
        else:
            self.server.resume()
        if what in ("die", "restart"):
            self.server.kill()
            self.unsure.update(self.holders)
        if what in ("start", "restart"):
            self.server.start_again()


_NUMBERS = itertools.count()


def test_a_replica_has_an_activity_first_at_most_once(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.state.redis.TIMEOUT", 0.2)
    machine = type("OutagesHere", (Outages,), {"server": server})
    run_state_machine_as_test(machine, settings=of(8, 400))
