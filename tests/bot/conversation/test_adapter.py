"""What the adapter answers a request with, over a socket: replies, and what an invoke is answered with."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import web
from botbuilder.core import InvokeResponse, TurnContext
from botbuilder.schema import Activity, ActivityTypes, ConversationAccount, ConversationReference
from botbuilder.schema.teams import MessagingExtensionResponse, MessagingExtensionResult

from bot.access.sdk_authentication import Authentication
from bot.config.routes import MESSAGES
from bot.config.service_urls import ServiceUrls
from bot.config.timeouts import Timeouts
from bot.connector import Connectors, ForeignService
from bot.conversation.adapter import Adapter
from bot.http.guard import guard
from bot.languages import Sentence, say
from citations.integrations.botbuilder import WholeEntity
from tests.bot.running import connecting, message, send

GRAPH = {
    "type": "https://schema.org/Message",
    "@context": "https://schema.org",
    "citation": [{"@type": "Claim", "position": 1}],
}


@dataclass(slots=True)
class SendingBot:
    """A bot that sends these activities."""

    activities: list[Any]

    async def on_turn(self, context: TurnContext) -> None:
        await context.send_activities(self.activities)


class FailingBot:
    """A bot that has nothing to say."""

    async def on_turn(self, context: TurnContext) -> None:
        raise ValueError


def served(*activities: Any) -> contextlib.AbstractAsyncContextManager[str]:
    return serving(SendingBot(list(activities)), Timeouts())


@contextlib.asynccontextmanager
async def serving(bot: Any, timeouts: Timeouts) -> AsyncIterator[str]:
    connectors = Connectors(None, ServiceUrls())
    adapter = Adapter(Authentication(connectors), timeouts)

    async def messages(request: web.Request) -> web.Response:
        return await adapter.process(request, bot)

    app = web.Application(middlewares=[guard(ServiceUrls(), adapter.identify)])
    app.router.add_post(MESSAGES, messages)
    await connectors.open()
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
        await connectors.close()


def responding(body: Any, status: int = 200) -> Activity:
    return Activity(type=ActivityTypes.invoke_response, value=InvokeResponse(status=status, body=body))


BODIES = [
    ({}, {}),
    ({"task": {"type": "message", "value": "Grüße"}}, {"task": {"type": "message", "value": "Grüße"}}),
    ([1, {"a": None}], [1, {"a": None}]),
    ([], []),
    ("done", "done"),
    (7, 7),
    (True, True),
    (
        MessagingExtensionResponse(compose_extension=MessagingExtensionResult(type="result", text="Grüße")),
        {"composeExtension": {"type": "result", "text": "Grüße"}},
    ),
]


@pytest.mark.parametrize(("body", "expected"), BODIES)
async def test_an_invoke_is_answered_with_its_body(body: Any, expected: Any) -> None:
    async with served(responding(body, 202)) as bot, connecting() as connector:
        status, answer = await send(bot, message(connector.service_url, "", type="invoke", name="x"))
        assert status == 202
        assert json.loads(answer) == expected
        assert connector.rest() == []


async def test_an_invoke_may_be_answered_with_nothing() -> None:
    async with served(responding(None)) as bot, connecting() as connector:
        assert await send(bot, message(connector.service_url, "", type="invoke", name="x")) == (200, "")


async def test_an_invoke_that_nobody_answers_is_501() -> None:
    async with served(Activity(type="message", text="Hello")) as bot, connecting() as connector:
        assert (await send(bot, message(connector.service_url, "", type="invoke", name="x")))[0] == 501
        assert (await connector.next())["text"] == "Hello"


async def test_replies_come_in_the_response_with_all_that_is_in_them() -> None:
    said = Activity(type="message", text="Grüße [1]", entities=[WholeEntity(GRAPH)])
    async with served(Activity(type="typing"), said) as bot, connecting() as connector:
        asked = message(connector.service_url, "q", deliveryMode="expectReplies")
        status, answer = await send(bot, asked)
        assert status == 200
        typing, reply = json.loads(answer)["activities"]
        assert typing["type"] == "typing"
        assert (reply["text"], reply["entities"]) == ("Grüße [1]", [GRAPH])
        assert reply["conversation"]["id"] == "c1"
        assert connector.rest() == []


async def test_what_a_channel_is_not_sent_is_not_sent() -> None:
    trace = Activity(type=ActivityTypes.trace, name="trace", value={})
    delay = Activity(type="delay", value=1)
    async with served(trace, delay, Activity(type="message", text="Hello")) as bot, connecting() as connector:
        assert (await send(bot, message(connector.service_url, "q")))[0] == 201
        assert [one["text"] for one in connector.rest()] == ["Hello"]


async def test_a_reply_names_what_it_replies_to_where_the_channel_has_threads() -> None:
    async with served(Activity(type="message", text="Hello")) as bot, connecting() as connector:
        await send(bot, message(connector.service_url, "q", channelId="slack", id="q1"))
        path, _ = await connector.next_bytes()
        assert path == "/v3/conversations/c1/activities/q1"
        await send(bot, message(connector.service_url, "q", channelId="webchat", id="q2"))
        path, _ = await connector.next_bytes()
        assert path == "/v3/conversations/c1/activities"


async def test_a_stored_reference_leads_nowhere_else() -> None:
    connectors = Connectors(None, ServiceUrls())
    await connectors.open()
    adapter = Adapter(Authentication(connectors))
    said: list[TurnContext] = []

    async def go_on(context: TurnContext) -> None:
        said.append(context)

    try:
        for url in ("https://evil.test/", "https://webchat.botframework.com/"):
            reference = ConversationReference(
                channel_id="webchat", service_url=url, conversation=ConversationAccount(id="c1")
            )
            with pytest.raises(ForeignService):
                await adapter.continue_conversation(reference, go_on, "")
    finally:
        await connectors.close()
    assert said == []


async def test_a_turn_that_fails_is_told_of_by_us_while_there_is_time_and_else_by_the_channel() -> None:
    for budget, status, said in ((5.0, 201, [say(Sentence.CRASHED)]), (0.0, 502, [])):
        async with connecting() as connector, serving(FailingBot(), Timeouts(budget=budget)) as bot:
            assert (await send(bot, message(connector.service_url, "x")))[0] == status
            assert [one["text"] for one in connector.rest()] == said
