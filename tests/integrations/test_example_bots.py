"""The bots in ``examples/``, each in its own process, asked over its own HTTP endpoint."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import aiohttp
import pytest

from .connector import KeepingConnector, incoming, serving
from .expected import PROXY, TEXT, assert_arrived, rendered

EXAMPLES = Path(__file__).parents[2] / "examples"
FOUND = tuple(replace(one, label=None, extract=False) for one in PROXY)
BOTS = [("botbuilder_bot", ""), ("agents_bot", "webchat msteams"), ("teams_bot", "msteams")]


@contextlib.asynccontextmanager
async def running(bot: str) -> AsyncIterator[str]:
    """The bot's messaging endpoint, while its process runs."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = (sys.executable, "-m", f"examples.{bot}", str(port))
    process = await asyncio.create_subprocess_exec(*command, cwd=EXAMPLES.parent)
    try:
        async with asyncio.timeout(60):
            while True:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                assert process.returncode is None
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}/api/messages"
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def ask(endpoint: str, connector: KeepingConnector, channel_id: str, kind: str = "personal") -> None:
    conversation = {"id": "c1", "conversationType": kind, "tenantId": "t1"}
    question = incoming(connector, channel_id, conversation=conversation)
    async with aiohttp.ClientSession() as client, client.post(endpoint, json=question) as response:
        assert response.status in (200, 201, 202), await response.text()
    async with asyncio.timeout(30):
        while not connector.messages:
            await asyncio.sleep(0.02)


async def assert_answered(endpoint: str, channel_id: str, *, streamed: bool, kind: str = "personal") -> None:
    async with serving() as connector:
        await ask(endpoint, connector, channel_id, kind)
        # The Teams SDK says in channelData, too, what the stream is.
        others = ("channelData",) if streamed else ()
        assert_arrived(
            *connector.messages, *rendered(channel_id, TEXT, FOUND), streamed=streamed, others=others
        )
        texts = [one["text"] for one in connector.activities]
        assert (len(texts) > 1) == streamed
        if channel_id == "msteams":
            assert all(after.startswith(before) for before, after in pairwise(texts))


@pytest.mark.parametrize(("bot", "streamed"), BOTS)
async def test_each_bot_sends_what_render_prints(bot: str, streamed: str) -> None:
    """Streamed in ``streamed``, whole in the others."""
    assert len((EXAMPLES / f"{bot}.py").read_text("utf-8").splitlines()) < 60
    asked = ["msteams"] if bot == "teams_bot" else ["webchat", "msteams", "sms"]
    async with running(bot) as endpoint:
        await asyncio.gather(*(assert_answered(endpoint, one, streamed=one in streamed) for one in asked))
        if bot == "teams_bot":
            await assert_answered(endpoint, "msteams", streamed=False, kind="groupChat")
