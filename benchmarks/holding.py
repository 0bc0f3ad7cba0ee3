"""How long one answer holds the event loop, and what ``/healthz`` says meanwhile.

``python -m benchmarks.holding`` has the bot answer from a supplier that sends the worst inputs known, each in
one piece and in many, on Web Chat and on Teams. Of each it prints the CPU seconds of the whole answer, the
longest time that the event loop's thread ran without a turn for others (CPU ms), and the slowest response of
``/healthz`` (ms, which a busy machine makes slower). Needs the packages of the tests.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.sources import AnswerSource
from tests.bot.running import connecting, message, running, send
from tests.model_server import DONE, Handler, chunk, sending
from tests.web_server import serving_routes

SIZE: Final = 60_000
"""Characters of a text."""
ITEMS: Final = 50_000
"""Items of a list in JSON."""
_PROSE: Final = "The lift opens at *six* [1], and the cellar at seven [2].\n\n"

TEXTS: Final[Mapping[str, str]] = {
    "prose": _PROSE * (SIZE // len(_PROSE)),
    "one paragraph": _PROSE.strip().ljust(60) * (SIZE // 60),
    "a heading of #": "# " + "#" * SIZE + " x [1]",
    "a wide table": "|" + "a|" * 250 + "\n|" + "-|" * 250 + "\n" + "a\n" * 250,
    "brackets": "[" * SIZE,
    "emphases": "*a **b " * (SIZE // 7),
    "markers": "[1]" * (SIZE // 3),
    "line ends": "a\r" * (SIZE // 2),
}


def in_one_piece(text: str) -> Handler:
    """A stream whose text comes at once."""
    return sending(_found(), chunk(text), chunk(None, "stop"), DONE)


def in_pieces(text: str) -> Handler:
    """A stream whose text comes in 300 pieces."""
    size = max(1, len(text) // 300)
    pieces = (chunk(text[start : start + size]) for start in range(0, len(text), size))
    return sending(_found(), *pieces, chunk(None, "stop"), DONE)


def _found() -> bytes:
    pages = [
        {"url": f"https://example.com/{n}", "title": f"Page {n}", "snippet": "Open. " * 99} for n in range(9)
    ]
    return _event({"search_results": pages})


def _event(fields: dict[str, Any]) -> bytes:
    body = {"choices": [{"index": 0, "delta": {"content": ""}}]} | fields
    return f"data: {json.dumps(body)}\n\n".encode()


BODIES: Final[Mapping[str, dict[str, Any]]] = {
    "empty pages": {"search_results": [{}] * ITEMS},
    "pages": {"search_results": [{"url": f"https://example.com/{n}"} for n in range(ITEMS)]},
    "deep": {"search_results": json.loads("[" * 400 + "]" * 400)},
}


def as_body(fields: dict[str, Any]) -> Handler:
    """A response that is one JSON body."""
    body = {"choices": [{"message": {"content": "Open [1]."}, "finish_reason": "stop"}]} | fields

    async def behave(_: web.Request) -> web.StreamResponse:
        return web.json_response(body)

    return behave


@dataclass(slots=True)
class Held:
    """What one answer cost: CPU seconds of the process, of the longest step of the loop; ``/healthz``'s."""

    cpu: float
    step: float
    health: float


@contextlib.asynccontextmanager
async def supplying(behave: Handler) -> AsyncIterator[AnswerSource]:
    """A source of answers that asks a supplier which behaves so."""
    async with serving_routes(web.post("/{path:.+}", behave)) as url:
        given = {"ANSWER_SOURCE": "perplexity", "PERPLEXITY_API_KEY": "x", "PERPLEXITY_BASE_URL": url}
        yield choose(Settings.from_env(given), "127.0.0.1:1")


async def hold(behave: Handler, channel_id: str) -> Held:
    """Have one question answered, and look at the event loop meanwhile."""
    person = {"channelId": channel_id, "conversation": {"id": "c1", "conversationType": "personal"}}
    async with supplying(behave) as source, connecting() as connector, running(source) as authority:
        health, steps = asyncio.create_task(_watch_health(authority)), _watch_loop()
        begun = time.process_time()
        await send(authority, message(connector.service_url, "When does it open?", **person))
        async with asyncio.timeout(300):
            while json.loads((await connector.next_bytes())[1])["type"] != "message":
                pass
        cpu = time.process_time() - begun
        health.cancel()
        return Held(cpu, steps(), await health)


def _watch_loop() -> Callable[[], float]:
    """Note each round of the event loop, in which all that is ready has its turn.

    What is returned ends that, and returns the CPU seconds of the longest one.
    """
    loop: Any = asyncio.get_running_loop()
    run_once, longest = loop._run_once, 0.0

    def note() -> None:
        nonlocal longest
        begun = time.thread_time()
        run_once()
        longest = max(longest, time.thread_time() - begun)

    def end() -> float:
        del loop._run_once
        return longest

    loop._run_once = note
    return end


async def _watch_health(authority: str) -> float:
    """The seconds of the slowest response of ``/healthz`` until it is cancelled."""
    slowest = 0.0
    with contextlib.suppress(asyncio.CancelledError):
        async with aiohttp.ClientSession() as session:
            while True:
                begun = time.perf_counter()
                async with session.get(f"http://{authority}/healthz") as response:
                    await response.read()
                slowest = max(slowest, time.perf_counter() - begun)
                await asyncio.sleep(0.02)
    return slowest


async def main() -> None:
    """Print a line for each input."""
    cases = {
        f"{name}, {how.__name__}": how(text)
        for name, text in TEXTS.items()
        for how in (in_one_piece, in_pieces)
    }
    cases |= {f"{name}, in JSON": as_body(fields) for name, fields in BODIES.items()}
    print(f"{'':32}{'':9}{'CPU s':>8}{'step ms':>9}{'healthz ms':>12}")
    for name, behave in cases.items():
        for channel_id in ("webchat", "msteams"):
            held = await hold(behave, channel_id)
            print(
                f"{name:32}{channel_id:9}{held.cpu:8.2f}{held.step * 1000:9.0f}{held.health * 1000:12.0f}",
                flush=True,
            )


if __name__ == "__main__":
    asyncio.run(main())
