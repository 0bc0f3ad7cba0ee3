"""One line gives a bot on botbuilder or on the Agents SDK its citations: what arrives is what ``render`` prints."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from types import ModuleType
from typing import Any

import microsoft_agents.activity
import pytest
from botbuilder import schema
from botbuilder.schema import Activity as BotBuilderActivity
from botbuilder.schema import Attachment as BotBuilderAttachment
from microsoft_agents.activity import Activity as AgentsActivity
from microsoft_agents.activity import Attachment as AgentsAttachment
from microsoft_agents.activity import Entity

from citations import (
    Answer,
    AnswerKind,
    Dialect,
    Problem,
    RenderingStream,
    Span,
    TextDelta,
    Wording,
    channel,
    cite,
    render,
)
from citations.channels import Channel
from citations.integrations import agents, botbuilder
from citations.model import KindKnown, QuestionsSuggested
from tests.sample_message import RANKING, SOURCES

from .bots import agents_adapter, botbuilder_adapter, run_turn
from .connector import KeepingConnector, incoming, serving
from .expected import PROXY, TEXT, assert_arrived, rendered

CHANNELS = [
    "webchat",
    "directline",
    "emulator",
    "msteams",
    "email",
    "sms",
    "slack",
    "directlinespeech",
    "unknown",
]


@pytest.fixture
async def connector() -> AsyncIterator[KeepingConnector]:
    async with serving() as running:
        yield running


class Sdk:
    """One of the two SDKs: its glue, its adapter and its classes."""

    def __init__(self, glue: ModuleType, adapter: Callable[..., Any], activity: Any, attachment: Any) -> None:
        self.glue, self._adapter, self.activity, self.attachment = glue, adapter, activity, attachment

    def adapter(self, **options: Any) -> Any:
        return self._adapter(self.glue.CitationMiddleware(**options))

    def message(self, text: str, **fields: Any) -> Any:
        return self.activity(type="message", text=text, **fields)


SDKS = [
    pytest.param(
        Sdk(botbuilder, botbuilder_adapter, BotBuilderActivity, BotBuilderAttachment), id="botbuilder"
    ),
    pytest.param(Sdk(agents, agents_adapter, AgentsActivity, AgentsAttachment), id="agents"),
]
each_sdk = pytest.mark.parametrize("sdk", SDKS)


@each_sdk
@pytest.mark.parametrize("channel_id", CHANNELS)
async def test_a_message(sdk: Sdk, channel_id: str, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = SOURCES
        await context.send_activity("Override it[1], as the guide says[3].")

    await run_turn(sdk.adapter(ranking=RANKING), incoming(connector, channel_id), turn)
    expected = rendered(channel_id, "Override it[1], as the guide says[3].", SOURCES, RANKING)
    assert len(connector.messages) == len(expected)
    for arrived, one in zip(connector.messages, expected, strict=True):
        assert_arrived(arrived, one)


@each_sdk
async def test_the_problems_of_a_message_are_reported(sdk: Sdk, connector: KeepingConnector) -> None:
    reported: list[Problem] = []

    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await context.send_activity("Set a proxy [1], and never two [7].")

    await run_turn(sdk.adapter(report=reported.append), incoming(connector, "webchat"), turn)
    answer = Answer(text="Set a proxy [1], and never two [7].", references=PROXY)
    assert reported == [*render(cite(answer), channel("webchat")).problems]
    assert reported


@each_sdk
async def test_a_message_without_references_stays_as_it_is(sdk: Sdk, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        await context.send_activity("See [1] and ![x](https://example.com/x.png).")

    await run_turn(sdk.adapter(), incoming(connector, "webchat"), turn)
    [arrived] = connector.messages
    assert arrived["text"] == "See [1] and ![x](https://example.com/x.png)."
    assert not arrived.get("entities")


@each_sdk
async def test_an_answer_that_found_nothing_is_made_safe_as_well(
    sdk: Sdk, connector: KeepingConnector
) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = ()
        await context.send_activity("See [1] and ![x](https://example.com/x.png).")

    await run_turn(sdk.adapter(), incoming(connector, "webchat"), turn)
    [expected] = rendered("webchat", "See [1] and ![x](https://example.com/x.png).", ())
    assert_arrived(connector.messages[0], expected)


@each_sdk
@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
async def test_an_update(sdk: Sdk, channel_id: str, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        sent = await context.send_activity("One moment.")
        message = sdk.message(TEXT, id=sent.id)
        context.turn_state["references"] = PROXY
        await context.update_activity(message)
        message.text = "Set one [1]."  # once more with the same activity
        message.channel_data = {"references": PROXY}
        await context.update_activity(message)

    await run_turn(sdk.adapter(), incoming(connector, channel_id), turn)
    assert connector.requests[1:] == ["PUT /v3/conversations/c1/activities/a1"] * 2
    assert_arrived(connector.messages[1], *rendered(channel_id))
    assert_arrived(connector.messages[2], *rendered(channel_id, "Set one [1]."))


@each_sdk
async def test_a_proactive_message(sdk: Sdk, connector: KeepingConnector) -> None:
    adapter = sdk.adapter()

    async def later(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await context.send_activity(TEXT)

    async def turn(context: Any) -> None:
        if sdk.glue is agents:
            reference = context.activity.get_conversation_reference()
            identity = context.identity
            await adapter.continue_conversation_with_claims(
                identity, reference.get_continuation_activity(), later
            )
        else:
            reference = context.get_conversation_reference(context.activity)
            await adapter.continue_conversation(reference, later, "app")

    await run_turn(adapter, incoming(connector, "msteams"), turn)
    assert_arrived(connector.messages[0], *rendered("msteams"))


@each_sdk
async def test_references_are_those_of_the_next_message_with_text(
    sdk: Sdk, connector: KeepingConnector
) -> None:
    card = sdk.attachment(content_type="application/vnd.microsoft.card.adaptive", content={})

    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await context.send_activity(sdk.activity(type="typing"))
        await context.send_activity(sdk.activity(type="message", attachments=[card]))
        await context.send_activity(TEXT)
        await context.send_activity("Was that [1] right?")

    await run_turn(sdk.adapter(), incoming(connector, "webchat"), turn)
    cards, answer, question = connector.messages
    assert not cards.get("entities")
    assert_arrived(answer, *rendered("webchat"))
    assert question["text"] == "Was that [1] right?"
    assert not question.get("entities")


@each_sdk
async def test_each_activity_may_bring_its_own(sdk: Sdk, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        first = sdk.message(TEXT, channel_data={"references": PROXY})
        second = sdk.message("Two [2].", channel_data={"references": PROXY, "clientId": 7})
        await context.send_activities([first, sdk.message("And [1]:"), second])
        assert first.channel_data == {"references": PROXY}  # the bot's own object stays as it was

    await run_turn(sdk.adapter(), incoming(connector, "webchat"), turn)
    first, between, second = connector.messages
    assert_arrived(first, *rendered("webchat"))
    assert between["text"] == "And [1]:"
    assert_arrived(second, *rendered("webchat", "Two [2]."), others=("channelData",))
    assert second["channelData"] == {"clientId": 7}


@each_sdk
@pytest.mark.parametrize("cites", [False, True])
async def test_channel_data_that_are_no_object_stay(
    sdk: Sdk, cites: bool, connector: KeepingConnector
) -> None:
    methods = [{"method": "sendChatAction", "parameters": {"action": "typing"}}]

    async def turn(context: Any) -> None:
        if cites:
            context.turn_state["references"] = PROXY
        await context.send_activity(sdk.message(TEXT, channel_data=methods))

    await run_turn(sdk.adapter(), incoming(connector, "telegram"), turn)
    [arrived] = connector.messages
    assert arrived["channelData"] == methods
    assert arrived["text"] == (rendered("telegram")[0]["text"] if cites else TEXT)


LONG = "\n\n".join(f"Paragraph {number}: " + "a proxy is set [1]. " * 20 for number in range(20))


@each_sdk
@pytest.mark.parametrize("channel_id", ["sms", "slack"])
async def test_a_message_in_several_parts(sdk: Sdk, channel_id: str, connector: KeepingConnector) -> None:
    picture = sdk.attachment(content_type="image/png", content_url="https://example.com/a.png")

    async def turn(context: Any) -> None:
        message = sdk.message(LONG, attachments=[picture], channel_data={"references": PROXY})
        await context.send_activities([message, sdk.message("Anything else?")])

    await run_turn(sdk.adapter(), incoming(connector, channel_id), turn)
    *parts, question = connector.messages
    expected = rendered(channel_id, LONG)
    assert len(parts) == len(expected) > 1
    for arrived, one in zip(parts, expected, strict=True):
        assert_arrived(arrived, one)
    assert question["text"] == "Anything else?"
    assert not any("Reply MORE" in one["text"] for one in parts)
    assert [len(one.get("attachments", [])) for one in parts] == [0] * (len(parts) - 1) + [1]


@each_sdk
async def test_an_update_in_several_parts(sdk: Sdk, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await context.update_activity(sdk.message(LONG, id="a7"))

    await run_turn(sdk.adapter(), incoming(connector, "slack"), turn)
    expected = {one["text"]: one for one in rendered("slack", LONG)}
    assert {one["text"] for one in connector.messages} == expected.keys()
    for request, arrived in zip(connector.requests, connector.messages, strict=True):
        assert_arrived(arrived, expected[arrived["text"]])
        first = arrived["text"] == next(iter(expected))
        assert request.startswith("PUT" if first else "POST")


@each_sdk
async def test_a_whole_answer_where_spans_cite(sdk: Sdk, connector: KeepingConnector) -> None:
    text = "Set a proxy. Never two."
    answer = Answer(text=text, references=PROXY, dialect=Dialect.NONE, spans=(Span(0, 12, ids=("1",)),))
    expected = render(cite(answer), channel("msteams")).to_activity()
    assert expected["text"] == "Set a proxy.[1] Never two."

    async def turn(context: Any) -> None:
        context.turn_state["references"] = answer
        await context.send_activity(text)
        context.turn_state["references"] = cite(answer)
        await context.send_activity(text)
        for one in sdk.glue.to_activities(render(cite(answer), channel("msteams"))):
            await context.send_activity(one)

    await run_turn(sdk.adapter(), incoming(connector, "msteams"), turn)
    assert len(connector.messages) == 3
    for arrived in connector.messages:
        assert_arrived(arrived, expected)


@each_sdk
async def test_activities_of_a_rendering_have_all_its_fields(sdk: Sdk, connector: KeepingConnector) -> None:
    stream = RenderingStream(channel("webchat"), answer_id="a-7")
    for event in (TextDelta(TEXT), KindKnown(AnswerKind.UNSURE), QuestionsSuggested("Ask", ("How?", "Why?"))):
        stream.feed(event)
    rendering = stream.close()

    async def turn(context: Any) -> None:
        await context.send_activities(sdk.glue.to_activities(rendering))

    await run_turn(sdk.adapter(), incoming(connector, "webchat"), turn)
    expected = rendering.to_activity()
    assert expected["channelData"]
    assert expected["suggestedActions"]
    [arrived] = connector.messages
    arrived["suggestedActions"].pop("to", None)  # to whom they are shown: the SDKs say "all"
    assert_arrived(arrived, expected)


@each_sdk
async def test_other_entities_stay_and_another_graph_gives_way(sdk: Sdk, connector: KeepingConnector) -> None:
    mention = {"type": "mention", "text": "<at>Ada</at>", "mentioned": {"id": "person", "name": "Ada"}}

    async def turn(context: Any) -> None:
        message = sdk.message(TEXT)
        if sdk.glue is botbuilder:
            message.entities = [
                botbuilder.WholeEntity(one) for one in (mention, {"type": "https://schema.org/Message"})
            ]
        else:
            message.entities = [Entity.model_construct(**mention)]
            message.add_ai_metadata(None, None)  # what set_generated_by_ai_label adds
        context.turn_state["references"] = PROXY
        await context.send_activity(message)

    await run_turn(sdk.adapter(), incoming(connector, "msteams"), turn)
    [arrived], [expected] = connector.messages, rendered("msteams")
    assert arrived["entities"] == [*expected["entities"], mention]


@each_sdk
@pytest.mark.parametrize(
    ("channel_id", "begins"),
    [("msteams", "<at>Ada Lo</at>, &lt;at>Bo&lt;/at>: "), ("webchat", "Ada Lo, &lt;at>Bo&lt;/at>: ")],
)
async def test_a_mention_of_the_bots_own_stays(
    sdk: Sdk, channel_id: str, begins: str, connector: KeepingConnector
) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        models = schema if sdk.glue is botbuilder else microsoft_agents.activity
        ada = models.ChannelAccount(id="a", name="Ada Lo")
        mention = models.Mention(type="mention", text="<at>Ada Lo</at>", mentioned=ada)
        await context.send_activity(sdk.message(f"<at>Ada Lo</at>, <at>Bo</at>: {TEXT}", entities=[mention]))

    await run_turn(sdk.adapter(), incoming(connector, channel_id), turn)
    [arrived] = connector.messages
    assert arrived["text"] == begins + rendered(channel_id)[0]["text"]
    assert arrived["entities"][1]["text"] == "<at>Ada Lo</at>"


@each_sdk
async def test_a_channel_of_ones_own(sdk: Sdk, connector: KeepingConnector) -> None:
    wording = Wording(source_number="Quelle {number}:", sources="Quellen", more="MEHR")
    german: Callable[[str, str], Channel] = partial(channel, wording=wording)

    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await context.send_activity(TEXT)

    await run_turn(sdk.adapter(channel=german), incoming(connector, "sms"), turn)
    expected = render(cite(Answer(text=TEXT, references=PROXY)), channel("sms", wording=wording))
    assert connector.messages[0]["text"] == expected.text


@each_sdk
async def test_wrong_references_are_named(sdk: Sdk, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = [PROXY[0], {"id": "2"}]
        await context.send_activity(TEXT)

    with pytest.raises(TypeError, match=r"references\[1\]: expected Reference, and this is dict"):
        await run_turn(sdk.adapter(), incoming(connector, "webchat"), turn)
    assert connector.messages == []


async def test_expected_replies_of_the_agents_sdk(connector: KeepingConnector) -> None:
    """Those of botbuilder fail whatever is in them: see test_wrong_ways.py."""

    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await context.send_activity(TEXT)

    activity = incoming(connector, "webchat", deliveryMode="expectReplies")
    replies = await run_turn(agents_adapter(agents.CitationMiddleware()), activity, turn)
    assert connector.messages == []
    assert_arrived(*replies["activities"], *rendered("webchat"))
