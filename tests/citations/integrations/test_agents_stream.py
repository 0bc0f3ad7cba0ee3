"""A stream of the Agents SDK, with the bot's own calls: what Teams accepts, and a final that is what ``render`` prints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import nullcontext, suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from microsoft_agents.activity import Activity, StreamInfo
from microsoft_agents.activity.teams import NotificationInfo

from citations import Answer, Reference, Rendering, channel, cite, render
from citations.integrations.agents import CitationMiddleware
from tests.ordinary_answers import ordinary_answers
from tests.rendering_promises import codes
from tests.sample_message import RANKING, SOURCES

from .bots import agents_adapter, run_turn
from .connector import KeepingConnector, incoming, serving
from .expected import PROXY, TEXT, assert_arrived, rendered

METADATA = ("channelData",)
STREAMED = ["webchat", "directline", "msteams"]
each_channel = pytest.mark.parametrize("channel_id", STREAMED)


@pytest.fixture
async def connector() -> AsyncIterator[KeepingConnector]:
    async with serving() as running:
        yield running


async def stream(context: Any, pieces: Iterable[str]) -> None:
    """Stream as a bot does, but without the SDK's pauses, and with each piece sent by itself."""
    response = context.streaming_response
    response._interval = 0
    for piece in pieces:
        response.queue_text_chunk(piece)
        await response.wait_for_queue()
    await response.end_stream()


def cut(text: str, seed: int = 0) -> list[str]:
    random, pieces = Random(seed), []
    while text:
        size = random.choice((1, 1, 2, 5, 40))
        pieces.append(text[:size])
        text = text[size:]
    return pieces


async def run_stream(
    connector: KeepingConnector, channel_id: str, answer: Answer, pieces: Iterable[str], **options: Any
) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = answer.references
        await stream(context, pieces)

    await run_turn(agents_adapter(CitationMiddleware(**options)), incoming(connector, channel_id), turn)


def sequences(connector: KeepingConnector) -> list[int]:
    infos = [
        one
        for activity in connector.activities
        for one in activity["entities"]
        if one["type"] == "streaminfo"
    ]
    return [one["streamSequence"] for one in infos if "streamSequence" in one]


def final_of(channel_id: str, text: str, **options: Any) -> Rendering:
    return render(cite(Answer(text=text, references=PROXY)), channel(channel_id), **options)


@pytest.mark.parametrize("channel_id", ["webchat", "directline"])
async def test_web_chat_is_told_of_the_stream_where_it_reads_it(
    channel_id: str, connector: KeepingConnector
) -> None:
    """Web Chat 4.18.1 reads no entity, and would show each chunk by itself."""
    await run_stream(connector, channel_id, Answer(text="", references=PROXY), cut(TEXT))
    sent = connector.activities
    assert len(sent) > 2
    for activity in sent:
        [info] = [one for one in activity["entities"] if one["type"] == "streaminfo"]
        assert activity["channelData"].items() <= info.items()
        assert "streamId" in info or activity is sent[0]
    assert not [one for one in sent if any(code.startswith("stream") for code in codes(one, channel_id))]


async def test_a_model_of_channel_data_is_kept(connector: KeepingConnector) -> None:
    """A bot may write a stream by itself, and the SDK takes a model there."""

    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        info = StreamInfo(stream_type="streaming", stream_sequence=1)
        data = NotificationInfo(alert=True)
        await context.send_activity(Activity(type="typing", text=TEXT, entities=[info], channel_data=data))

    await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, "webchat"), turn)
    [sent] = connector.activities
    assert sent["channelData"] == {"alert": True, "streamType": "streaming", "streamSequence": 1}


@each_channel
@pytest.mark.parametrize("name", [*ordinary_answers()][::6])
async def test_the_final_is_that_of_the_whole_answer(
    name: str, channel_id: str, connector: KeepingConnector
) -> None:
    answer = ordinary_answers()[name]
    await run_stream(
        connector, channel_id, Answer(text=answer.text, references=answer.references), cut(answer.text)
    )
    *interims, final = connector.activities
    [expected] = rendered(channel_id, answer.text, answer.references)
    assert_arrived(final, expected, streamed=True, others=METADATA)
    assert {one["type"] for one in interims} == {"typing"}
    assert sequences(connector) == [*range(1, len(interims) + 1)]
    if channel_id == "msteams":
        texts = [one["text"] for one in connector.activities]
        assert all(after.startswith(before) for before, after in pairwise(texts))


@each_channel
async def test_chunks_are_shown_as_far_as_they_cannot_change(
    channel_id: str, connector: KeepingConnector
) -> None:
    pieces = [
        "[",
        "1] ",
        "Set a pr",
        "oxy [",
        "2",
        "], and",
        " ![no](https://example.com/x.png) more [do",
        "c9].",
    ]
    await run_stream(connector, channel_id, Answer(text="", references=PROXY), pieces)
    texts = [one["text"].partition("\n\n[1]:")[0] for one in connector.activities]
    assert texts[0].strip() == "[1]"  # the first chunk has nothing to show, and is left out
    assert not any(text.endswith(("[", "[2", "[do")) for text in texts)
    assert not any("](https:" in text for text in texts)
    assert (
        connector.activities[-1]["text"]
        == final_of(channel_id, "".join(pieces).replace("[doc9]", "[9]")).text
    )


@pytest.mark.parametrize("marker", ["[doc1]", "[docs2]", "[DOC1]", "[doc]", "[docu]"])
async def test_the_sdk_changes_nothing_that_was_shown(marker: str, connector: KeepingConnector) -> None:
    """It writes ``[1]`` for ``[doc1]`` in all text so far, which is where Teams refuses its own streams."""
    pieces = list(f"Set a proxy {marker} and `{marker}`.")
    await run_stream(connector, "msteams", Answer(text="", references=PROXY), pieces)
    final = connector.messages[-1]
    assert final["text"].startswith("Set a proxy")
    assert any(one["type"] == "https://schema.org/Message" for one in final["entities"])


@each_channel
async def test_a_stream_without_references_is_the_sdks_own(
    channel_id: str, connector: KeepingConnector
) -> None:
    sent = []
    for middleware in ([], [CitationMiddleware()]):
        connector.bodies.clear()

        async def turn(context: Any) -> None:
            context.streaming_response._stream_id = context.streaming_response._stream_id and "s1"
            await stream(context, cut("See [1] and ![x](https://example.com/x.png)."))

        await run_turn(agents_adapter(*middleware), incoming(connector, channel_id), turn)
        sent.append([*connector.bodies])
    assert sent[0] == sent[1]


@each_channel
async def test_references_may_follow_an_empty_list(channel_id: str, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = []
        response = context.streaming_response
        response._interval = 0
        for piece in cut("Set a proxy"):
            response.queue_text_chunk(piece)
            await response.wait_for_queue()
        context.turn_state["references"] = PROXY[1:]
        response.queue_text_chunk(" [2], and never ")
        await response.wait_for_queue()
        context.turn_state["references"] = PROXY[:1]
        response.queue_text_chunk("two [1][2].")
        await response.end_stream()

    await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, channel_id), turn)
    [expected] = rendered(channel_id, TEXT, (PROXY[1], PROXY[0]))
    assert_arrived(connector.messages[-1], expected, streamed=True, others=METADATA)


@each_channel
@pytest.mark.parametrize(("text", "fits"), [("Set a proxy [1].", True), (TEXT, False)])
async def test_references_at_the_end(
    text: str, fits: bool, channel_id: str, connector: KeepingConnector
) -> None:
    """The text was shown as it is. Teams' final keeps it, and has no citations where they would change it."""

    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        response.queue_text_chunk(text)
        await response.wait_for_queue()
        context.turn_state["references"] = PROXY
        await response.end_stream()

    await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, channel_id), turn)
    final = connector.messages[-1]
    if fits or channel_id != "msteams":
        assert_arrived(final, *rendered(channel_id, text), streamed=True, others=METADATA)
    else:
        [expected] = rendered(channel_id, text)
        label = {name: value for name, value in expected["entities"][0].items() if name != "citation"}
        assert_arrived(final, {**expected, "text": text, "entities": [label]}, streamed=True)


async def test_informative_updates_count(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.streaming_response._interval = 0
        context.streaming_response.queue_informative_update("Searching.")
        context.turn_state["references"] = PROXY
        await stream(context, ["[", "2] says so."])

    await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, "msteams"), turn)
    assert connector.activities[0]["text"] == "Searching."
    assert sequences(connector) == [*range(1, len(connector.activities))]
    assert_arrived(connector.messages[-1], *rendered("msteams", "[2] says so."), streamed=True)


@each_channel
async def test_what_a_label_withholds_is_never_shown(channel_id: str, connector: KeepingConnector) -> None:
    ranking = RANKING.__class__(labels=RANKING.labels, ceilings={channel_id: "general"})
    await run_stream(
        connector, channel_id, Answer(text="", references=SOURCES), cut("Secret [3]."), ranking=ranking
    )
    [only] = connector.activities
    expected = render(
        cite(Answer(text="Secret [3].", references=SOURCES)), channel(channel_id), ranking=ranking
    )
    assert "Secret" not in expected.text
    assert_arrived(only, expected.to_activity())  # no stream has begun that it could end


@each_channel
@pytest.mark.parametrize("found", [SOURCES, None])
async def test_nothing_is_shown_before_the_label_is_known(
    found: tuple[Reference, ...] | None, channel_id: str, connector: KeepingConnector
) -> None:
    ranking = RANKING.__class__(labels=RANKING.labels, ceilings={channel_id: "general"})

    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        response.queue_text_chunk("Secret [3].")
        await response.wait_for_queue()
        if found is not None:
            context.turn_state["references"] = found
        await response.end_stream()

    await run_turn(agents_adapter(CitationMiddleware(ranking=ranking)), incoming(connector, channel_id), turn)
    [only] = connector.activities
    assert ("Secret" in only["text"]) == (found is None)


@each_channel
async def test_a_handler_that_fails_leaves_no_bubble_open(
    channel_id: str, connector: KeepingConnector
) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        context.streaming_response._interval = 0
        context.streaming_response.queue_text_chunk("Set a proxy [2], and never two [1")
        raise ConnectionError("the model is gone")

    with pytest.raises(ConnectionError, match="the model is gone"):
        await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, channel_id), turn)
    [final] = connector.messages
    assert_arrived(
        final, *rendered(channel_id, "Set a proxy [2], and never two"), streamed=True, others=METADATA
    )


async def test_a_turn_that_is_cancelled_leaves_no_bubble_open(connector: KeepingConnector) -> None:
    async def logic(context: Any) -> None:
        context.turn_state["references"] = PROXY
        context.streaming_response._interval = 0
        context.streaming_response.queue_text_chunk("Set a proxy [2], and never two [1")
        await asyncio.sleep(60)

    async def turn(context: Any) -> None:
        running = asyncio.create_task(CitationMiddleware().on_turn(context, logic))
        await asyncio.sleep(0)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    await run_turn(agents_adapter(), incoming(connector, "msteams"), turn)
    [final] = connector.messages
    assert_arrived(final, *rendered("msteams", "Set a proxy [2], and never two"), streamed=True)


async def test_a_handler_that_fails_shows_nothing_whose_label_is_unknown(connector: KeepingConnector) -> None:
    ranking = RANKING.__class__(labels=RANKING.labels, ceilings={"msteams": "general"})

    async def turn(context: Any) -> None:
        response = context.streaming_response
        response._interval = 0
        response.queue_informative_update("I am looking.")
        response.queue_text_chunk("The canary sings [3].")
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await run_turn(
            agents_adapter(CitationMiddleware(ranking=ranking)), incoming(connector, "msteams"), turn
        )
    [final] = connector.messages
    assert "because it ended before its sensitivity label was known" in final["text"]
    assert not any(b"canary" in body for body in connector.bodies)


@pytest.mark.parametrize("fails", [False, True])
async def test_a_stream_that_was_ended_is_not_ended_again(fails: bool, connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await stream(context, cut(TEXT))
        if fails:
            raise ConnectionError

    with pytest.raises(ConnectionError) if fails else nullcontext():
        await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, "msteams"), turn)
    [final] = connector.messages
    assert_arrived(final, *rendered("msteams"), streamed=True)


async def test_two_streams_of_a_turn(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        await stream(context, cut(TEXT))
        await context.streaming_response.reset()
        context.turn_state["references"] = PROXY[:1]
        await stream(context, cut("Another [1]."))
        await context.send_activity("Anything else [1]?")

    await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, "msteams"), turn)
    first, second, question = connector.messages
    assert_arrived(first, *rendered("msteams"), streamed=True)
    assert_arrived(second, *rendered("msteams", "Another [1].", PROXY[:1]), streamed=True)
    assert question["text"] == "Anything else [1]?"


async def test_a_stream_that_takes_too_long(connector: KeepingConnector) -> None:
    """Teams ends it after two minutes. The SDK updates the message at once, and again with the whole text."""

    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        response = context.streaming_response
        response._interval = 0
        response.queue_text_chunk("Set a proxy [2], ")
        await response.wait_for_queue()
        connector.refusals.append(
            ("and never", 403, "Content stream finished due to exceeded streaming time.")
        )
        response.queue_text_chunk("and never ")
        await response.wait_for_queue()
        response.queue_text_chunk("two [1][2].")
        await response.end_stream()

    await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, "msteams"), turn)
    assert connector.requests[-2:] == ["PUT /v3/conversations/c1/activities/a1"] * 2
    early, whole = connector.messages
    assert early["text"].startswith("Set a proxy [1], and never")
    assert [one["position"] for one in early["entities"][0]["citation"]] == [1]
    assert_arrived(whole, *rendered("msteams"))


async def test_a_chat_that_does_not_stream(connector: KeepingConnector) -> None:
    connector.refusals.append(("streaminfo", 400, "Streaming API is not enabled"))
    await run_stream(
        connector,
        "msteams",
        Answer(text="", references=PROXY),
        ["Set a proxy [2], ", "and never two [1][2]."],
    )
    [only] = connector.activities
    assert_arrived(only, *rendered("msteams"))


@pytest.mark.parametrize("channel_id", ["sms", "slack", "email"])
async def test_other_channels_get_the_whole(channel_id: str, connector: KeepingConnector) -> None:
    await run_stream(connector, channel_id, Answer(text="", references=PROXY), cut(TEXT))
    assert len(connector.activities) == len(rendered(channel_id))
    for arrived, expected in zip(connector.activities, rendered(channel_id), strict=True):
        assert_arrived(arrived, expected)


async def test_a_stream_that_is_stopped(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        context.turn_state["references"] = PROXY
        connector.refusals.append(("never", 403, "Content stream was canceled by user."))
        await stream(context, ["Set a proxy [2]. ", "And never ", "two."])

    await run_turn(agents_adapter(CitationMiddleware()), incoming(connector, "msteams"), turn)
    assert connector.messages == []
