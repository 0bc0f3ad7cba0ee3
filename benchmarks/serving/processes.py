"""The processes of the benchmark, and how to talk to them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any


@contextlib.asynccontextmanager
async def started(
    module: str, *arguments: str, python: str = sys.executable, environment: Mapping[str, str] | None = None
) -> AsyncIterator[dict[str, Any]]:
    """Run a module until the block ends; what it prints as JSON when it is ready.

    It ends when its standard input does, so that none outlives us.
    """
    process = await asyncio.create_subprocess_exec(
        python, "-m", module, *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=None if os.environ.get("SERVING_SHOW_LOGS") else asyncio.subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        ready = await process.stdout.readline()
        if not ready:
            raise SystemExit(f"{module} did not start: see its log with SERVING_SHOW_LOGS=1")
        report: dict[str, Any] = json.loads(ready)
        yield report
    finally:
        process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(10):
                await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()
