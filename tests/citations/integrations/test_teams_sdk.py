"""The Teams SDK, where each message is cited as it is sent: what arrives is what ``render`` prints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import jwt
import pytest
from microsoft_teams.api import CardAction, CardActionType, MessageActivityInput, SuggestedActions
from microsoft_teams.apps import App

from citations import Answer, Reference, ReferencesFound, channel, check, cite, render
from citations.integrations.teams import CitedStream, cited_message, to_activity
from citations.model import QuestionsSuggested
from tests.ordinary_answers import ordinary_answers
from tests.sample_message import RANKING, SOURCES

from .bots import run_teams_turn
from .connector import KeepingConnector, incoming, serving
from .expected import PROXY, TEXT, assert_arrived, rendered


@pytest.fixture
async def connector() -> AsyncIterator[KeepingConnector]:
    async with serving() as running:
        yield running


async def test_a_message_with_labels_and_a_colour(connector: KeepingConnector) -> None:
    text = "Override it[1], as the guide says[3]."

    async def turn(context: Any) -> None:
        await context.send(cited_message(text, SOURCES, ranking=RANKING))

    assert await run_teams_turn(incoming(connector, "msteams"), turn) == 200
    assert_arrived(*connector.messages, *rendered("msteams", text, SOURCES, RANKING))


async def test_an_update(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        sent = await context.send("One moment.")
        await context.send(cited_message(TEXT, PROXY).with_id(sent.id))

    await run_teams_turn(incoming(connector, "msteams"), turn)
    assert connector.requests[-1] == "PUT /v3/conversations/c1/activities/a1"
    assert_arrived(connector.messages[-1], *rendered("msteams"))


async def test_a_reply_quotes_the_question_above_it(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        await context.reply(cited_message(TEXT, PROXY))

    await run_teams_turn(incoming(connector, "msteams"), turn)
    [arrived], [expected] = connector.messages, rendered("msteams")
    assert arrived["text"] == f'<quoted messageId="q1"/> {expected["text"]}'
    assert [one for one in arrived["entities"] if one["type"] != "quotedReply"] == expected["entities"]
    assert check(arrived, channel_id="msteams") == ()


async def test_a_proactive_message(connector: KeepingConnector) -> None:
    def token(*_: object) -> str:
        return jwt.encode({"appid": "bot"}, "a secret that is long enough for it")

    app = App(client_id="bot", token=token)
    await app.initialize()
    await app.send("c1", cited_message(TEXT, PROXY), service_url=connector.service_url)
    assert_arrived(*connector.messages, *rendered("msteams"))


async def test_an_answer_with_feedback(connector: KeepingConnector) -> None:
    rendering = render(cite(Answer(text=TEXT, references=PROXY)), channel("msteams"), answer_id="a-7")

    async def turn(context: Any) -> None:
        await context.send(to_activity(rendering))

    await run_teams_turn(incoming(connector, "msteams"), turn)
    assert rendering.channel_data
    assert_arrived(*connector.messages, rendering.to_activity())


async def stream(context: Any, text: str, references: tuple[Reference, ...] = PROXY) -> None:
    cited = CitedStream(context.stream, references)
    for start in range(0, len(text), 7):
        cited.feed(text[start : start + 7])
        # Each piece is sent by itself, and without the SDK's pauses.
        while context.stream.count or context.stream._lock.locked():
            await asyncio.sleep(0)
    cited.end()


@pytest.mark.parametrize("name", [*ordinary_answers()][::8])
async def test_a_stream(name: str, connector: KeepingConnector) -> None:
    answer = ordinary_answers()[name]
    await run_teams_turn(
        incoming(connector, "msteams"), lambda context: stream(context, answer.text, answer.references)
    )
    [expected] = rendered("msteams", answer.text, answer.references)
    assert_arrived(connector.messages[-1], expected, streamed=True, others=("channelData",))
    texts = [one["text"] for one in connector.activities]
    assert len(texts) > 1
    assert all(after.startswith(before) for before, after in pairwise(texts))


async def test_references_that_come_later(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        cited = CitedStream(context.stream)
        cited.feed("Set a proxy [2], ")
        cited.feed(ReferencesFound(PROXY))
        cited.feed("and never two [1][2].")
        assert cited.end() == render(cite(Answer(text=TEXT, references=PROXY)), channel("msteams"))

    await run_teams_turn(incoming(connector, "msteams"), turn)
    assert_arrived(connector.messages[-1], *rendered("msteams"), streamed=True, others=("channelData",))


async def test_a_stream_ends_with_what_else_the_bot_shows(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        cited = CitedStream(context.stream, PROXY)
        cited.feed(TEXT)
        more = CardAction(type=CardActionType.IM_BACK, title="More", value="more")
        actions = SuggestedActions(to=[], actions=[more])
        cited.end(MessageActivityInput().with_suggested_actions(actions).add_feedback())

    await run_teams_turn(incoming(connector, "msteams"), turn)
    final = connector.messages[-1]
    others = ("channelData", "suggestedActions")
    assert_arrived(final, *rendered("msteams"), streamed=True, others=others)
    assert final["suggestedActions"]["actions"][0]["title"] == "More"
    assert final["channelData"]["feedbackLoop"] == {"type": "default"}


async def test_a_stream_in_web_chat_ends_with_the_suggested_questions(connector: KeepingConnector) -> None:
    async def turn(context: Any) -> None:
        cited = CitedStream(context.stream, PROXY, channel=channel("webchat"))
        cited.feed(TEXT)
        cited.feed(QuestionsSuggested("Ask next:", ("And on a Mac?",)))
        cited.end()

    await run_teams_turn(incoming(connector, "webchat"), turn)
    [action] = connector.messages[-1]["suggestedActions"]["actions"]
    assert action["value"] == "And on a Mac?"


async def test_a_stream_that_takes_too_long(connector: KeepingConnector) -> None:
    """Teams ends it after two minutes, and the SDK updates its message with the whole text."""
    connector.refusals.append(("final", 403, "Content stream finished due to exceeded streaming time."))
    await run_teams_turn(incoming(connector, "msteams"), lambda context: stream(context, TEXT))
    assert connector.requests[-1] == "PUT /v3/conversations/c1/activities/a1"
    assert_arrived(connector.messages[-1], *rendered("msteams"))


def test_no_references_leave_a_text_that_is_made_safe() -> None:
    """A retriever that found nothing may say so by None, as it may in ``turn_state``."""
    assert (
        cited_message("Set a <b>proxy</b> [1].", None).text
        == cited_message("Set a <b>proxy</b> [1].", ()).text
    )


async def test_wrong_references_are_named() -> None:
    with pytest.raises(TypeError, match=r"references\[0\]: expected Reference, and this is str"):
        cited_message(TEXT, "1")  # type: ignore[arg-type]
    assert MessageActivityInput().entities is None


def test_an_answer_in_the_place_of_the_text_is_named() -> None:
    answer = Answer(text=TEXT)
    with pytest.raises(TypeError, match=r"a message has a text, and then .* and this is Answer"):
        cited_message(answer, None)  # type: ignore[arg-type]
    assert cited_message("", answer).text == cited_message(TEXT, None).text
