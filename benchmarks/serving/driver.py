"""Sends turns to a bot, and notes how long each took."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from dataclasses import dataclass
from typing import Any, Final

import aiohttp


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What came of some turns. Times are in seconds, memory in bytes."""

    turns: int
    failed: int
    """Turns that were answered with something else than 2xx, or not at all."""
    wall: float
    latencies: tuple[float, ...]
    cpu: float
    """What the bot's process took."""
    lags: tuple[float, ...]
    resident: int
    samples: tuple[tuple[str, str, int], ...]

    def rate(self) -> float:
        """Turns a second."""
        return self.turns / self.wall

    def cpu_per_turn(self) -> float:
        """Seconds of the bot's process."""
        return self.cpu / self.turns

    def latency(self, part: float) -> float:
        """The seconds that ``part`` (0 to 1) of the turns did not exceed."""
        return _percentile(self.latencies, part)

    def lag(self, part: float) -> float:
        """The seconds by which the bot's event loop was no later for ``part`` of the time."""
        return _percentile(self.lags, part)


def _percentile(values: tuple[float, ...], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0


_numbers = itertools.count()


MANY: Final = 5000
"""Conversations, so that none has the turn of one that has just been answered."""


def question(service_url: str, text: str, conversations: int = MANY) -> dict[str, Any]:
    """A question, as a channel sends it, in the next one of so many ``conversations``."""
    number = next(_numbers)
    return {
        "type": "message",
        "id": f"{time.time_ns():x}-{number:07}",
        "timestamp": "2026-01-02T03:04:05.678Z",
        "channelId": "directline",
        "serviceUrl": service_url,
        "conversation": {"id": f"conversation-{number % conversations:04}-of-the-benchmark"},
        "from": {"id": f"dl_user-{number % conversations:04}", "role": "user"},
        "recipient": {"id": "bot", "name": "Bot", "role": "bot"},
        "locale": "en-US",
        "text": text,
        "textFormat": "plain",
    }


def turn(service_url: str, conversations: int = MANY) -> bytes:
    """The question of :func:`question` that is asked again and again, as JSON."""
    asked = question(service_url, "What should I do about the proxy settings?", conversations)
    return json.dumps(asked).encode()


class Driver:
    """Drives one bot; ``bearer`` is what the channel writes into ``Authorization``."""

    def __init__(self, ports: dict[str, int], service_url: str, bearer: str = "") -> None:
        self._bot = f"http://127.0.0.1:{ports['bot']}/api/messages"
        self._gauge = f"http://127.0.0.1:{ports['gauge']}"
        self._service_url = service_url
        authorization = {"Authorization": bearer} if bearer else {}
        self._headers = {"Content-Type": "application/json", **authorization}

    async def run(
        self,
        in_flight: int,
        *,
        seconds: float = 600.0,
        turns: int | None = None,
        gauge: str = "",
        conversations: int = MANY,
    ) -> Run:
        """Keep ``in_flight`` turns under way for some seconds, or until so many are done."""
        latencies: list[float] = []
        failed = 0
        left = itertools.count() if turns is None else iter(range(turns))
        connector = aiohttp.TCPConnector(limit=0)
        timeout = aiohttp.ClientTimeout(total=600)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            before = await self._read(session, f"/begin?{gauge}")
            begun = time.perf_counter()

            async def drive() -> None:
                nonlocal failed
                for _ in left:
                    sent = time.perf_counter()
                    if sent - begun > seconds:
                        return
                    failed += not await self._turn(session, turn(self._service_url, conversations))
                    latencies.append(time.perf_counter() - sent)

            await asyncio.gather(*(drive() for _ in range(in_flight)))
            wall = time.perf_counter() - begun
            after = await self._read(session, "/end")
        return Run(
            turns=len(latencies),
            failed=failed,
            wall=wall,
            latencies=tuple(latencies),
            cpu=after["cpu"] - before["cpu"],
            lags=tuple(after["lag"]),
            resident=after["resident"],
            samples=tuple((owner, place, count) for owner, place, count in after["samples"]),
        )

    async def _turn(self, session: aiohttp.ClientSession, question: bytes) -> bool:
        try:
            async with session.post(self._bot, data=question, headers=self._headers) as response:
                await response.read()
                return response.ok
        except aiohttp.ClientError:
            return False

    async def _read(self, session: aiohttp.ClientSession, path: str) -> dict[str, Any]:
        async with session.get(self._gauge + path) as response:
            read: dict[str, Any] = await response.json()
            return read
