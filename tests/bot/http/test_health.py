"""What an orchestrator is told: alive while the loop comes round, ready while requests are welcome."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.config.telemetry import TelemetryOptions
from bot.http import HEALTH, Health
from bot.http.health import INTERVAL, WINDOW, Lag
from bot.sources import ReadingState
from bot.state.outage import StateThroughOutages
from bot.state.store_url import create_store
from bot.telemetry.conversation_key import ConversationKey
from tests.bot.fake_entra import PASSWORD, entra_running
from tests.bot.running import running, running_app
from tests.bot.table_source import TableSource
from tests.ports import free_port


async def get(authority: str, path: str) -> tuple[int, dict[str, Any]]:
    async with aiohttp.ClientSession() as session, session.get(f"http://{authority}{path}") as response:
        return response.status, await response.json()


class Clock:
    """Seconds, as the test says."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


# How late each of a row of measures was, a tenth of a second apart; what is told then.
LAGS = [
    ("nothing yet", [], 0.0, 0.0),
    ("all in time", [0.0] * 200, 0.0, 0.0),
    ("one that was late", [0.0] * 150 + [3.0] + [0.0] * 50, 3.0, 0.0),
    ("one that was late long ago", [3.0] + [0.0] * 150, 0.0, 0.0),
    ("all late", [2.0] * 200, 2.0, 2.0),
    ("all late, some more than others", [1.5, 2.5] * 100, 2.5, 1.5),
    ("all late, since a moment ago", [2.0] * 50, 2.0, 0.0),
]


@pytest.mark.parametrize(("what", "measures", "worst", "least"), LAGS, ids=[row[0] for row in LAGS])
def test_lag(what: str, measures: list[float], worst: float, least: float) -> None:
    clock = Clock()
    lag = Lag(clock=clock)
    for late in measures:
        clock.now += INTERVAL
        lag.add(late)
    assert (lag.worst, lag.least) == (worst, least)
    clock.now += 2 * WINDOW
    assert lag.worst == 0


async def test_a_loop_that_is_held_up_is_late() -> None:
    async with running(TableSource()) as bot:
        assert (await get(bot, "/healthz"))[0] == 200
        asking = asyncio.create_task(get(bot, "/healthz"))
        await asyncio.sleep(0)
        time.sleep(0.5)
        status, told = await asking
        assert (status, told["alive"]) == (200, True)
        assert 0.3 < told["lag"] < 5


async def test_a_loop_that_does_not_come_round_is_dead() -> None:
    clock = Clock()
    health = Health(facts=TableSource().facts, lag=Lag(clock=clock))
    for _ in range(200):
        clock.now += INTERVAL
        health.lag.add(1.2)
    response = await health.check_alive(None)  # type: ignore[arg-type]
    assert response.status == 503
    assert json.loads(response.text or "") == {"alive": False, "lag": 1.2}


async def test_it_is_ready_from_the_start_to_the_beginning_of_the_end() -> None:
    async with running_app(TableSource()) as (bot, app):
        assert await get(bot, "/readyz") == (200, {"ready": True, "documents": 2})
        app[HEALTH].begin_shutdown()
        assert await get(bot, "/readyz") == (503, {"ready": False})
        assert (await get(bot, "/healthz"))[0] == 200


async def test_it_is_ready_when_there_is_a_token_and_a_key() -> None:
    async with entra_running() as entra:
        entra.open.clear()
        async with running(TableSource(), credentials=PASSWORD, cloud=entra.cloud) as bot:
            assert await get(bot, "/readyz") == (503, {"ready": False, "token": False, "keys": False})
            assert (await get(bot, "/healthz"))[0] == 200
            entra.open.set()
            async with asyncio.timeout(60):
                while (await get(bot, "/readyz"))[0] != 200:
                    await asyncio.sleep(0.05)
            # With credentials anybody may ask, and nobody hears how much there is.
            assert await get(bot, "/readyz") == (200, {"ready": True, "token": True, "keys": True})


class UnreadSource(TableSource):
    is_read = False

    @property
    def reading(self) -> ReadingState:
        return ReadingState(self.is_read, unread=3, stalled=95, work="Reading: 0 of 3 files")


async def test_it_is_ready_when_the_documents_are_read_and_the_metrics_say_how_far_it_is() -> None:
    source, port = UnreadSource(), free_port()
    async with running(source, telemetry=TelemetryOptions(metrics_port=port)) as bot:
        unread = {"ready": False, "documents read": False, "documents": 2}
        assert await get(bot, "/readyz") == (503, unread)
        address = f"http://127.0.0.1:{port}/metrics"
        async with aiohttp.ClientSession() as session, session.get(address) as response:
            metrics = (await response.text()).splitlines()
        assert {"citation_bot_files_unread 3.0", "citation_bot_index_stalled_seconds 95.0"} <= set(metrics)
        source.is_read = True
        assert await get(bot, "/readyz") == (200, {"ready": True, "documents read": True, "documents": 2})


class StrangeSource(TableSource):
    async def facts(self) -> dict[str, str | int]:
        if self.opened and self.asked:
            raise ZeroDivisionError
        return {"source": "strange", "answers": "no", "documents": 3}


async def test_a_source_that_does_not_answer_leaves_it_ready() -> None:
    source = StrangeSource()
    async with running(source) as bot:
        assert (await get(bot, "/readyz"))[1]["answers"] == "no"
        source.asked.append("anything")
        assert await get(bot, "/readyz") == (200, {"ready": True})


async def test_a_store_that_is_away_is_told() -> None:
    store = create_store("redis://127.0.0.1:1/0")
    assert isinstance(store, StateThroughOutages)
    assert store.recently_reached
    await store.get(ConversationKey("webchat", "c"), "answer")
    assert not store.recently_reached


async def test_it_says_whether_its_store_is_there(tmp_path: Path) -> None:
    async with running(TableSource(), state=f"sqlite:///{tmp_path / 'state.db'}") as bot:
        assert await get(bot, "/readyz") == (200, {"ready": True, "state": True, "documents": 2})
