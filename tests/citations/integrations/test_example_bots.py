"""The bots in ``examples/``, each in its own process, asked over its own HTTP endpoint."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import aiohttp
import pytest

from citations import Reference

from .connector import KeepingConnector, incoming, serving
from .example_bots import running_example
from .expected import PROXY, TEXT, assert_arrived, rendered

STREAMED = TEXT, tuple(replace(one, label=None, extract=False) for one in PROXY)
WHOLE = "Set a proxy [1].", (Reference(id="1", name="Network", url="https://example.com/network"),)
BOTS = [
    ("agents_bot", ""),
    ("botbuilder_bot", ""),
    ("teams_bot", ""),
    ("agents_stream", "webchat msteams"),
    ("teams_stream", "msteams"),
]


async def ask(endpoint: str, connector: KeepingConnector, channel_id: str, kind: str = "personal") -> None:
    conversation = {"id": "c1", "conversationType": kind, "tenantId": "t1"}
    question = incoming(connector, channel_id, conversation=conversation)
    async with aiohttp.ClientSession() as client, client.post(endpoint, json=question) as response:
        assert response.status in (200, 201, 202), await response.text()
    async with asyncio.timeout(60):
        while not connector.messages:
            await asyncio.sleep(0.02)


async def assert_answered(
    endpoint: str,
    channel_id: str,
    answer: tuple[str, tuple[Reference, ...]],
    *,
    streamed: bool,
    kind: str = "personal",
) -> None:
    async with serving() as connector:
        await ask(endpoint, connector, channel_id, kind)
        # The Teams SDK says in channelData, too, what the stream is.
        others = ("channelData",) if streamed else ()
        assert_arrived(*connector.messages, *rendered(channel_id, *answer), streamed=streamed, others=others)
        texts = [one["text"] for one in connector.activities]
        assert (len(texts) > 1) == streamed
        if channel_id == "msteams":
            assert all(after.startswith(before) for before, after in pairwise(texts))


@pytest.mark.parametrize(("bot", "streamed"), BOTS)
async def test_each_bot_sends_what_render_prints(bot: str, streamed: str) -> None:
    """Streamed in ``streamed``, whole in the others."""
    asked = ["msteams"] if bot.startswith("teams") else ["webchat", "msteams", "sms"]
    answer = WHOLE if bot.endswith("_bot") else STREAMED
    async with running_example(bot) as authority:
        endpoint = f"http://{authority}/api/messages"
        await asyncio.gather(
            *(assert_answered(endpoint, one, answer, streamed=one in streamed) for one in asked)
        )
        if bot == "teams_stream":
            await assert_answered(endpoint, "msteams", answer, streamed=False, kind="groupChat")
