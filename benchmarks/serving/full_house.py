"""Many questions at once, at a connector that takes two seconds: what does each person have, and when?

    python -m benchmarks.serving.full_house [--questions 200] [--delay 2] [--rounds 1] [SIDE ...]

Each bot has a process, and they take turns. Of each it prints how many questions were answered, declined
with a sentence, refused (503), told something else, and left without a word; when the last message had
arrived, half of them, and 95 in a hundred; the signs of typing that it sent; and its CPU.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot.conversation.outcome import BUSY
from bot.languages import say

from .bench import read_report
from .connector import BEGINNING, ENVELOPE
from .driver import question
from .processes import started

SIDES: Final = {
    "agents": "the Agents SDK",
    "adapter_only": "our adapter alone",
    "ours": "ours, fixed source",
    "words": "the folder, by words",
    "vectors": "the folder, with vectors",
}
QUESTIONS: Final = (
    "How long does the battery last?",
    "Can I work from another country?",
    "What does a hotel in Berlin cost at most?",
    "Who do I tell when I am ill?",
    "What happens to my password when I leave?",
    "Is my dog allowed in the office?",
    "How many days of leave do I have?",
    "Wie viele Stunden darf ich am Tag arbeiten?",
    "Do I get money for my internet at home?",
    "What must I do on my first day?",
)
PATIENCE: Final = 120.0
"""Seconds after which a question without a message counts as left without a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What became of the questions of one bot. Times are in seconds."""

    words: Counter[str]
    last: float
    half: float
    most: float
    signs: int
    cpu: float


async def fill(bot: dict[str, int], connector: str, count: int, delay: float) -> House:
    """Ask ``count`` questions at once, each in a conversation of its own, and wait for their messages."""
    await read_report(connector, delay=delay)
    asked = [question(connector, QUESTIONS[n % len(QUESTIONS)]) for n in range(count)]
    gauge = f"http://127.0.0.1:{bot['gauge']}"
    address = f"http://127.0.0.1:{bot['bot']}/api/messages"
    client = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=client, timeout=aiohttp.ClientTimeout(total=600)) as session:
        before = await _read(session, f"{gauge}/begin")
        begun = time.time()

        async def ask(activity: dict[str, Any]) -> int:
            try:
                async with session.post(address, json=activity) as response:
                    return response.status
            except aiohttp.ClientError:
                return 0

        statuses = dict(
            zip(
                (one["conversation"]["id"] for one in asked),
                await asyncio.gather(*map(ask, asked)),
                strict=True,
            )
        )
        refused = {key for key, status in statuses.items() if status == HTTPStatus.SERVICE_UNAVAILABLE}
        report = await _wait_for_messages(connector, len(asked) - len(refused))
        after = await _read(session, f"{gauge}/end")
    replies = {key: text for key, text, _ in report["replies"]}
    times = sorted(at - begun for _, _, at in report["replies"]) or [0.0]
    words = Counter(_tell(key in refused, replies.get(key)) for key in statuses)
    return House(
        words=words,
        last=times[-1],
        half=times[len(times) // 2],
        most=times[int(0.95 * (len(times) - 1))],
        signs=report["signs"],
        cpu=after["cpu"] - before["cpu"],
    )


def _tell(refused: bool, text: str | None) -> str:
    if text is None:
        return "503" if refused else "without a word"
    return "declined" if text == say(BUSY.message)[:BEGINNING] else "answered"


async def _wait_for_messages(connector: str, count: int) -> dict[str, Any]:
    """The connector's report when it has responded to so many messages, or after :data:`PATIENCE`."""
    until = time.time() + PATIENCE
    while (report := await read_report(connector))["responded"] < count and time.time() < until:
        await asyncio.sleep(0.2)
    return report


async def _read(session: aiohttp.ClientSession, url: str) -> dict[str, Any]:
    async with session.get(url) as response:
        read: dict[str, Any] = await response.json()
        return read


async def measure(side: str, activity: Path, options: argparse.Namespace) -> House:
    """Start a bot with its connector, warm it, and fill it."""
    arguments = {"words": ("folder",), "vectors": ("folder", "vectors"), "ours": ("ours",)}
    module, *rest = arguments.get(side, (side, "--activity", str(activity)))
    async with (
        started("benchmarks.serving.connector") as connector,
        started(f"benchmarks.serving.bots.{module}", *rest) as bot,
    ):
        url = f"http://127.0.0.1:{connector['connector']}/"
        await fill(bot, url, len(QUESTIONS), 0.0)
        return await fill(bot, url, options.questions, options.delay)


async def write_activity(file: Path) -> None:
    """Write what our bot answers with its fixed source: the other bots send the same."""
    async with (
        started("benchmarks.serving.connector") as connector,
        started("benchmarks.serving.bots.ours") as bot,
    ):
        url = f"http://127.0.0.1:{connector['connector']}/"
        await fill(bot, url, 1, 0.0)
        last = json.loads((await read_report(url))["last"])
    file.write_text(
        json.dumps({name: value for name, value in last.items() if name not in ENVELOPE}), "utf-8"
    )


async def main() -> None:
    """Print a row for each bot and round."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving.full_house", description=__doc__)
    parser.add_argument("sides", nargs="*", metavar="SIDE", help=f"{', '.join(SIDES)} (without any: all)")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--delay", type=float, default=2.0, help="seconds that the connector takes")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    print(
        f"| {options.questions} questions, connector of {options.delay:g} s | last after | half | 95 % ",
        end="",
    )
    print("| signs | CPU | |\n|:--|--:|--:|--:|--:|--:|:--|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        activity = Path(folder) / "activity.json"
        await write_activity(activity)
        for _ in range(options.rounds):
            for side in options.sides or SIDES:
                house = await measure(side, activity, options)
                words = ", ".join(f"{count} {word}" for word, count in house.words.most_common())
                print(
                    f"| {SIDES[side]} | {house.last:.1f} s | {house.half:.1f} s | {house.most:.1f} s "
                    f"| {house.signs} | {house.cpu:.1f} s | {words} |",
                    flush=True,
                )


if __name__ == "__main__":
    asyncio.run(main())
