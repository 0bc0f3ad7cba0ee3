"""What each SDK does to a graph that it is handed otherwise. A test that fails here tells that the SDK was mended.

docs/integrations.md explains each of them to those whose badges don't show.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from aiohttp import ClientResponseError
from botbuilder.schema import Activity as BotBuilderActivity
from botbuilder.schema import Entity as BotBuilderEntity
from microsoft_agents.activity import Activity as AgentsActivity
from microsoft_agents.activity import Entity as AgentsEntity
from microsoft_agents.hosting.core.app.streaming.citation import Citation
from microsoft_teams.api import CitationAppearance, MessageActivityInput
from pydantic import ValidationError

from citations.integrations import botbuilder, teams
from tests.sample_message import SAMPLE

from .bots import agents_adapter, botbuilder_adapter, run_teams_turn, run_turn
from .connector import KeepingConnector, incoming, serving
from .expected import PROXY, TEXT, rendered

GRAPH: dict[str, Any] = json.loads(SAMPLE.read_text(encoding="utf-8"))
"""The sample of Web Chat's CITATION.md."""
[PLAIN] = rendered("webchat", TEXT, PROXY)[0]["entities"]
"""A graph without a coloured label."""


@pytest.fixture
async def connector() -> AsyncIterator[KeepingConnector]:
    async with serving() as running:
        yield running


async def arrived_from_botbuilder(connector: KeepingConnector, *entities: Any) -> list[dict[str, Any]]:
    async def turn(context: Any) -> None:
        await context.send_activity(BotBuilderActivity(type="message", text=TEXT, entities=[*entities]))

    await run_turn(botbuilder_adapter(), incoming(connector, "webchat"), turn)
    found: list[dict[str, Any]] = connector.messages[-1]["entities"]
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(dict, id="a dict"),
        pytest.param(lambda node: BotBuilderEntity(**node), id="Entity(**node)"),
        pytest.param(
            lambda node: BotBuilderEntity(type=node["type"], additional_properties=node), id="by name"
        ),
        pytest.param(BotBuilderEntity.deserialize, id="Entity.deserialize"),
    ],
)
async def test_botbuilder_sends_the_type_alone(
    make: Callable[[Any], Any], connector: KeepingConnector
) -> None:
    assert await arrived_from_botbuilder(connector, make(GRAPH)) == [{"type": "https://schema.org/Message"}]


async def test_botbuilder_loses_what_it_passes_on(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        assert context.activity.entities[0].additional_properties["citation"]
        await context.send_activity(
            BotBuilderActivity(type="message", text=TEXT, entities=context.activity.entities)
        )

    await run_turn(botbuilder_adapter(), incoming(connector, "webchat", entities=[GRAPH]), turn)
    assert connector.messages[-1]["entities"] == [{"type": "https://schema.org/Message"}]


async def test_botbuilders_handler_of_messages_sees_no_update(connector: KeepingConnector) -> None:
    seen = []

    async def sending(_: Any, activities: list[Any], following: Callable[[], Any]) -> Any:
        seen.extend(activities)
        return await following()

    async def turn(context: Any) -> None:
        context.on_send_activities(sending)
        await context.update_activity(BotBuilderActivity(type="message", id="a1", text=TEXT))

    await run_turn(botbuilder_adapter(), incoming(connector, "webchat"), turn)
    assert connector.requests
    assert seen == []


async def test_botbuilder_fails_where_replies_are_expected(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        await context.send_activity("No citation at all.")

    with pytest.raises(ClientResponseError, match="500"):
        await run_turn(
            botbuilder_adapter(), incoming(connector, "webchat", deliveryMode="expectReplies"), turn
        )


async def arrived_from_agents(connector: KeepingConnector, *entities: Any) -> list[dict[str, Any]]:
    async def turn(context: Any) -> None:
        await context.send_activity(AgentsActivity(type="message", text=TEXT, entities=[*entities]))

    await run_turn(agents_adapter(), incoming(connector, "webchat"), turn)
    found: list[dict[str, Any]] = connector.messages[-1]["entities"]
    return found


async def test_the_agents_sdk_refuses_a_coloured_label(connector: KeepingConnector) -> None:
    with pytest.raises(ValidationError, match=r"pattern\.at_type|DefinedTerm"):
        await arrived_from_agents(connector, GRAPH)


async def test_the_agents_sdk_changes_a_dict(connector: KeepingConnector) -> None:
    [arrived] = await arrived_from_agents(connector, PLAIN)
    assert arrived["atId"] == ""
    claim = arrived["citation"][0]
    assert claim["position"] == 1
    assert "claimInterpreter" not in claim


async def test_the_agents_sdk_sends_a_validated_entity_twice(connector: KeepingConnector) -> None:
    [arrived] = await arrived_from_agents(connector, AgentsEntity(**GRAPH))
    assert {name: arrived.pop(name) for name in ("atType", "atContext", "atId")}
    assert arrived == GRAPH


async def test_middleware_of_the_agents_sdk_passes_the_context(connector: KeepingConnector) -> None:
    class OldMiddleware:
        async def on_turn(self, _: Any, logic: Callable[[], Any]) -> None:
            await logic()

    with pytest.raises(TypeError, match="ctx"):
        await run_turn(
            agents_adapter(OldMiddleware()), incoming(connector, "webchat"), lambda _: asyncio.sleep(0)
        )


def citations() -> list[Citation]:
    return [Citation(content="One proxy is enough.", title="Proxy settings", url="https://example.com/proxy")]


@pytest.mark.parametrize("labelled", [False, True])
async def test_the_stream_of_the_agents_sdk_has_no_badges_in_web_chat(
    labelled: bool, connector: KeepingConnector
) -> None:
    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        response.set_generated_by_ai_label(labelled)
        response.set_citations(citations())
        response.queue_text_chunk("Set a proxy [1].")
        await response.end_stream()

    await run_turn(agents_adapter(), incoming(connector, "webchat"), turn)
    final = connector.messages[-1]
    assert final["text"] == "Set a proxy [1]."
    graphs = [one for one in final["entities"] if one["type"] != "streaminfo"]
    assert len(graphs) == labelled
    # Web Chat finds a graph by "@id": "", and a badge by its link definition.
    assert all(one["id"] == "" and "@id" not in one for one in graphs)


async def test_teams_refuses_the_agents_sdks_own_markers(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        for piece in ("Set a proxy [do", "c1]."):
            response.queue_text_chunk(piece)
            await response.wait_for_queue()
        await response.end_stream()

    await run_turn(agents_adapter(), incoming(connector, "msteams"), turn)
    assert connector.activities[-1]["text"] == "Set a proxy [do"
    assert connector.messages == []


async def test_teams_refuses_a_stream_that_is_rendered_at_its_end(connector: KeepingConnector) -> None:
    """The whole rendering has other numbers than the text that was shown."""
    final = rendered("msteams")[0]["text"]

    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        response.queue_text_chunk(TEXT)
        await response.wait_for_queue()
        response._message = final
        await response.end_stream()

    await run_turn(agents_adapter(), incoming(connector, "msteams"), turn)
    assert connector.messages == []


async def test_the_agents_sdk_does_not_take_the_sample(connector: KeepingConnector) -> None:
    with pytest.raises(ClientResponseError, match="500"):
        await run_turn(
            agents_adapter(), incoming(connector, "webchat", entities=[GRAPH]), lambda _: asyncio.sleep(0)
        )


async def test_the_teams_sdk_does_not_take_the_sample(connector: KeepingConnector) -> None:
    turns = []

    async def turn(context: Any) -> None:
        turns.append(context)

    assert await run_teams_turn(incoming(connector, "msteams", entities=[GRAPH]), turn) == 500
    assert turns == []


async def test_the_teams_sdk_changes_a_dict(connector: KeepingConnector) -> None:
    [graph] = rendered("msteams")[0]["entities"]
    [entity] = MessageActivityInput(text=TEXT, entities=[graph]).model_dump(by_alias=True, exclude_none=True)[
        "entities"
    ]
    forms = {claim["appearance"].get("encodingFormat") for claim in entity["citation"]}
    assert forms == {"application/vnd.microsoft.card.adaptive"}
    with pytest.raises(ValidationError, match="9 validation errors"):
        MessageActivityInput(text=TEXT, entities=[GRAPH])


async def test_the_teams_sdk_sends_nulls_that_its_playground_refuses(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        message = MessageActivityInput(text="Set a proxy [1].")
        message.add_citation(1, CitationAppearance(name="Proxy settings", abstract="One proxy is enough."))
        await context.send(message.add_ai_generated())

    await run_teams_turn(incoming(connector, "msteams"), turn)
    [graph] = connector.messages[0]["entities"]
    appearance = graph["citation"][0]["appearance"]
    assert [name for name, value in appearance.items() if value is None]


async def test_the_stream_of_the_teams_sdk_loses_a_graph_before_its_text(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.stream.emit(teams.cited_message(TEXT, PROXY))
        context.stream.emit(" More.")

    await run_teams_turn(incoming(connector, "msteams"), turn)
    assert [one["type"] for one in connector.messages[-1]["entities"]] == ["streaminfo"]


def test_the_right_ways_stand_beside_them() -> None:
    assert botbuilder.WholeEntity(GRAPH).serialize() == GRAPH
