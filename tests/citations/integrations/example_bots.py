"""The bots in ``examples/``, each in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from tests.ports import free_port

EXAMPLES = Path(__file__).parents[3] / "examples"


@contextlib.asynccontextmanager
async def running_example(bot: str) -> AsyncIterator[str]:
    """The bot's authority, such as ``127.0.0.1:40123``, while its process runs."""
    port = free_port()
    program = (EXAMPLES / f"{bot}.py").read_text("utf-8").replace("3978", str(port))
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, cwd=EXAMPLES.parent)
    try:
        async with asyncio.timeout(60):
            while True:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                assert process.returncode is None
                await asyncio.sleep(0.05)
        yield f"127.0.0.1:{port}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
