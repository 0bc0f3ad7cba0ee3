"""The bot's command in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import app

ROOT = Path(app.__file__).parent


@contextlib.asynccontextmanager
async def started(*arguments: str, **environ: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "app.py",
        *arguments,
        cwd=ROOT,
        env={**os.environ, "LOCAL_MODEL": "off", **environ},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def ready(process: asyncio.subprocess.Process) -> str:
    """The URL in the line that says it is ready."""
    assert process.stdout
    async with asyncio.timeout(60):
        line = (await process.stdout.readline()).decode()
    assert line.startswith("Ready: ask "), line
    return line.split()[-1]


async def refused(*arguments: str, **environ: str) -> list[str]:
    async with started(*arguments, **environ) as process:
        async with asyncio.timeout(60):
            out, errors = await process.communicate()
    assert process.returncode == 2
    assert out == b""
    return errors.decode().splitlines()
