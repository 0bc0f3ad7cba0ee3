"""A bot that repeats its answer in other fields: where a label withholds the answer, no field has it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from types import ModuleType
from typing import Any

import pytest
from botbuilder import schema
from microsoft_agents import activity as agents_activity
from microsoft_teams.api import MessageActivityInput, SuggestedActions
from pydantic import BaseModel, ConfigDict

from citations import LabelRanking, Problem, Reference, SensitivityLabel, channel, render
from citations.channels import channel_ids
from citations.integrations import agents, botbuilder, teams
from citations.integrations.turn_messages import cite_message

from .bots import agents_adapter, botbuilder_adapter, run_turn
from .connector import KeepingConnector, incoming, serving
from .expected import PROXY, assert_arrived, rendered

CANARY = "xylocanary"
SAID = f"It is {CANARY} [1]."
LABELS = (
    SensitivityLabel(id="general", name="General", priority=0),
    SensitivityLabel(id="board", name="Board", priority=1),
)
CEILED = LabelRanking(labels=LABELS, ceilings={"*": "general"})
ALLOWING = LabelRanking(labels=LABELS)
BOARD = Reference(
    id="1",
    name=f"Minutes › {CANARY}",
    document_name="Minutes",
    url=f"https://example.com/minutes#{CANARY}",
    text=SAID,
    label="board",
)
FIELDS = ("speak", "summary", "suggestedActions", "attachments", "value", "channelData", "entities")


@pytest.fixture
async def connector() -> AsyncIterator[KeepingConnector]:
    async with serving() as running:
        yield running


def repeating(sdk: ModuleType, **more: Any) -> Any:
    """An activity that has its answer in each field that people or programs read."""
    action = sdk.CardAction(type="imBack", title=SAID, value=SAID)
    fields = {
        "speak": SAID,
        "summary": SAID,
        "suggested_actions": sdk.SuggestedActions(to=[], actions=[action]),
        "attachments": [sdk.Attachment(content_type="text/plain", name=CANARY, content={"text": SAID})],
        "value": {"said": SAID},
        "value_type": CANARY,
        "name": CANARY,
        "label": CANARY,
        "channel_data": {"said": SAID},
        "text_highlights": [sdk.TextHighlight(text=CANARY, occurrence=1)],
        "entities": [sdk.Mention(type="mention", text=SAID, mentioned=sdk.ChannelAccount(id="1", name="A"))],
    }
    return sdk.Activity(type="message", text=SAID, **{**fields, **more})


SDKS = {
    "botbuilder": (schema, botbuilder.CitationMiddleware, botbuilder_adapter),
    "agents": (agents_activity, agents.CitationMiddleware, agents_adapter),
}
each_sdk = pytest.mark.parametrize("sdk", SDKS)


async def sent(
    sdk: str, connector: KeepingConnector, channel_id: str, ranking: LabelRanking, *, update: bool = False
) -> list[Problem]:
    model, middleware, adapter = SDKS[sdk]
    problems: list[Problem] = []

    async def turn(context: Any) -> None:
        if update:
            first = await context.send_activity("One moment.")
        context.turn_state["references"] = [BOARD]
        if update:
            await context.update_activity(repeating(model, id=first.id))
        else:
            await context.send_activity(repeating(model))

    using = adapter(middleware(ranking=ranking, report=problems.append))
    await run_turn(using, incoming(connector, channel_id), turn)
    return problems


@each_sdk
@pytest.mark.parametrize("update", [False, True])
async def test_no_byte_of_it_leaves_on_any_channel(
    sdk: str, connector: KeepingConnector, *, update: bool
) -> None:
    for channel_id in channel_ids():
        problems = await sent(sdk, connector, channel_id, CEILED, update=update)
        assert {problem.path for problem in problems if problem.code == "field-withheld"} >= {
            f"$.{field}" for field in FIELDS
        }
    assert len(connector.bodies) >= len(channel_ids())
    assert not [body for body in connector.bodies if CANARY.encode() in body.lower()]
    assert b"sensitivity label" in connector.bodies[-1]


@each_sdk
async def test_where_it_may_be_shown_the_other_fields_stay(sdk: str, connector: KeepingConnector) -> None:
    assert not [one for one in await sent(sdk, connector, "webchat", ALLOWING) if "withheld" in one.code]
    [arrived] = connector.messages
    assert all(CANARY in json.dumps(arrived[field]) for field in FIELDS)
    # What is spoken is written anew: without markers, with the names of the sources.
    assert arrived["speak"].startswith(f"It is {CANARY}.\n")
    assert "[1]" not in arrived["speak"]


async def test_a_stream_of_the_agents_sdk(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        context.turn_state["references"] = [BOARD]
        response.set_attachments(repeating(agents_activity).attachments)
        for piece in SAID:
            response.queue_text_chunk(piece)
        await response.wait_for_queue()
        await response.end_stream()

    for channel_id in channel_ids():
        middleware = agents.CitationMiddleware(ranking=CEILED)
        await run_turn(agents_adapter(middleware), incoming(connector, channel_id), turn)
    assert connector.messages
    assert not [body for body in connector.bodies if CANARY.encode() in body.lower()]


class TeamsStream:
    """The SDK's streamer, as far as it is used: it keeps what it is given."""

    def __init__(self) -> None:
        self.emitted: list[Any] = []

    def emit(self, activity: Any) -> None:
        self.emitted.append(activity)


@pytest.mark.parametrize("channel_id", channel_ids())
def test_the_teams_sdk(channel_id: str) -> None:
    stream = TeamsStream()
    cited = teams.CitedStream(stream, [BOARD], channel=channel(channel_id), ranking=CEILED)
    for piece in SAID:
        cited.feed(piece)
    actions = [{"type": "imBack", "title": SAID, "value": SAID}]
    repeated = MessageActivityInput(
        suggested_actions=SuggestedActions.model_validate({"to": [], "actions": actions}),
        summary=SAID,
        speak=SAID,
        value={"said": SAID},
        channelData={"said": SAID},
    )
    rendering = cited.end(repeated)
    written = [one if isinstance(one, str) else one.model_dump_json() for one in stream.emitted]
    assert CANARY not in "".join(written)
    assert {"$.suggestedActions", "$.summary", "$.speak", "$.value", "$.channelData"} <= {
        one.path for one in rendering.problems if one.code == "field-withheld"
    }
    message = teams.cited_message(SAID, [BOARD], channel=channel(channel_id), ranking=CEILED)
    assert CANARY not in message.model_dump_json()


@each_sdk
@pytest.mark.parametrize("place", ["turn", "channel data"])
async def test_none_as_references_is_no_reference(sdk: str, place: str, connector: KeepingConnector) -> None:
    """A retriever that found nothing may return None."""
    model, middleware, adapter = SDKS[sdk]
    text = "See [1] and ![x](https://example.com/x.png)."

    async def turn(context: Any) -> None:
        if place == "turn":
            context.turn_state["references"] = None
            await context.send_activity(text)
        else:
            data = {"references": None}
            await context.send_activity(model.Activity(type="message", text=text, channel_data=data))

    await run_turn(adapter(middleware()), incoming(connector, "webchat"), turn)
    [expected] = rendered("webchat", text, ())
    assert_arrived(connector.messages[0], expected)
    assert "channelData" not in connector.messages[0]


async def test_none_as_references_of_a_stream(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        context.turn_state["references"] = None
        response.queue_text_chunk("See ![x](https://example.com/x.png).")
        await response.wait_for_queue()
        await response.end_stream()

    await run_turn(agents_adapter(agents.CitationMiddleware()), incoming(connector, "webchat"), turn)
    assert connector.messages
    assert b"![x](" not in b"".join(connector.bodies)


class OwnData(BaseModel):
    """What a bot may have as its channel data: a model of its own."""

    model_config = ConfigDict(extra="allow")
    is_urgent: bool = True


class PlainData:
    """A model without pydantic, such as those of botbuilder."""

    def __init__(self, **fields: Any) -> None:
        self.is_urgent = True
        self.__dict__.update(fields)


@each_sdk
@pytest.mark.parametrize("kind", [OwnData, PlainData])
async def test_a_model_of_channel_data_is_read_as_a_mapping_is(
    sdk: str, kind: Any, connector: KeepingConnector
) -> None:
    model, middleware, adapter = SDKS[sdk]
    text = "Set a proxy [1]."

    async def turn(context: Any) -> None:
        data = kind(references=PROXY)
        await context.send_activity(model.Activity(type="message", text=text, channel_data=data))

    await run_turn(adapter(middleware()), incoming(connector, "webchat"), turn)
    [arrived] = connector.messages
    assert arrived.pop("channelData") == {"is_urgent": True}
    assert_arrived(arrived, *rendered("webchat", text))


async def test_a_message_beside_the_chunk_of_a_stream_arrives(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = [*PROXY]
        info = agents_activity.StreamInfo(stream_type="streaming", stream_sequence=1)
        chunk = agents_activity.Activity(type="typing", text="Set a proxy ", entities=[info])
        beside = agents_activity.Activity(
            type="message", text="Two [2].", channel_data={"references": [PROXY[1]]}
        )
        await context.send_activities([chunk, beside])

    await run_turn(agents_adapter(agents.CitationMiddleware()), incoming(connector, "webchat"), turn)
    assert [one["type"] for one in connector.activities] == ["typing", "message"]
    assert_arrived(connector.messages[0], *rendered("webchat", "Two [2].", (PROXY[1],)))


def test_a_rendering_says_whether_it_is_withheld() -> None:
    assert render(cite_message(SAID, [BOARD]), channel("sms"), ranking=CEILED).is_withheld
    assert not render(cite_message(SAID, [BOARD]), channel("sms"), ranking=ALLOWING).is_withheld
