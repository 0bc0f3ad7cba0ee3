"""The bots in ``examples/``, each in its own process, asked over its own HTTP endpoint."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import aiohttp
import pytest

from .connector import KeepingConnector, incoming, serving
from .example_bots import EXAMPLES, running_example
from .expected import PROXY, TEXT, assert_arrived, rendered

FOUND = tuple(replace(one, label=None, extract=False) for one in PROXY)
BOTS = [("botbuilder_bot", ""), ("agents_bot", "webchat msteams"), ("teams_bot", "msteams")]


async def ask(endpoint: str, connector: KeepingConnector, channel_id: str, kind: str = "personal") -> None:
    conversation = {"id": "c1", "conversationType": kind, "tenantId": "t1"}
    question = incoming(connector, channel_id, conversation=conversation)
    async with aiohttp.ClientSession() as client, client.post(endpoint, json=question) as response:
        assert response.status in (200, 201, 202), await response.text()
    async with asyncio.timeout(60):
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
    async with running_example(bot) as authority:
        endpoint = f"http://{authority}/api/messages"
        await asyncio.gather(*(assert_answered(endpoint, one, streamed=one in streamed) for one in asked))
        if bot == "teams_bot":
            await assert_answered(endpoint, "msteams", streamed=False, kind="groupChat")
