"""The bots, all running, and each driven when its turn comes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import aiohttp

from .connector import ENVELOPE
from .driver import Driver, Run
from .processes import started

_BOTS: Final = "benchmarks.serving.bots."


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The bots that are running, by name, and the connector that they answer to."""

    drivers: dict[str, Driver]
    connector: int
    expected: str
    """The hash of what every one of them says."""
    seconds: float
    rounds: int

    async def run(self, side: str, in_flight: int, *, delay: float = 0.0, **limits: Any) -> Run:
        """Drive one bot at a connector that takes ``delay`` seconds.

        A turn may be answered after its request was. Raises ``SystemExit`` where it did not say
        exactly the expected once for each turn.
        """
        await _told(self.connector, delay=delay)
        begun = time.time()
        run = await self.drivers[side].run(in_flight, **limits)
        told = await self._all_said(run.turns - run.failed, time.time() + 120)
        if set(told["hashes"]) != {self.expected} or told["count"] != run.turns - run.failed:
            raise SystemExit(f"{side} said something else: {run.turns} turns, {run.failed} failed, {told}")
        return replace(run, wall=max(run.wall, told["finished"] - begun))

    async def _all_said(self, count: int, until: float) -> dict[str, Any]:
        while True:
            told = await _told(self.connector)
            if told["count"] >= count or time.time() > until:
                return told
            await asyncio.sleep(0.1)

    async def rounds_of(self, in_flight: int, **limits: Any) -> dict[str, list[Run]]:
        """Some rounds in each of which every bot is driven once."""
        runs: dict[str, list[Run]] = {side: [] for side in self.drivers}
        for _ in range(self.rounds):
            for side in self.drivers:
                runs[side].append(await self.run(side, in_flight, seconds=self.seconds, **limits))
        return runs


@contextlib.asynccontextmanager
async def benching(agents: str | None, *, seconds: float, rounds: int) -> AsyncIterator[Bench]:
    """Start everything. ``agents`` is a Python that has the Agents SDK; without one it is left out.

    What all of them say is what our bot answers, taken from the bytes that reach the connector.
    """
    async with contextlib.AsyncExitStack() as stack:
        connector = (await stack.enter_async_context(started("benchmarks.serving.connector")))["connector"]
        drivers = {"ours": Driver(await stack.enter_async_context(started(f"{_BOTS}ours")), connector)}
        await drivers["ours"].run(1, turns=1)
        told = await _told(connector)
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "activity.json"
        fields = {name: value for name, value in json.loads(told["last"]).items() if name not in ENVELOPE}
        file.write_text(json.dumps(fields), "utf-8")
        for side in ("adapter_only", "agents", "stock"):
            python = agents if side == "agents" else sys.executable
            if python:
                bot = started(f"{_BOTS}{side}", "--activity", str(file), python=python)
                drivers[side] = Driver(await stack.enter_async_context(bot), connector)
        bench = Bench(
            drivers=drivers,
            connector=connector,
            expected=next(iter(told["hashes"])),
            seconds=seconds,
            rounds=rounds,
        )
        for side in drivers:  # connections, caches, what is imported late
            await bench.run(side, 10, turns=50)
        yield bench


async def _told(connector: int, **query: float) -> dict[str, Any]:
    url = f"http://127.0.0.1:{connector}/told"
    async with aiohttp.ClientSession() as session, session.get(url, params=query) as response:
        told: dict[str, Any] = await response.json()
        return told


def median(runs: list[Run], figure: Callable[[Run], float]) -> float:
    """The median of a figure over some rounds."""
    return statistics.median(map(figure, runs))
