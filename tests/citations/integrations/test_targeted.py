"""A question that a member of a group asks a bot alone: whatever the bot sends in its turn, that person alone reads it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from botbuilder.schema import Activity as BotBuilderActivity
from microsoft_agents.activity import Activity as AgentsActivity
from microsoft_agents.activity import ChannelAccount
from microsoft_teams.api import Account

from citations import LabelRanking, SensitivityLabel
from citations.integrations import agents, botbuilder
from citations.integrations.teams import cited_message
from tests.sample_message import RANKING, SOURCES

from .bots import agents_adapter, botbuilder_adapter, run_teams_turn, run_turn
from .connector import Activity, KeepingConnector, incoming, serving
from .expected import PROXY, TEXT, rendered

BOT = {"id": "bot", "name": "Bot"}
GROUP = {"id": "g1", "conversationType": "groupChat", "isGroup": True, "tenantId": "t1"}
QUERY = "?isTargetedActivity=true"
WITHHELD = "Override it[1], as the guide says[3]."
GENERAL = SensitivityLabel(id="general", name="General", priority=0)
CEILED = LabelRanking(
    labels=(GENERAL, SensitivityLabel(id="board", name="Board", priority=1)), ceilings={"*": "general"}
)
BOARD = (replace(PROXY[0], label="board"),)

Run = Callable[[KeepingConnector, Callable[[Any], Awaitable[None]]], Awaitable[object]]


@pytest.fixture
async def connector() -> AsyncIterator[KeepingConnector]:
    async with serving() as running:
        yield running


def question(connector: KeepingConnector, *, targeted: bool = True) -> Activity:
    recipient = {**BOT, "isTargeted": True} if targeted else BOT
    return incoming(connector, "msteams", recipient=recipient, conversation=GROUP)


SDKS = {
    "botbuilder": (botbuilder_adapter, botbuilder.CitationMiddleware, BotBuilderActivity),
    "agents": (agents_adapter, agents.CitationMiddleware, AgentsActivity),
}
each_sdk = pytest.mark.parametrize("sdk", SDKS)


def adapter_of(sdk: str, **options: Any) -> Any:
    adapter, middleware, _ = SDKS[sdk]
    return adapter(middleware(**options))


def text_and_graph(sent: Activity) -> tuple[str, list[Activity]]:
    """What the SDKs' own entities are left out of."""
    graph = [one for one in sent["entities"] if one["type"] == "https://schema.org/Message"]
    return sent["text"], graph


@each_sdk
async def test_all_that_is_sent_is_for_the_asker_alone(sdk: str, connector: KeepingConnector) -> None:
    activity = SDKS[sdk][2]

    async def turn(context: Any) -> None:
        await context.send_activity(activity(type="typing"))
        await context.send_activity("One moment.")
        context.turn_state["references"] = SOURCES
        await context.send_activity(WITHHELD)

    await run_turn(adapter_of(sdk, ranking=RANKING), question(connector), turn)
    assert len(connector.bodies) == len(connector.messages) == 2, "a typing has no private form"
    assert all(one.startswith("POST") and one.endswith(QUERY) for one in connector.requests)
    assert [one["recipient"]["id"] for one in connector.messages] == ["person", "person"]
    [expected] = rendered("msteams", WITHHELD, SOURCES, RANKING)
    assert text_and_graph(connector.messages[1]) == text_and_graph(expected)


async def test_botbuilder_says_so_in_the_body_too(connector: KeepingConnector) -> None:
    """Its model of an account has no such field."""
    await run_turn(adapter_of("botbuilder"), question(connector), lambda context: context.send_activity(TEXT))
    assert connector.messages[0]["recipient"] == {"id": "person", "name": "Ada", "isTargeted": True}


@each_sdk
async def test_a_public_question_gets_a_public_answer(sdk: str, connector: KeepingConnector) -> None:
    """Also behind a targeted one, with the same adapter."""
    adapter = adapter_of(sdk)
    for targeted in (True, False):
        await run_turn(
            adapter,
            question(connector, targeted=targeted),
            lambda context: context.send_activity(TEXT),
        )
    private, public = connector.requests
    assert private == public + QUERY
    assert "isTargeted" not in connector.bodies[1].decode()


@each_sdk
async def test_a_withheld_answer_is_targeted_too(sdk: str, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = BOARD
        await context.send_activity(TEXT)

    await run_turn(adapter_of(sdk, ranking=CEILED), question(connector), turn)
    assert "proxy" not in connector.messages[0]["text"]
    assert connector.requests[0].endswith(QUERY)


@each_sdk
async def test_what_follows_the_turn_is_targeted_too(sdk: str, connector: KeepingConnector) -> None:
    adapter = adapter_of(sdk)

    async def later(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await context.send_activity(TEXT)

    async def turn(context: Any) -> None:
        if sdk == "agents":
            reference = context.activity.get_conversation_reference()
            await adapter.continue_conversation_with_claims(
                context.identity, reference.get_continuation_activity(), later
            )
        else:
            reference = context.get_conversation_reference(context.activity)
            await adapter.continue_conversation(reference, later, "app")

    await run_turn(adapter, question(connector), turn)
    assert connector.requests[0].endswith(QUERY)
    assert text_and_graph(connector.messages[0]) == text_and_graph(rendered("msteams")[0])


@each_sdk
async def test_an_update_and_a_removal(sdk: str, connector: KeepingConnector) -> None:
    """The Agents SDK 1.9 writes the parameter into neither, botbuilder into no request."""

    async def turn(context: Any) -> None:
        sent = await context.send_activity("One moment.")
        context.turn_state["references"] = PROXY
        await context.update_activity(SDKS[sdk][2](type="message", text=TEXT, id=sent.id))
        await context.delete_activity(sent.id)

    await run_turn(adapter_of(sdk), question(connector), turn)
    path = f"/v3/conversations/g1/activities/a1{QUERY}"
    assert connector.requests[1:] == [f"PUT {path}", f"DELETE {path}"]
    assert "recipient" not in connector.messages[1], "Teams refuses an update that has one (400)"
    assert text_and_graph(connector.messages[1]) == text_and_graph(rendered("msteams")[0])


async def test_the_agents_sdk_streams_nothing_to_one_person(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        response = context.streaming_response
        response._interval = 0
        for piece in ("Set a proxy [2]", ", and never", " two [1][2]."):
            response.queue_text_chunk(piece)
            await response.wait_for_queue()
        await response.end_stream()

    await run_turn(adapter_of("agents"), question(connector), turn)
    [sent] = connector.messages
    assert connector.requests == [f"POST /v3/conversations/g1/activities/q1{QUERY}"]
    assert text_and_graph(sent) == text_and_graph(rendered("msteams")[0])
    assert "streaminfo" not in {one["type"] for one in sent["entities"]}


@pytest.mark.parametrize("ranking", [None, CEILED])
async def test_a_message_that_the_bot_targets_stays_so(
    ranking: LabelRanking | None, connector: KeepingConnector
) -> None:
    """To another person, in answer to a public question, and where its answer is withheld."""

    async def turn(context: Any) -> None:
        message = AgentsActivity(type="message", text=TEXT, channel_data={"references": BOARD})
        await context.send_activity(message.make_targeted_activity(ChannelAccount(id="other")))

    await run_turn(adapter_of("agents", ranking=ranking), question(connector, targeted=False), turn)
    assert connector.requests[0].endswith(QUERY)
    assert connector.messages[0]["recipient"]["id"] == "other"


async def test_the_teams_sdk_targets_by_itself(connector: KeepingConnector) -> None:
    """A reply; an update says for whom the message was."""

    async def turn(context: Any) -> None:
        sent = await context.send(cited_message("One moment [1].", PROXY))
        update = cited_message(TEXT, PROXY).with_id(sent.id)
        update.recipient = Account(id="person", is_targeted=True)
        await context.send(update)

    await run_teams_turn(question(connector), turn)
    path = "/v3/conversations/g1/activities"
    assert connector.requests == [f"POST {path}{QUERY}", f"PUT {path}/a1{QUERY}"]
    sent, update = connector.messages
    assert sent["recipient"]["id"] == "person"
    assert sent["recipient"]["isTargeted"] is True
    assert [one["messageId"] for one in sent["entities"] if one["type"] == "targetedMessageInfo"] == ["q1"]
    [expected] = rendered("msteams")
    assert text_and_graph(update) == text_and_graph(expected)
