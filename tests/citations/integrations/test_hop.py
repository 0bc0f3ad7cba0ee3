"""The sample of Web Chat's CITATION.md arrives at a bot on each SDK, and goes on to each channel with its citations.

The code that does so is that of docs/integrations.md.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from microsoft_agents.hosting.core import TurnContext
from microsoft_teams.api import MessageActivity
from microsoft_teams.apps import ActivityContext, App

from citations import Reference, channel, read_message, render
from citations.integrations import agents, botbuilder, teams
from citations.markdown import escape_markers
from tests.sample_message import SAMPLE

from .bots import agents_adapter, botbuilder_adapter, post, post_to_teams, run_turn
from .connector import Activity, KeepingConnector, incoming, serving
from .expected import assert_arrived
from .page import blocks

TEXT = """Sure, you should override the default proxy settings[1]\u200b[2], when your proxy server requires authentication[3].

[1]: https://support.microsoft.com/en-us/windows/use-a-proxy-server-in-windows-03096c53-0554-4ffe-b6ab-8b1deee8dae1 "Use a proxy server in Windows"
[2]: https://learn.microsoft.com/en-us/troubleshoot/windows-server/networking/configure-proxy-server-settings "Configure proxy server settings - Windows Server"
[3]: cite:1 "Introduction Configuring proxy settings is a fundamental aspect..."
"""
GRAPH = json.loads(SAMPLE.read_text(encoding="utf-8"))
CHANNELS = ["webchat", "msteams", "sms"]
each_channel = pytest.mark.parametrize("channel_id", CHANNELS)


@pytest.fixture
async def connector() -> AsyncIterator[KeepingConnector]:
    async with serving() as running:
        yield running


def sample(connector: KeepingConnector, channel_id: str) -> Activity:
    mention = {"type": "mention", "text": "<at>Bot</at>", "mentioned": {"id": "bot", "name": "Bot"}}
    return incoming(connector, channel_id, TEXT, textFormat="markdown", entities=[mention, GRAPH])


def run_block(start: str, names: dict[str, Any]) -> dict[str, Any]:
    """Run the block of the page that begins so, where these names are known."""
    [block] = [one for one in blocks("docs/integrations.md") if one.startswith(start)]
    exec(compile(block, "docs/integrations.md", "exec"), names)
    return names


def assert_passed_on(connector: KeepingConnector, channel_id: str) -> None:
    expected = render(
        read_message({"type": "message", "text": TEXT, "entities": [GRAPH]}), channel(channel_id)
    )
    assert len(connector.messages) == len(expected.to_activities())
    for arrived, one in zip(connector.messages, expected.to_activities(), strict=True):
        assert_arrived(arrived, one)
    seen = json.dumps(connector.messages, ensure_ascii=False)
    for claim in GRAPH["citation"]:
        assert claim["appearance"].get("url", "Sample Citation From File") in seen
    if channel_id == "webchat":
        assert len(connector.messages[0]["entities"][0]["citation"]) == 3
        assert "Aute Lorem id laboris" in seen
    if channel_id != "sms":
        assert "Confidential" in seen


@each_channel
async def test_through_botbuilder(channel_id: str, connector: KeepingConnector) -> None:
    names = {"TurnContext": Any, "read_message": read_message, "raw_message": botbuilder.raw_message}
    turn = run_block("async def pass_on_with_botbuilder", names)["pass_on_with_botbuilder"]
    adapter = botbuilder_adapter(botbuilder.CitationMiddleware())
    await run_turn(adapter, sample(connector, channel_id), turn)
    assert_passed_on(connector, channel_id)


async def test_a_person_cites_nothing(connector: KeepingConnector) -> None:
    names = {"TurnContext": Any, "Reference": Reference, "escape_markers": escape_markers}
    echo = run_block("async def echo", names)["echo"]
    adapter = botbuilder_adapter(botbuilder.CitationMiddleware())
    await run_turn(adapter, incoming(connector, "msteams", "The limit of [1] is wrong"), echo)
    [sent] = connector.messages
    shown = unescape(sent["text"]).replace("\u200b", "")
    assert shown == "You said: The limit of [1] is wrong. Set a proxy [1]."
    assert sent["text"].count("[1]") == 1
    assert [one["position"] for one in sent["entities"][0]["citation"]] == [1]


@each_channel
async def test_through_the_agents_sdk(channel_id: str, connector: KeepingConnector) -> None:
    adapter = agents_adapter(agents.CitationMiddleware())

    async def turn(context: TurnContext) -> None:
        assert [one.type for one in context.activity.entities] == ["mention"]
        context.turn_state["references"] = read_message(agents.raw_message(context.activity))
        await context.send_activity(context.activity.text)

    names = {
        "web": web,
        "adapter": adapter,
        "agent": SimpleNamespace(on_turn=turn),
        "KeptGraph": agents.KeptGraph,
    }
    endpoint: Callable[[web.Request], Awaitable[web.Response]] = run_block("async def messages", names)[
        "messages"
    ]
    await post(endpoint, sample(connector, channel_id))
    assert adapter.failures.errors == []
    assert_passed_on(connector, channel_id)


async def test_through_the_teams_sdk(connector: KeepingConnector) -> None:
    names = {
        "App": App,
        "ActivityContext": ActivityContext,
        "GraphKeepingAdapter": teams.GraphKeepingAdapter,
        "MessageActivity": MessageActivity,
        "cited_message": teams.cited_message,
        "raw_message": teams.raw_message,
        "read_message": read_message,
    }
    app = run_block("app = App(http_server_adapter=GraphKeepingAdapter()", names)["app"]
    assert await post_to_teams(app, sample(connector, "msteams")) == 200
    assert_passed_on(connector, "msteams")
