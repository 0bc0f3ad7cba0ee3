"""What a connector receives from the bot, read from the bytes on the socket."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.config.timeouts import Timeouts
from bot.conversation.handler import LONGEST_QUESTION
from bot.conversation.outcome import TOO_SLOW
from bot.languages import Sentence, say
from bot.sources import SourceError

from .running import OVERTAKEN, PROMPT, Connector, connecting, message, running, send
from .table_source import TableSource

WATER = "How often should I water a fern?"
UNKNOWN = "I found nothing about this in your documents."


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture
def source() -> TableSource:
    return TableSource()


@pytest.fixture
async def bot(source: TableSource) -> AsyncIterator[str]:
    async with running(source) as authority:
        yield authority


async def test_the_graph_arrives_whole(bot: str, connector: Connector) -> None:
    assert (await send(bot, message(connector.service_url, WATER)))[0] == 201
    path, body = await connector.next_bytes()
    assert path == "/v3/conversations/c1/activities"
    activity = json.loads(body)
    assert activity["textFormat"] == "markdown"
    assert activity["text"] == (
        "Water a fern **twice a week** [1], and give it shade [1]\u200b[2].\n\n"
        '[1]: cite:1 "Watering plants.md, p. 3"\n[2]: https://example.com/light "Light"'
    )
    [graph] = activity["entities"]
    assert (graph["@context"], graph["@id"], graph["@type"]) == ("https://schema.org", "", "Message")
    assert graph["type"] == "https://schema.org/Message"
    first, second = graph["citation"]
    assert (first["position"], second["position"]) == ("1", "2")
    assert first["claimInterpreter"]["slogan"] == "Quoted from your documents"
    assert second["appearance"]["url"] == "https://example.com/light"
    # The passage opens our own document, and nothing else in it is a link.
    assert f"](http://{bot}/documents/plants.md)" in first["appearance"]["text"]
    assert "](https://evil.example/)" not in first["appearance"]["text"]
    assert "null" not in body.decode()


async def test_a_text_channel_gets_text(bot: str, connector: Connector) -> None:
    await send(bot, message(connector.service_url, WATER, channelId="sms"))
    activity = await connector.next()
    assert activity["textFormat"] == "plain"
    assert "entities" not in activity
    assert "](" not in activity["text"]


async def test_other_channels_get_a_reply_to_the_activity(bot: str, connector: Connector) -> None:
    await send(bot, message(connector.service_url, WATER, channelId="emulator", id="a|1"))
    path, _ = await connector.next_bytes()
    assert path == "/v3/conversations/c1/activities/a%7C1"


async def test_something_else_is_answered_honestly(bot: str, connector: Connector) -> None:
    await send(bot, message(connector.service_url, "Who won the cup?"))
    assert (await connector.next())["text"].strip() == UNKNOWN


SENTENCES = [
    ({"text": "fail"}, say(SourceError.message)),
    ({"text": "crash"}, say(Sentence.CRASHED)),
    ({"text": " "}, say(Sentence.NO_QUESTION)),
    ({"text": None}, say(Sentence.NO_QUESTION)),
    (
        {"text": "", "attachments": [{"contentType": "text/html", "content": "<p>Bot</p>"}]},
        say(Sentence.NO_QUESTION),
    ),
    (
        {"text": "", "attachments": [{"contentType": "image/png", "name": "x.png"}]},
        say(Sentence.FILES_NOT_READ),
    ),
    ({"text": "x" * (LONGEST_QUESTION + 1)}, say(Sentence.QUESTION_TOO_LONG, limit=LONGEST_QUESTION)),
]


@pytest.mark.parametrize(("fields", "expected"), SENTENCES)
async def test_one_sentence_for_what_cannot_be_answered(
    bot: str, connector: Connector, fields: dict[str, Any], expected: str
) -> None:
    body = {**message(connector.service_url, "x"), **fields}
    assert (await send(bot, body))[0] == 201
    assert (await connector.next())["text"] == expected
    assert connector.rest() == []


JOINS = [
    ("the person", [{"id": "u1"}], 1),
    ("both at once", [{"id": "u1"}, {"id": "bot"}], 1),
    ("only the bot", [{"id": "bot"}], 0),
    ("nobody", [], 0),
]


@pytest.mark.parametrize(("who", "added", "greetings"), JOINS)
async def test_the_person_is_greeted_once(
    bot: str, connector: Connector, who: str, added: list[dict[str, str]], greetings: int
) -> None:
    joined = message(connector.service_url, "", type="conversationUpdate", membersAdded=added)
    for _ in range(2):
        assert (await send(bot, joined))[0] == 201
    received = connector.rest()
    assert len(received) == greetings
    for greeting in received:
        assert "**Plant care**" in greeting["text"]
        assert "2 documents" in greeting["text"]
        assert [action["value"] for action in greeting["suggestedActions"]["actions"]] == [
            WATER,
            "Where should a fern stand?",
        ]
        assert {action["type"] for action in greeting["suggestedActions"]["actions"]} == {"imBack"}


@pytest.mark.parametrize(
    ("channel_id", "asks_for_number"), [("webchat", False), ("msteams", False), ("sms", True)]
)
async def test_a_number_is_asked_for_where_no_badge_opens_the_passage(
    bot: str, connector: Connector, channel_id: str, asks_for_number: bool
) -> None:
    joined = message(
        connector.service_url,
        "",
        type="conversationUpdate",
        membersAdded=[{"id": "u1"}],
        channelId=channel_id,
    )
    assert (await send(bot, joined))[0] == 201
    greeting = (await connector.next())["text"]
    assert greeting.endswith("Reply with a number for the passage.") is asks_for_number


async def test_a_greeting_needs_no_recipient(bot: str, connector: Connector) -> None:
    joined = message(connector.service_url, "", type="conversationUpdate", membersAdded=[{"id": "u1"}])
    del joined["recipient"]
    assert (await send(bot, joined))[0] == 201
    assert "Plant care" in (await connector.next())["text"]


async def test_the_same_activity_is_answered_once(
    source: TableSource, bot: str, connector: Connector
) -> None:
    body = message(connector.service_url, "slow")
    first = asyncio.create_task(send(bot, body))
    await connector.next("typing")
    assert (await send(bot, body))[0] == 201  # again, while the first is being answered
    source.gate.set()
    assert (await first)[0] == 201
    assert (await send(bot, body))[0] == 201  # and again after it
    assert source.asked == ["slow"]
    assert [activity["type"] for activity in connector.rest() if activity["type"] == "message"] == ["message"]


async def test_the_same_id_elsewhere_is_another_activity(
    source: TableSource, bot: str, connector: Connector
) -> None:
    await send(bot, message(connector.service_url, WATER, id="1"))
    await send(bot, message(connector.service_url, WATER, id="1", conversation={"id": "c2"}))
    await send(bot, message(connector.service_url, WATER, id="1", channelId="webchat"))
    await send(bot, message(connector.service_url, WATER, id="2"))
    assert len(source.asked) == 4


async def test_an_undelivered_answer_may_be_asked_for_again(source: TableSource, bot: str) -> None:
    async with connecting(status=503) as connector:
        body = message(connector.service_url, WATER)
        assert (await send(bot, body))[0] == 502
        connector.status = 200
        connector.rest()
        assert (await send(bot, body))[0] == 201
        assert "twice a week" in (await connector.next())["text"]


async def test_typing_goes_on_until_the_answer_and_not_after_it(
    source: TableSource, bot: str, connector: Connector
) -> None:
    turn = asyncio.create_task(send(bot, message(connector.service_url, "slow")))
    for _ in range(3):
        await connector.next("typing")
    source.gate.set()
    await turn
    kinds = [activity["type"] for activity in connector.rest()]
    assert kinds.count("message") == 1
    assert kinds[-1] == "message"
    await asyncio.sleep(3 * PROMPT.typing_every)
    assert connector.rest() == []


async def test_signs_of_a_question_that_waits_come_less_and_less_often(
    source: TableSource, connector: Connector
) -> None:
    async with running(source, timeouts=PROMPT, max_answers=2) as bot:
        asked = [
            message(connector.service_url, "slow", id=str(n), conversation={"id": f"c{n}"}) for n in range(3)
        ]
        sending = [asyncio.create_task(send(bot, one)) for one in asked[:2]]
        for _ in sending:
            await connector.next("typing")
        sending.append(asyncio.create_task(send(bot, asked[2])))
        came: list[float] = []
        while len(came) < 4:
            if (await connector.next("typing"))["conversation"]["id"] == "c2":
                came.append(asyncio.get_running_loop().time())
        source.gate.set()
        await asyncio.gather(*sending)
    pauses = [later - earlier for earlier, later in itertools.pairwise(came)]
    for pause, times in zip(pauses[1:], [2, 4], strict=True):
        assert pause >= 0.8 * times * PROMPT.typing_every


async def test_where_many_wait_none_of_them_has_a_sign(source: TableSource, connector: Connector) -> None:
    async with running(source, timeouts=PROMPT, max_answers=1) as bot:
        sending = []
        for number in range(3):
            asked = message(connector.service_url, "slow", id=str(number), conversation={"id": f"c{number}"})
            sending.append(asyncio.create_task(send(bot, asked)))
            await asyncio.sleep(0)
        conversations = {(await connector.next("typing"))["conversation"]["id"] for _ in range(6)}
        source.gate.set()
        await asyncio.gather(*sending)
    assert len(conversations) == 1
    assert [one["type"] for one in connector.rest()].count("message") == 3


@pytest.mark.parametrize("channel_id", ["sms", "email", "telegram"])
async def test_no_typing_where_it_would_be_a_message(
    source: TableSource, bot: str, connector: Connector, channel_id: str
) -> None:
    turn = asyncio.create_task(send(bot, message(connector.service_url, "slow", channelId=channel_id)))
    await asyncio.sleep(4 * PROMPT.typing_every)
    source.gate.set()
    await turn
    assert [activity["type"] for activity in connector.rest()] == ["message"]


async def test_a_late_answer_follows(source: TableSource, connector: Connector) -> None:
    async with running(source, timeouts=OVERTAKEN) as bot:
        assert (await send(bot, message(connector.service_url, "slow")))[0] == 201
        await connector.next("typing")
        assert {activity["type"] for activity in connector.rest()} <= {"typing"}
        await connector.next("typing")  # it goes on in between
        source.gate.set()
        answer = await connector.next()
    assert "twice a week" in answer["text"]
    assert answer["entities"][0]["@type"] == "Message"
    assert answer["conversation"]["id"] == "c1"
    assert answer["recipient"]["id"] == "u1"
    assert source.asked == ["slow"]


async def test_an_answer_that_never_comes_is_a_sentence(connector: Connector) -> None:
    source = TableSource()
    timeouts = Timeouts(budget=0.1, patience=0.4, typing_after=9, typing_every=9, farewell=1)
    async with running(source, timeouts=timeouts) as bot:
        assert (await send(bot, message(connector.service_url, "slow")))[0] == 201
        assert (await connector.next())["text"] == say(TOO_SLOW.message)
    assert source.cancelled == 1


async def test_ending_cancels_what_is_under_way(source: TableSource, connector: Connector) -> None:
    async with running(source, timeouts=OVERTAKEN) as bot:
        await send(bot, message(connector.service_url, "slow"))
    assert (source.cancelled, source.opened, source.closed) == (1, 1, 1)


async def test_expect_replies_come_in_the_response(
    source: TableSource, bot: str, connector: Connector
) -> None:
    status, body = await send(bot, message(connector.service_url, WATER, deliveryMode="expectReplies"))
    assert status == 200
    [activity] = json.loads(body)["activities"]
    assert activity["entities"][0]["citation"][0]["position"] == "1"
    async with running(source, timeouts=OVERTAKEN) as overtaken:
        asked = message(connector.service_url, "slow", deliveryMode="expectReplies")
        status, body = await send(overtaken, asked)
    assert [reply["text"] for reply in json.loads(body)["activities"]] == [say(TOO_SLOW.message)]
    assert connector.rest() == []
    assert source.cancelled == 1


KINDS = [
    ("event", 201),
    ("typing", 201),
    ("messageReaction", 201),
    ("endOfConversation", 201),
    ("x-new", 201),
    ("invoke", 501),
]


@pytest.mark.parametrize(("kind", "status"), KINDS)
async def test_other_activities_are_taken_and_not_answered(
    bot: str, connector: Connector, kind: str, status: int
) -> None:
    assert (await send(bot, message(connector.service_url, "x", type=kind)))[0] == status
    assert connector.rest() == []


async def test_an_answer_that_may_have_arrived_is_not_given_again(
    source: TableSource, connector: Connector
) -> None:
    """The person is told so instead, and the channel is not made to send the question again."""
    connector.open.clear()
    body = message(connector.service_url, WATER)
    async with running(source, timeouts=replace(PROMPT, sending=0.3)) as bot:
        assert (await send(bot, body))[0] == 201
        assert (await send(bot, body))[0] == 201
        assert "twice a week" in (await connector.next())["text"]
        assert (await connector.next())["text"] == say(Sentence.MAYBE_LOST)
        connector.open.set()
    assert connector.rest() == []
