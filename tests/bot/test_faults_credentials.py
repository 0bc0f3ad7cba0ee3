"""Entra ID and the publisher of the channels' keys fail; whoever asks then is answered once, if not now."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import repeat

import pytest

from .echo_source import Echo
from .fake_entra import PASSWORD, FakeEntra, entra_running
from .fault_connector import FaultConnector, Question, answered_once, failing, question, refusing
from .running import running
from .streamed_answers import SCALED

CHANNEL = frozenset({"127.0.0.1"})


@pytest.fixture
async def entra() -> AsyncIterator[FakeEntra]:
    async with entra_running() as one:
        yield one


@pytest.fixture
async def connector() -> AsyncIterator[FaultConnector]:
    async with failing() as one:
        yield one


@contextlib.asynccontextmanager
async def registered(entra: FakeEntra, sending: float = SCALED.sending) -> AsyncIterator[str]:
    """A bot with credentials."""
    async with running(
        Echo(),
        timeouts=replace(SCALED, sending=sending),
        credentials=PASSWORD,
        cloud=entra.cloud,
        service_hosts=CHANNEL,
    ) as bot:
        yield bot


async def sent(bot: str, entra: FakeEntra, connector: FaultConnector, asked: Question) -> int:
    return await asked.send(bot, Authorization=entra.bearer(connector.service_url))


async def soon(bot: str, entra: FakeEntra, connector: FaultConnector, asked: Question) -> None:
    """Send it again until it is not refused: what failed is tried again after a pause."""
    async with asyncio.timeout(60):
        while await sent(bot, entra, connector, asked) != 201:
            answered_once(connector, asked)
            await asyncio.sleep(0.2)


async def test_entra_is_slow(entra: FakeEntra, connector: FaultConnector) -> None:
    entra.delay = 0.5
    asked = [question(connector, "q", conversation=f"c{n}") for n in range(20)]
    async with registered(entra, sending=60) as bot:
        await asyncio.gather(*(sent(bot, entra, connector, one) for one in asked))
    for one in asked:
        assert one.statuses == [201]
        assert len(answered_once(connector, one)) == 1
    assert entra.calls["token"] == entra.calls["keys"] == 1


@pytest.mark.parametrize("status", [503, 400])
async def test_entra_is_down_at_the_start(entra: FakeEntra, connector: FaultConnector, status: int) -> None:
    entra.status = status
    asked = question(connector, "q")
    async with registered(entra) as bot:
        assert await sent(bot, entra, connector, asked) in (502, 503)
        answered_once(connector, asked)
        entra.status = 200
        await soon(bot, entra, connector, asked)
    assert len(answered_once(connector, asked)) == 1


async def test_entra_hangs_at_the_start(entra: FakeEntra, connector: FaultConnector) -> None:
    entra.open.clear()
    asked = question(connector, "q")
    async with registered(entra) as bot:
        sending = asyncio.create_task(sent(bot, entra, connector, asked))
        await asyncio.sleep(0.5)
        entra.open.set()
        if await sending != 201:
            await soon(bot, entra, connector, asked)
    assert len(answered_once(connector, asked)) == 1


@pytest.mark.parametrize("answers", [True, False], ids=["503", "hanging"])
async def test_entra_goes_later(entra: FakeEntra, connector: FaultConnector, answers: bool) -> None:
    asked = [question(connector, "q", conversation=f"c{n}") for n in range(3)]
    async with registered(entra) as bot:
        assert await sent(bot, entra, connector, asked[0]) == 201
        entra.status = 503
        if not answers:
            entra.open.clear()
        for one in asked[1:]:
            assert await sent(bot, entra, connector, one) == 201
        entra.open.set()
    for one in asked:
        assert len(answered_once(connector, one)) == 1


async def test_entra_is_away_until_the_token_has_ended(entra: FakeEntra, connector: FaultConnector) -> None:
    entra.life = 2
    asked = [question(connector, "q", conversation=f"c{n}") for n in range(2)]
    async with registered(entra, sending=3) as bot:
        assert await sent(bot, entra, connector, asked[0]) == 201
        entra.status = 503
        await asyncio.sleep(2.5)
        assert await sent(bot, entra, connector, asked[1]) == 502
        answered_once(connector, asked[1])
        entra.status = 200
        await soon(bot, entra, connector, asked[1])
    for one in asked:
        assert len(answered_once(connector, one)) == 1


async def test_a_connector_refuses_the_token_once(entra: FakeEntra) -> None:
    async with failing(final=[refusing(401)]) as connector, registered(entra) as bot:
        asked = question(connector, "q")
        assert await sent(bot, entra, connector, asked) == 201
        assert len(answered_once(connector, asked)) == 1


async def test_a_connector_refuses_every_token(entra: FakeEntra) -> None:
    async with failing(final=repeat(refusing(401))) as connector, registered(entra) as bot:
        asked = question(connector, "q")
        assert await sent(bot, entra, connector, asked) == 502
        assert answered_once(connector, asked) == []


async def test_the_channel_signs_with_another_key(entra: FakeEntra, connector: FaultConnector) -> None:
    asked = [question(connector, "q", conversation=f"c{n}") for n in range(20)]
    async with registered(entra, sending=60) as bot:
        assert await sent(bot, entra, connector, asked[0]) == 201
        entra.roll()
        await asyncio.gather(*(sent(bot, entra, connector, one) for one in asked[1:]))
    for one in asked:
        assert one.statuses == [201]
        assert len(answered_once(connector, one)) == 1
    assert entra.calls["keys"] == 2


async def test_the_publisher_of_the_keys_is_away_when_they_change(
    entra: FakeEntra, connector: FaultConnector
) -> None:
    asked = [question(connector, "q", conversation=f"c{n}") for n in range(2)]
    async with registered(entra) as bot:
        assert await sent(bot, entra, connector, asked[0]) == 201
        entra.roll()
        entra.status = 503
        assert await sent(bot, entra, connector, asked[1]) == 503
        assert answered_once(connector, asked[1]) == []
        entra.status = 200
        await soon(bot, entra, connector, asked[1])
    assert len(answered_once(connector, asked[1])) == 1
