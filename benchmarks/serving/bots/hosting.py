"""What every bot of the benchmark runs in: a port for activities, another that tells what they cost."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Final

from aiohttp import web

from .lag import LoopLag
from .samples import Samples

APP_ID: Final = "0c3d4b55-1111-4222-8333-000000000001"
"""Whose tokens the token service gives."""


def arguments() -> argparse.Namespace:
    """What a bot is started with."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--activity", type=Path, help="the activity to answer with, as JSON")
    parser.add_argument(
        "--entra", default="", help="a token service's URL; without one every caller is answered"
    )
    return parser.parse_args()


def answer(options: argparse.Namespace) -> dict[str, object]:
    """The fields of the activity to answer with."""
    read: dict[str, object] = json.loads(options.activity.read_text("utf-8"))
    return read


async def host(app: web.Application) -> None:
    """Serve ``app`` until the standard input ends."""
    await measured(await _serve(app))


async def measured(port: int) -> None:
    """Let be asked what the bot at ``port`` costs, until the standard input ends.

    That port, and the one to ask at, are printed as a line of JSON.
    """
    print(json.dumps({"bot": port, "gauge": await _serve(_gauge())}), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    # The process is about to end, and no caller waits for an answer.
    os._exit(0)


async def _serve(app: web.Application) -> int:
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    port: int = runner.addresses[0][1]
    return port


def _gauge() -> web.Application:
    lag, samples = LoopLag(), Samples()

    async def begin(request: web.Request) -> web.Response:
        if "lag" in request.query:
            lag.begin()
        if "profile" in request.query:
            samples.begin()
        return web.json_response({"cpu": time.process_time()})

    async def end(_: web.Request) -> web.Response:
        cpu = time.process_time()
        measured = {"cpu": cpu, "lag": lag.end(), "samples": samples.end()}
        gc.collect()
        return web.json_response({**measured, "resident": resident()})

    app = web.Application()
    app.add_routes([web.get("/begin", begin), web.get("/end", end)])
    return app


def resident() -> int:
    """Bytes of this process' memory that are in RAM; 0 where the system doesn't say (``/proc``)."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0
