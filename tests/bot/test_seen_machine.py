"""Two replicas and what they take up: whatever happens in which order, and while Redis comes and goes.

``STEPS=long`` takes ten minutes for it instead of seconds.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot.follow_up.remembered import LIFETIME as REMEMBERED
from bot.follow_up.remembered import AnswerMemory, RememberedAnswer
from bot.seen import LIFETIME, ActivityKey, Seen
from bot.state import ConversationKey, StateError
from bot.state.names import name_of
from bot.state.outage import StateThroughOutages
from bot.state.redis import StateInRedis

from .redis_server import RedisServer, redis_server
from .stores import Store, in_memory, in_redis, in_sqlite

LONG = os.environ.get("STEPS") == "long"
Opened = Callable[[], AbstractAsyncContextManager[Store]]
ANNE = ConversationKey("sms", "+4915112345678")
BERT = ConversationKey("msteams", "+4915112345678")
CONVERSATIONS = st.sampled_from([ANNE, BERT])
REPLICAS = st.integers(0, 1)
RECENT = st.integers(0, 3)
SOME = st.lists(REPLICAS, min_size=1, max_size=4)
ACTIVITIES = st.builds(ActivityKey, CONVERSATIONS, st.sampled_from(["activity-1", "activity-2"]))


def of(examples: int, long: int) -> settings:
    return settings(
        max_examples=long if LONG else examples,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.fixture(params=["memory", "sqlite", "redis"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    if request.param == "memory":
        return in_memory
    if request.param == "sqlite":
        files = itertools.count()
        return lambda: in_sqlite(tmp_path / f"{next(files)}.db")
    server: RedisServer = request.getfixturevalue("server")
    return lambda: in_redis(server)


class TwoReplicas(RuleBasedStateMachine):
    """Two replicas on one store that is always there."""

    opened: Opened

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.context = self.opened()
        self.store: Store = self.run(self.context.__aenter__())
        states = (self.store.state, self.store.other)
        self.seen = [Seen(state, clock=self.store.clock) for state in states]
        self.memories = [AnswerMemory(state) for state in states]
        self.taken: dict[ActivityKey, tuple[int, float]] = {}
        """Who took up what, and until when that holds."""
        self.own: dict[tuple[int, ActivityKey], float] = {}
        """What a replica knows by itself, although its conversation was forgotten."""
        self.answers: dict[ConversationKey, tuple[RememberedAnswer, float]] = {}

    def run(self, step: Any) -> Any:
        return self.runner.run(step)

    def teardown(self) -> None:
        self.run(self.context.__aexit__(None, None, None))
        self.runner.close()

    @rule(deliveries=st.lists(st.tuples(REPLICAS, ACTIVITIES), min_size=1, max_size=8))
    def deliver(self, deliveries: list[tuple[int, ActivityKey]]) -> None:
        """All at once: of those of one activity, one is first, unless it was taken up before."""
        now = self.store.clock()
        first = self.run(together(self.seen[replica].first(key) for replica, key in deliveries))
        took: defaultdict[ActivityKey, list[int]] = defaultdict(list)
        for (replica, key), taken in zip(deliveries, first, strict=True):
            took[key] += [replica] * taken
        for key in {key for _, key in deliveries}:
            before = key in self.taken
            known = any((replica, key) in self.own for replica, other in deliveries if other == key)
            assert len(took[key]) <= (0 if before else 1), (key, took)
            assert took[key] or before or known, "nobody took it up"
            if took[key]:
                self.own[took[key][0], key] = now + LIFETIME
            self.taken.setdefault(key, (took[key][0] if took[key] else -1, now + LIFETIME))

    @rule(key=ACTIVITIES)
    def fail(self, key: ActivityKey) -> None:
        """Whoever took it up failed: the channel may send it again."""
        replica, _ = self.taken.get(key, (-1, 0))
        if replica >= 0:
            del self.taken[key], self.own[replica, key]
            self.run(self.seen[replica].forget(key))

    @rule(replica=REPLICAS, conversation=CONVERSATIONS, text=st.sampled_from(["It is so.", "It isn't."]))
    def answer(self, replica: int, conversation: ConversationKey, text: str) -> None:
        answer = RememberedAnswer(text=text)
        self.run(self.memories[replica].remember(conversation, answer))
        self.answers[conversation] = (answer, self.store.clock() + REMEMBERED)

    @rule(replica=REPLICAS, conversation=CONVERSATIONS)
    def forget(self, replica: int, conversation: ConversationKey) -> None:
        """Nothing of a conversation is left, under whichever name."""
        state = (self.store.state, self.store.other)[replica]
        self.run(state.forget(conversation))
        self.taken = {key: held for key, held in self.taken.items() if key.conversation != conversation}
        self.answers.pop(conversation, None)
        written = self.run(self.store.written())
        assert name_of(conversation).encode() not in written
        assert conversation.conversation_id.encode() not in written

    @rule(seconds=st.sampled_from([LIFETIME / 2, LIFETIME, REMEMBERED]))
    def wait(self, seconds: float) -> None:
        self.run(self.store.advance(seconds))
        now = self.store.clock()
        self.taken = {key: held for key, held in self.taken.items() if held[1] > now}
        self.own = {place: until for place, until in self.own.items() if until > now}
        self.answers = {key: kept for key, kept in self.answers.items() if kept[1] > now}

    @invariant()
    def each_replica_knows_the_last_answers(self) -> None:
        for memory, conversation in itertools.product(self.memories, (ANNE, BERT)):
            answer, _ = self.answers.get(conversation, (None, 0.0))
            assert self.run(memory.recall(conversation)) == answer

    @invariant()
    def nobody_is_named(self) -> None:
        written = self.run(self.store.written())
        assert ANNE.conversation_id.encode() not in written
        assert b"activity-" not in written


async def together(steps: Any) -> list[Any]:
    return list(await asyncio.gather(*steps))


def test_an_activity_is_taken_up_once(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine is no outage.
    monkeypatch.setattr("bot.state.redis.PATIENCE", 60.0)
    machine = type("TwoReplicasHere", (TwoReplicas,), {"opened": staticmethod(opened)})
    run_state_machine_as_test(machine, settings=of(12, 400))


# Redis, which comes and goes


class Watched(StateInRedis):
    """Counts the times that Redis could not be asked."""

    failures = 0

    async def _ask(self, *arguments: Any, **named: Any) -> Any:
        try:
            return await super()._ask(*arguments, **named)
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
        self.seen = [Seen(StateThroughOutages(redis)) for redis in self.redis]
        self.conversation = ConversationKey("msteams", f"{next(_NUMBERS)}")
        self.activities = 0
        self.holders: dict[ActivityKey, set[int]] = {}
        """Which replicas took up each activity that was delivered, and didn't fail."""
        self.unsure: set[ActivityKey] = set()
        """What Redis may not know, or know otherwise."""
        self.failed: dict[ActivityKey, int] = {}
        """Who failed at what, and nobody was given it since."""

    def teardown(self) -> None:
        self.server.resume()
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
        first = self.runner.run(together(self.seen[replica].first(key) for replica in replicas))
        took = [replica for replica, taken in zip(replicas, first, strict=True) if taken]
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

    @precondition(lambda self: self.activities)
    @rule(replica=REPLICAS, back=RECENT)
    def fail(self, replica: int, back: int) -> None:
        """A replica could not do what it was given: it may have it again."""
        key = self._recent(back)
        if replica not in self.holders[key]:
            return
        before = self.failures
        self.runner.run(self.seen[replica].forget(key))
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
    monkeypatch.setattr("bot.state.redis.PATIENCE", 0.2)
    machine = type("OutagesHere", (Outages,), {"server": server})
    run_state_machine_as_test(machine, settings=of(20, 400))
