"""What is kept: got once for all who wait, renewed in time, and held on to while nobody gives a newer one."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import structlog

from bot.access.refreshing_value import Lease, RefreshingValue, RefreshRefused, Unavailable
from bot.telemetry import Event, Operation, Refreshed, subscribed
from tests.bot.running import logged


@dataclass
class Giver:
    """Gives what it is told to, in turn, and the last of it from then on."""

    told: list[Lease[str] | Exception]
    asked: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)
    called: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def give(self) -> Lease[str]:
        self.asked += 1
        async with self.called:
            self.called.notify_all()
        await self.open.wait()
        given = self.told.pop(0) if len(self.told) > 1 else self.told[0]
        if isinstance(given, Exception):
            raise given
        return given

    async def asked_for(self, times: int) -> None:
        async with asyncio.timeout(60), self.called:
            await self.called.wait_for(lambda: self.asked >= times)


class Heard:
    """A listener that keeps what happened."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def span(self, operation: Operation) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def record(self, event: Event) -> None:
        self.events.append(event)


Keeping = Callable[..., tuple[RefreshingValue[str], Giver]]


@pytest.fixture
async def keeping() -> AsyncIterator[Any]:
    made: list[RefreshingValue[str]] = []

    def keep(*told: Lease[str] | Exception, timeout: float = 30.0) -> tuple[RefreshingValue[str], Giver]:
        giver = Giver(list(told))
        giver.open.set()
        made.append(RefreshingValue("secret", giver.give, timeout=timeout))
        return made[-1], giver

    yield keep
    for kept in made:
        await kept.close()


def lease(value: str, refresh_after: float = 3600, lifetime: float = 3600) -> Lease[str]:
    return Lease(value, refresh_after, lifetime)


OUTAGE = OSError("nobody answers at s3cret.example.com")


async def test_it_is_got_once_for_all_who_wait(keeping: Keeping) -> None:
    kept, giver = keeping(lease("a"))
    giver.open.clear()
    waiting = [asyncio.create_task(kept.get()) for _ in range(50)]
    await giver.asked_for(1)
    # Whoever gives up waiting gives up alone.
    waiting.pop().cancel()
    giver.open.set()
    assert set(await asyncio.gather(*waiting)) == {"a"}
    assert await kept.get() == "a"
    assert giver.asked == 1


async def test_it_is_there_before_anybody_asks(keeping: Keeping) -> None:
    kept, giver = keeping(lease("a"))
    assert not kept.valid
    kept.open()
    await giver.asked_for(1)
    assert await kept.get() == "a"
    assert kept.valid
    assert giver.asked == 1


async def test_it_is_renewed_while_the_one_before_holds(keeping: Keeping) -> None:
    kept, giver = keeping(lease("a", refresh_after=2.0), lease("b"))
    assert await kept.get() == "a"
    giver.open.clear()
    await giver.asked_for(2)
    # Nobody waits for the renewal.
    assert await kept.get() == "a"
    giver.open.set()
    assert await kept.refresh() == "b"
    assert await kept.get() == "b"


async def test_it_is_held_on_to_while_there_is_no_newer_one(keeping: Keeping) -> None:
    with logged() as log:
        kept, giver = keeping(lease("a", refresh_after=0.0), OUTAGE)
        assert await kept.get() == "a"
        await giver.asked_for(3)
        assert await kept.get() == "a"
        with pytest.raises(Unavailable):
            await kept.refresh()
        assert await kept.get() == "a"
    assert "no newer secret" in log.getvalue()
    assert "s3cret" not in log.getvalue()


async def test_what_has_ended_is_not_given(keeping: Keeping) -> None:
    kept, giver = keeping(lease("a", lifetime=2.0), OUTAGE, timeout=0.5)
    assert await kept.get() == "a"
    while kept.valid:
        await asyncio.sleep(0.05)
    with pytest.raises(Unavailable, match=r"^OSError at"):
        await kept.get()
    assert giver.asked >= 2


async def test_whoever_waits_through_an_outage_gets_what_comes_after_it(keeping: Keeping) -> None:
    kept, _ = keeping(OUTAGE, TimeoutError(), lease("a"))
    assert await kept.get() == "a"


async def test_an_outage_is_not_made_worse_by_those_who_wait(keeping: Keeping) -> None:
    kept, giver = keeping(OUTAGE, timeout=0.3)
    failures = await asyncio.gather(*(kept.get() for _ in range(50)), return_exceptions=True)
    # One attempt a second, and not one for each.
    assert giver.asked <= 2
    assert all(isinstance(failure, Unavailable) for failure in failures)
    # Each has a failure of their own: a shared one would gather the frames of all who raise it.
    assert len(set(map(id, failures))) == 50


async def test_nobody_waits_for_what_is_refused(keeping: Keeping) -> None:
    kept, _ = keeping(RefreshRefused("invalid_client"), timeout=3600.0)
    async with asyncio.timeout(60):
        with pytest.raises(RefreshRefused, match=r"^invalid_client$"):
            await kept.get()


async def test_what_is_closed_begins_nothing(keeping: Keeping) -> None:
    kept, giver = keeping(lease("a"))
    giver.open.clear()
    waiting = asyncio.create_task(kept.get())
    await giver.asked_for(1)
    await kept.close()
    for late in (waiting, kept.get()):
        with pytest.raises(Unavailable, match=r"^closed$"):
            await late
    assert giver.asked == 1


async def test_whoever_gives_nothing_at_all_is_not_waited_for(keeping: Keeping) -> None:
    kept, giver = keeping(lease("a"), timeout=0.2)
    giver.open.clear()
    with pytest.raises(Unavailable, match=r"not within 0\.2 s"):
        await kept.get()
    giver.open.set()
    assert await kept.refresh() == "a"
    assert giver.asked == 1


async def test_a_request_that_begins_it_is_not_named_for_what_comes_later(keeping: Keeping) -> None:
    heard = Heard()
    with logged() as log:
        kept, _ = keeping(Unavailable("nobody there"), timeout=0.5)
        bound = structlog.contextvars.bound_contextvars(activity="|0000001")
        with bound, subscribed((heard,)), pytest.raises(Unavailable):
            await kept.get()
    events = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(event["event"], "activity" in event) for event in events] == [("no newer secret", False)]
    assert heard.events == [Refreshed("secret", done=False)]
