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

_HERE: Final = "benchmarks.serving."


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The bots that are running, by name, and the connector that they answer to."""

    drivers: dict[str, Driver]
    connector: str
    expected: str
    """The hash of what every one of them says."""
    seconds: float
    rounds: int

    async def run(self, side: str, in_flight: int, *, delay: float = 0.0, **limits: Any) -> Run:
        """Drive one bot at a connector that takes ``delay`` seconds.

        A turn may be answered after its request was. Raises ``SystemExit`` where it did not say
        exactly the expected once for each turn.
        """
        await read_report(self.connector, delay=delay)
        begun = time.time()
        run = await self.drivers[side].run(in_flight, **limits)
        report = await self._wait_for_all(run.turns - run.failed, time.time() + 120)
        if set(report["hashes"]) != {self.expected} or report["count"] != run.turns - run.failed:
            raise SystemExit(f"{side} said something else: {run.turns} turns, {run.failed} failed, {report}")
        return replace(run, wall=max(run.wall, report["finished"] - begun))

    async def _wait_for_all(self, count: int, until: float) -> dict[str, Any]:
        while True:
            report = await read_report(self.connector)
            if report["count"] >= count or time.time() > until:
                return report
            await asyncio.sleep(0.1)

    async def rounds_of(self, in_flight: int, **limits: Any) -> dict[str, list[Run]]:
        """Some rounds in each of which every bot is driven once."""
        runs: dict[str, list[Run]] = {side: [] for side in self.drivers}
        for _ in range(self.rounds):
            for side in self.drivers:
                runs[side].append(await self.run(side, in_flight, seconds=self.seconds, **limits))
        return runs


@contextlib.asynccontextmanager
async def benching(
    agents: str | None, *, seconds: float, rounds: int, tokens_after: float | None = None
) -> AsyncIterator[Bench]:
    """Start everything. ``agents`` is a Python that has the Agents SDK; without one it is left out.

    With ``tokens_after``, every bot is registered, and its token service takes so many seconds for each
    call. What all of them say is what our bot answers, taken from the bytes that reach the connector.
    """
    async with contextlib.AsyncExitStack() as stack:
        connector = await stack.enter_async_context(started(f"{_HERE}connector"))
        url = f"http://127.0.0.1:{connector['connector']}/"
        asked: tuple[str, ...] = ()
        trust: dict[str, str] = {}
        bearer = ""
        if tokens_after is not None:
            service = started(f"{_HERE}entra", "--service-url", url, "--delay", str(tokens_after))
            entra = await stack.enter_async_context(service)
            asked, bearer = ("--entra", entra["url"]), entra["bearer"]
            # The one is Python's and OpenSSL's, the other that of the SDKs' HTTP client.
            trust = {"SSL_CERT_FILE": entra["authority"], "REQUESTS_CA_BUNDLE": entra["authority"]}

        async def driver(side: str, *arguments: str, python: str = sys.executable) -> Driver:
            bot = started(f"{_HERE}bots.{side}", *asked, *arguments, python=python, environment=trust)
            return Driver(await stack.enter_async_context(bot), url, bearer)

        drivers = {"ours": await driver("ours")}
        await drivers["ours"].run(1, turns=1)
        report = await read_report(url)
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "activity.json"
        fields = {name: value for name, value in json.loads(report["last"]).items() if name not in ENVELOPE}
        file.write_text(json.dumps(fields), "utf-8")
        if tokens_after is None:
            drivers["adapter_only"] = await driver("adapter_only", "--activity", str(file))
        if agents:
            drivers["agents"] = await driver("agents", "--activity", str(file), python=agents)
        drivers["stock"] = await driver("stock", "--activity", str(file))
        expected = next(iter(report["hashes"]))
        bench = Bench(drivers=drivers, connector=url, expected=expected, seconds=seconds, rounds=rounds)
        for side in drivers:  # connections, caches, what is imported late
            await bench.run(side, 10, turns=20)
        yield bench


async def read_report(connector: str, **query: float) -> dict[str, Any]:
    """What a connector has taken; with a ``delay`` it forgets that, and is so slow from now on."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{connector}report", params=query) as response,
    ):
        report: dict[str, Any] = await response.json()
        return report


def median(runs: list[Run], figure: Callable[[Run], float]) -> float:
    """The median of a figure over some rounds."""
    return statistics.median(map(figure, runs))
