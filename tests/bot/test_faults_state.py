"""What is sent twice is answered once, whoever gets it; and what is kept may be lost, but no answer is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from .fault_connector import PACE, FaultConnector, answered_once, failing, question
from .redis_server import RedisServer, redis_server
from .running import running
from .scripted_source import ScriptedSource, ScriptStep
from .streamed_answers import FOUND

ANSWER = "Water it [1]."
ANSWERED: list[ScriptStep | str] = [FOUND, ANSWER, None]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.fixture
async def connector() -> AsyncIterator[FaultConnector]:
    async with failing() as one:
        yield one


@pytest.fixture
def source() -> ScriptedSource:
    return ScriptedSource()


@pytest.fixture
async def replicas(
    request: pytest.FixtureRequest, source: ScriptedSource, tmp_path: Path
) -> AsyncIterator[list[str]]:
    """Two bots with nothing in common but where they keep their state; where that is memory, one."""
    async with contextlib.AsyncExitStack() as stack:
        if request.param == "memory":
            yield [await stack.enter_async_context(running(source, timeouts=PACE))] * 2
            return
        server = request.getfixturevalue("server") if request.param == "redis" else None
        state = server.url if server else f"sqlite:///{tmp_path / 'state.db'}"
        yield [await stack.enter_async_context(running(source, timeouts=PACE, state=state)) for _ in range(2)]


everywhere = pytest.mark.parametrize("replicas", ["memory", "sqlite", "redis"], indirect=True)
over_redis = pytest.mark.parametrize("replicas", ["redis"], indirect=True)


@everywhere
async def test_one_after_the_other(
    source: ScriptedSource, replicas: list[str], connector: FaultConnector
) -> None:
    asked = question(connector, "q", conversation="one after the other")
    source.tell("q", *ANSWERED * 4)
    for bot in replicas * 2:
        assert await asked.send(bot) == 201
    assert len(answered_once(connector, asked)) == 1


@everywhere
async def test_all_at_once(source: ScriptedSource, replicas: list[str], connector: FaultConnector) -> None:
    asked = question(connector, "q", conversation="all at once")
    sending = [asyncio.create_task(asked.send(bot)) for bot in replicas * 10]
    source.tell("q", *ANSWERED * len(sending))
    await asyncio.gather(*sending)
    assert set(asked.statuses) == {201}
    assert len(answered_once(connector, asked)) == 1


@over_redis
async def test_redis_goes_during_an_answer(
    source: ScriptedSource, replicas: list[str], connector: FaultConnector, server: RedisServer
) -> None:
    asked, later = (question(connector, text, conversation="during") for text in ("q", "later"))
    source.tell("q", FOUND, f"{ANSWER}\n\nAnd")
    sending = asyncio.create_task(asked.send(replicas[0]))
    await connector.came("interim")
    server.kill()
    try:
        source.tell("q", " give it shade.", None, *ANSWERED * 2)
        assert await sending == 201
        # The channel sends it again, to the one that has answered it.
        assert await asked.send(replicas[0]) == 201
        assert len(answered_once(connector, asked)) == 1
        source.tell("later", *("Later.", None) * 2)
        assert await later.send(replicas[1]) == 201
    finally:
        await asyncio.to_thread(server.start)
    # It has come back, and knows nothing of what it knew.
    assert await asked.send(replicas[0]) == 201
    assert await later.send(replicas[1]) == 201
    assert [activity["text"].split("\n")[0] for activity in connector.given("during")] == [ANSWER, "Later."]


@over_redis
async def test_redis_forgets_what_was_asked(
    source: ScriptedSource, replicas: list[str], connector: FaultConnector, server: RedisServer
) -> None:
    asked = question(connector, "q", conversation="forgets")
    source.tell("q", *ANSWERED * 2)
    assert await asked.send(replicas[0]) == 201
    server.kill()
    await asyncio.to_thread(server.start)
    assert await asked.send(replicas[0]) == 201
    assert len(answered_once(connector, asked)) == 1


@over_redis
async def test_redis_goes_before_the_follow_up(
    source: ScriptedSource, replicas: list[str], connector: FaultConnector, server: RedisServer
) -> None:
    """Who asks for a source then is understood as well as whoever asks that first."""
    asked = question(connector, "q", conversation="follow-up")
    source.tell("q", *ANSWERED)
    source.tell("1", "One is a number.", None)
    assert await asked.send(replicas[0]) == 201
    server.kill()
    try:
        assert await question(connector, "1", conversation="follow-up").send(replicas[0]) == 201
        assert len(connector.given("follow-up")) == 2
        # An answer without Redis is kept by the one that gave it.
        source.tell("again", *ANSWERED)
        again, follow_up = (
            question(connector, text, conversation="follow-up", id=text) for text in ("again", "2")
        )
        assert await again.send(replicas[0]) == 201
    finally:
        await asyncio.to_thread(server.start)
    assert await follow_up.send(replicas[0]) == 201
    assert len(connector.given("follow-up")) == 4


@over_redis
async def test_a_follow_up_at_the_other_replica(
    source: ScriptedSource, replicas: list[str], connector: FaultConnector
) -> None:
    asked, follow_up = (question(connector, text, conversation="other") for text in ("q", "1"))
    source.tell("q", *ANSWERED)
    assert await asked.send(replicas[0]) == 201
    assert await follow_up.send(replicas[1]) == 201
    _, given = connector.given("other")
    assert "https://example.com/1" in given["text"]


@over_redis
async def test_redis_that_hangs_delays_and_loses_nothing(
    source: ScriptedSource, replicas: list[str], connector: FaultConnector, server: RedisServer
) -> None:
    asked = [question(connector, "q", conversation=f"hangs {number}") for number in range(5)]
    source.tell("q", *ANSWERED * 5)
    with server.hanging():
        await asyncio.gather(*(one.send(replicas[0]) for one in asked))
    for one in asked:
        assert len(answered_once(connector, one)) == 1
        assert one.statuses == [201]
