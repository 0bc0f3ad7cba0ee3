"""The bot of ``slow_app`` in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator

from .command import ROOT, ready


@contextlib.asynccontextmanager
async def started(**environ: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The process and its authority."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.bot.slow_app"),
        cwd=ROOT,
        env={**os.environ, "PORT": "0", **environ},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process, (await ready(process)).split("/")[2]
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
