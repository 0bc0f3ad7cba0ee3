"""The bot's command, in a process of its own or in this one."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import patch

import app

from .running import logged

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


def run_here(*arguments: str, **environ: str) -> tuple[int, str, str]:
    """The exit code of the command and what it writes, without a process, which takes a second to start.

    Not in a coroutine, as the command has an event loop of its own.
    """
    out, errors = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, {"LOCAL_MODEL": "off", **environ}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
        logged(),
    ):
        code = app.main(arguments)
    return code, out.getvalue(), errors.getvalue()


def refused_here(*arguments: str, **environ: str) -> list[str]:
    """The lines about settings that the command refuses before it does anything."""
    code, out, errors = run_here(*arguments, **environ)
    assert (code, out) == (2, "")
    return errors.splitlines()
