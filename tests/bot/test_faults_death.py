"""A replica that dies, stands still or is slow in its turn: the question is answered, by one of them, once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from .fault_connector import FaultConnector, answered_once, failing, question
from .redis_server import redis_server
from .slow_process import started

LEASE = "2"
"""Seconds; as long as it is, nobody would wait for this here."""


@pytest.fixture(params=["redis", "sqlite"])
async def state(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    with contextlib.ExitStack() as stack:
        if request.param == "redis":
            yield stack.enter_context(redis_server(tmp_path)).url
        else:
            yield f"sqlite:///{tmp_path / 'state.db'}"


@pytest.fixture
async def connector() -> AsyncIterator[FaultConnector]:
    async with failing() as one:
        yield one


@contextlib.asynccontextmanager
async def two(
    state: str, *, first: float, other: float = 0.0
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str, str]]:
    """Two processes, who take so many seconds for an answer: the first one, and the addresses of both."""
    environ = {"STATE_URL": state, "LEASE": LEASE}
    async with (
        started(SECONDS=f"{first}", NAME="first", **environ) as (process, bot),
        started(SECONDS=f"{other}", NAME="other", **environ) as (_, another),
    ):
        yield process, bot, another


async def test_a_replica_is_killed_in_its_turn(state: str, connector: FaultConnector) -> None:
    asked = question(connector, "q")
    async with two(state, first=60) as (process, bot, another):
        sending = asyncio.create_task(asked.send(bot))
        await connector.came("dots")
        process.kill()
        assert await sending == 502
        assert await asked.send(another) == 201
        assert await asked.send(another) == 201
    [given] = answered_once(connector, asked)
    assert given["text"] == "The other answers q."


async def test_a_replica_is_slow_and_alive(state: str, connector: FaultConnector) -> None:
    """So that its turn is longer than a lease, and its answer may follow after the request."""
    asked = question(connector, "q")
    async with two(state, first=2.5 * float(LEASE)) as (_, bot, another):
        sending = asyncio.create_task(asked.send(bot))
        await connector.came("dots")
        while not sending.done():
            assert await asked.send(another) == 201
        assert await sending == 201
        assert await asked.send(another) == 201
    answered_once(connector, asked)
    assert len(connector.given("c1")) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGSTOP")
async def test_a_replica_stands_still_and_goes_on(state: str, connector: FaultConnector) -> None:
    """It finds out that it was taken for dead before it says anything."""
    asked = question(connector, "q")
    async with two(state, first=1.0) as (process, bot, another):
        sending = asyncio.create_task(asked.send(bot))
        await connector.came("dots")
        process.send_signal(signal.SIGSTOP)
        assert await asked.send(another) == 201
        process.send_signal(signal.SIGCONT)
        assert await sending == 201
    [given] = answered_once(connector, asked)
    assert given["text"] == "The other answers q."
