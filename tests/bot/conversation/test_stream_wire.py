"""A streamed answer as its channel gets it, piece by piece, read from the bytes on the socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.access import Asker
from bot.languages import Sentence, say
from bot.sources.permission import EVERYTHING, Permission
from citations import Dialect, Reference, ReferencesFound, SpanFound, TextReplaced
from citations.model import DialectKnown
from tests.bot.running import running, send
from tests.bot.scripted_source import ScriptedSource
from tests.bot.streamed_answers import FOUND, SCALED, read_message, render_whole, write_question
from tests.bot.streaming_connector import (
    Activity,
    Refusal,
    StreamingConnector,
    TeamsConnector,
    WebChatConnector,
    graph,
    metadata,
    serving,
)

CARD: Final = "application/vnd.microsoft.card.adaptive"


async def decide_slowly(_: Asker) -> Permission:
    """An access policy that asks another server."""
    await asyncio.sleep(0.3)
    return EVERYTHING


@pytest.fixture
def source() -> ScriptedSource:
    return ScriptedSource()


@pytest.fixture
async def web_chat() -> AsyncIterator[WebChatConnector]:
    async with serving(WebChatConnector()) as connector:
        yield connector
        assert connector.broken == []


@pytest.fixture
async def teams() -> AsyncIterator[TeamsConnector]:
    async with serving(TeamsConnector()) as connector:
        yield connector
        assert connector.broken == []


async def test_web_chat_gets_the_text_as_it_grows(source: ScriptedSource, web_chat: WebChatConnector) -> None:
    async with running(source, timeouts=SCALED) as bot:
        turn = asyncio.create_task(send(bot, write_question(web_chat, "q")))
        source.tell("q", FOUND, "Water it [1].\n\n")
        first = await web_chat.next("streaming")
        assert metadata(first) == {"streamType": "streaming", "streamSequence": 1, "streamId": "a1"}
        assert first["text"].startswith("Water it [1].")
        assert "[1]: https://example.com/1" in first["text"]
        assert [claim["position"] for claim in graph(first)[0]["citation"]] == ["1"]
        source.tell("q", "And give it shade [2].\n\n")
        second = await web_chat.next("streaming", after=2)
        assert metadata(second) == {"streamType": "streaming", "streamSequence": 2, "streamId": "a1"}
        source.tell("q", "That is all.", None)
        final = await web_chat.next("final")
        assert (await turn)[0] == 201
    assert final["type"] == "message"
    assert metadata(final) == {"streamType": "final", "streamId": "a1"}
    assert read_message(final) == render_whole(
        "Water it [1].\n\nAnd give it shade [2].\n\nThat is all.", web_chat
    )
    assert web_chat.taken[-1] is final
    assert {activity["type"] for activity in web_chat.taken[:-1]} == {"typing"}


async def test_teams_is_informed_before_there_is_text(source: ScriptedSource, teams: TeamsConnector) -> None:
    async with running(source, timeouts=replace(SCALED, typing_after=0.01)) as bot:
        turn = asyncio.create_task(send(bot, write_question(teams, "q")))
        informed = await teams.next("informative")
        assert informed["text"] == "Searching Plant care …"
        assert metadata(informed) == {"streamType": "informative", "streamSequence": 1}
        source.tell("q", FOUND, "Water it [1].\n\nAnd give")
        piece = await teams.next("streaming")
        assert metadata(piece) == {"streamType": "streaming", "streamSequence": 2, "streamId": "a1"}
        assert [claim["position"] for claim in graph(piece)[0]["citation"]]
        assert "feedbackLoop" not in piece["channelData"]
        source.tell("q", " it shade.", None)
        assert (await turn)[0] == 201
    final = teams.taken[-1]
    assert metadata(final) == {"streamType": "final", "streamId": "a1"}
    assert final["channelData"]["feedbackLoop"] == {"type": "default"}
    assert read_message(final) == render_whole("Water it [1].\n\nAnd give it shade.", teams)


@pytest.mark.parametrize("kind", [WebChatConnector, TeamsConnector])
async def test_who_waits_is_told_what_is_being_done(
    source: ScriptedSource, kind: type[StreamingConnector]
) -> None:
    async with (
        serving(kind()) as connector,
        running(source, timeouts=replace(SCALED, typing_after=0.01)) as bot,
    ):
        question = {**write_question(connector, "q"), "locale": "de-DE"}
        turn = asyncio.create_task(send(bot, question))
        informed = [await connector.next("informative")]
        source.tell("q", FOUND)
        informed.append(await connector.next("informative", after=len(connector.taken)))
        # It is being written, and nothing can be shown.
        source.tell("q", TextReplaced("Water"), TextReplaced(""))
        informed.append(await connector.next("informative", after=len(connector.taken)))
        source.tell("q", "Water it [1].", None)
        assert (await turn)[0] == 201
    assert [one["text"] for one in informed] == [
        "Suche in „Plant care“ …", "Lese 3 Textstellen …", "Schreibe die Antwort …",
    ]  # fmt: skip
    assert metadata(connector.taken[-1]) == {"streamType": "final", "streamId": "a1"}
    assert connector.broken == []


async def test_an_answer_that_is_there_at_once_is_an_ordinary_message(
    source: ScriptedSource, web_chat: WebChatConnector, teams: TeamsConnector
) -> None:
    source.tell("q", FOUND, "Water it [1].\n\n", "Soon.", None, FOUND, "Water it [1].\n\n", "Soon.", None)
    async with running(source, timeouts=SCALED) as bot:
        for connector in (web_chat, teams):
            assert (await send(bot, write_question(connector, "q")))[0] == 201
            [final] = connector.taken
            assert metadata(final) == {}
            assert read_message(final) == render_whole("Water it [1].\n\nSoon.", connector)


GROUPS: list[tuple[str, Activity]] = [
    ("a group chat", {"conversationType": "groupChat", "isGroup": True}),
    ("a channel", {"conversationType": "channel", "isGroup": True}),
    ("a chat of unknown kind", {}),
]


@pytest.mark.parametrize(("where", "kind"), GROUPS)
async def test_in_a_group_teams_gets_one_whole_message(
    source: ScriptedSource, teams: TeamsConnector, where: str, kind: Activity
) -> None:
    teams.groups = frozenset({"c1"})
    source.tell("q", FOUND, "Water it [1].\n\n", 0.2, "Soon.\n\n", 0.2, None)
    question = {**write_question(teams, "q"), "conversation": {"id": "c1", **kind}}
    async with running(source, timeouts=replace(SCALED, typing_after=0.01)) as bot:
        assert (await send(bot, question))[0] == 201
    messages = [activity for activity in teams.taken if activity["type"] == "message"]
    assert [read_message(activity) for activity in messages] == [
        render_whole("Water it [1].\n\nSoon.\n\n", teams)
    ]
    assert not any(metadata(activity) for activity in teams.taken)


async def test_cards_go_with_whole_messages_only(source: ScriptedSource, teams: TeamsConnector) -> None:
    """Teams fails when the last message of a stream has one."""
    teams.groups = frozenset({"c2"})
    passage = Reference(id="1", name="Ferns", text="Ferns like shade.")
    personal = write_question(teams, "q")
    group = {
        **write_question(teams, "q"),
        "id": "a2",
        "conversation": {"id": "c2", "conversationType": "groupChat"},
    }
    async with running(source, timeouts=SCALED, teams_cards=True) as bot:
        for question in (personal, group):
            source.tell("q", ReferencesFound((passage,)), "Give it ", 0.1, "shade [1].", None)
            assert (await send(bot, question))[0] == 201
    streamed, whole_one = (activity for activity in teams.taken if activity["type"] == "message")
    formats = [
        graph(final)[0]["citation"][0]["appearance"].get("encodingFormat") for final in (streamed, whole_one)
    ]
    assert metadata(streamed)["streamType"] == "final"
    assert formats == [None, CARD]


async def test_extended_markdown_is_said_of_each_piece(source: ScriptedSource, teams: TeamsConnector) -> None:
    shade = Reference(id="1", name="Ferns", text="Ferns like shade.")
    source.tell("q", ReferencesFound((shade,)), "# Ferns\n\nGive it ", 0.1, "shade [1] for $5.", None)
    async with running(source, timeouts=SCALED, teams_extended_markdown=True) as bot:
        assert (await send(bot, write_question(teams, "q")))[0] == 201
    pieces = [activity for activity in teams.taken if metadata(activity)["streamType"] != "informative"]
    assert len(pieces) > 1
    assert {one["textFormat"] for one in pieces} == {"extendedmarkdown"}
    assert pieces[-1]["text"] == "# Ferns\n\nGive it shade [1] for &#36;5."


async def test_a_passage_that_is_long_in_coming_begins_no_stream_and_keeps_its_card(
    source: ScriptedSource, teams: TeamsConnector
) -> None:
    """A message that asks for more of the last answer searches nothing, so nothing says that it does."""
    question = "Wie viel Licht braucht ein Farn?"
    source.tell(
        question, ReferencesFound((Reference(id="1", name="Farne", text="Schatten."),)), "Wenig [1].", None
    )
    async with running(
        source, timeouts=replace(SCALED, typing_after=0.01), teams_cards=True, policy=decide_slowly
    ) as bot:
        await send(bot, write_question(teams, question))
        before = len(teams.taken)
        await send(bot, {**write_question(teams, "1"), "id": "a2"})
    [passage] = teams.taken[before:]
    assert not metadata(passage)
    assert passage["entities"][0]["citation"][0]["appearance"]["encodingFormat"] == CARD


async def test_a_number_that_is_a_question_is_searched_for_in_the_language_of_the_last_one(
    source: ScriptedSource, teams: TeamsConnector
) -> None:
    question = "Wie viel Licht braucht ein Farn?"
    source.tell(question, "Dazu steht nichts in den Quellen.", None)
    source.tell("7", 0.3, "Auch nichts.", None)
    async with running(source, timeouts=replace(SCALED, typing_after=0.01), policy=decide_slowly) as bot:
        await send(bot, write_question(teams, question))
        await send(bot, {**write_question(teams, "7"), "id": "a2"})
    signs = [one["text"] for one in teams.taken if metadata(one).get("streamType") == "informative"]
    assert set(signs) == {"Suche in „Plant care“ …"}


async def test_a_channel_that_does_not_stream_gets_one_whole_message(source: ScriptedSource) -> None:
    source.tell("q", FOUND, "Water it [1].\n\n", 0.1, "Soon.", None)
    async with serving(WebChatConnector(channel_id="sms")) as sms, running(source, timeouts=SCALED) as bot:
        assert (await send(bot, write_question(sms, "q")))[0] == 201
    [only] = sms.taken
    assert only["text"].startswith("Water it (1).")
    assert "channelData" not in only


async def test_expected_replies_are_whole_and_what_is_late_is_said_so(source: ScriptedSource) -> None:
    source.tell("q", FOUND, "Water it [1].\n\n", 0.1, "Soon.", None)
    source.tell("late", FOUND, "Water it [1].\n\n")
    async with (
        serving(WebChatConnector()) as connector,
        running(source, timeouts=replace(SCALED, budget=1)) as bot,
    ):
        for question, end in (("q", "Soon."), ("late", "the rest took longer than I can wait.")):
            status, body = await send(bot, write_question(connector, question, deliveryMode="expectReplies"))
            assert status == 200
            assert body.count('"type":"message"') == 1
            assert end in body
            assert "streamType" not in body
    assert connector.taken == []


async def test_a_slow_channel_gets_the_newest_text(
    source: ScriptedSource, web_chat: WebChatConnector
) -> None:
    web_chat.delay = 0.25
    words = [f"word{number} " for number in range(60)]
    async with running(source, timeouts=SCALED) as bot:
        turn = asyncio.create_task(send(bot, write_question(web_chat, "q")))
        for word in words:
            source.tell("q", word, 0.01)
        source.tell("q", None)
        assert (await turn)[0] == 201
    interims = web_chat.taken[1:-1]
    assert 2 <= len(interims) <= 6  # of 60 pieces
    assert web_chat.taken[-1]["text"].split() == [word.strip() for word in words]


async def test_web_chat_gets_no_more_than_ten_a_second(
    source: ScriptedSource, web_chat: WebChatConnector
) -> None:
    for number in range(100):
        source.tell("q", f"word{number} ", 0.005)
    source.tell("q", None)
    async with running(source, timeouts=SCALED) as bot:
        assert (await send(bot, write_question(web_chat, "q")))[0] == 201
    assert len(web_chat.taken) > 3  # at which rate, the connector knows


async def test_a_stream_goes_on_after_the_request(
    source: ScriptedSource, web_chat: WebChatConnector, teams: TeamsConnector
) -> None:
    async with running(source, timeouts=replace(SCALED, budget=0.4)) as bot:
        for connector in (web_chat, teams):
            question = connector.channel_id
            source.tell(question, FOUND, "Water it [1].\n\nAnd", 0.1)
            assert (await send(bot, write_question(connector, question)))[0] == 201
            before = len(connector.taken)
            assert before
            source.tell(question, " give it shade [2].\n\nThat", 0.2, " is all.", None)
            final = await connector.next("final", after=before)
            assert metadata(final)["streamId"] == "a1"
            text = "Water it [1].\n\nAnd give it shade [2].\n\nThat is all."
            assert read_message(final) == render_whole(text, connector)
            assert len([one for one in connector.taken if one["type"] == "message"]) == 1


async def test_a_second_question_in_teams_is_a_stream_of_its_own_when_the_first_has_ended(
    source: ScriptedSource, teams: TeamsConnector
) -> None:
    """One stream at a time in a chat, and the answers in the order of the questions."""
    async with running(source, timeouts=SCALED) as bot:
        first = asyncio.create_task(send(bot, write_question(teams, "first")))
        source.tell("first", FOUND, "Water it [1].\n\nAnd")
        await teams.next("streaming")
        source.tell("second", FOUND, "In the shade [2].\n\n", 0.1, "Always.", None)
        second = asyncio.create_task(send(bot, write_question(teams, "second")))
        # Another chat has its own stream, and its own order.
        source.tell("third", "Yes.\n\nIt", 0.1, " is.", None)
        assert (await send(bot, write_question(teams, "third", conversation="c2")))[0] == 201
        assert metadata(teams.of("c2")[-1])["streamType"] == "final"
        source.tell("first", " give it shade.", None)
        assert [(await turn)[0] for turn in (first, second)] == [201, 201]
    finals = [one for one in teams.of("c1") if metadata(one).get("streamType") == "final"]
    assert [read_message(one) for one in finals] == [
        render_whole("Water it [1].\n\nAnd give it shade.", teams),
        render_whole("In the shade [2].\n\nAlways.", teams),
    ]
    assert teams.broken == []


async def test_two_streams_in_web_chat_are_two_bubbles_in_the_order_of_the_questions(
    source: ScriptedSource, web_chat: WebChatConnector
) -> None:
    async with running(source, timeouts=replace(SCALED, typing_after=0.05)) as bot:
        source.tell("first", "first goes")
        source.tell("second", "second goes", 0.2, " and ends.", None)
        first = asyncio.create_task(send(bot, write_question(web_chat, "first")))
        await web_chat.next("streaming")
        before = len(web_chat.taken)
        second = asyncio.create_task(send(bot, write_question(web_chat, "second")))
        await web_chat.next("typing", after=before)  # a sign that it was heard
        source.tell("first", " and ends.", None)
        await asyncio.gather(first, second)
    finals = [activity for activity in web_chat.taken if activity["type"] == "message"]
    assert [one["text"] for one in finals] == ["first goes and ends.", "second goes and ends."]
    assert len({metadata(one)["streamId"] for one in finals}) == 2


LIMITED = replace(SCALED, stream_limit=0.6)
CODE = "Like this [2]:\n\n```python\nwater()\n"


PARTS = ["Water it [1].\n\nTwice a week [2].\n\nAnd then", " give it shade [3].\n\nThat is all [1]."]
NO_EDIT = Refusal(403, "editing is not allowed here")


async def test_before_two_minutes_the_stream_ends_and_the_whole_answer_takes_its_place(
    source: ScriptedSource, teams: TeamsConnector
) -> None:
    async with running(source, timeouts=LIMITED) as bot:
        source.tell("q", FOUND, PARTS[0], 1.0, PARTS[1], None)
        assert (await send(bot, write_question(teams, "q")))[0] == 201
    [first] = [activity for activity in teams.taken if activity["type"] == "message"]
    assert metadata(first)["streamType"] == "final"
    assert first["text"].startswith("Water it [1].")
    assert first["text"].endswith(f"\n\n{say(Sentence.GOES_ON)}")
    [(edited, whole)] = teams.edits.items()
    assert edited == metadata(first)["streamId"]
    assert read_message(whole) == render_whole("".join(PARTS), teams)
    assert teams.broken == []


@pytest.mark.parametrize("in_copilot", [False, True])
async def test_where_that_is_refused_and_in_copilot_the_rest_is_a_message_of_its_own(
    source: ScriptedSource, teams: TeamsConnector, in_copilot: bool
) -> None:
    """Nothing is lost or said twice."""
    teams.refusals["edit"] = [NO_EDIT]
    copilot: dict[str, Any] = {"entities": [{"type": "ProductInfo", "id": "COPILOT"}]} if in_copilot else {}
    async with running(source, timeouts=LIMITED) as bot:
        source.tell("q", FOUND, PARTS[0], 1.0, PARTS[1], None)
        assert (await send(bot, write_question(teams, "q", **copilot)))[0] == 201
    first, rest = [activity for activity in teams.taken if activity["type"] == "message"]
    assert metadata(first)["streamType"] == "final"
    assert metadata(rest) == {}
    text, _ = render_whole("".join(PARTS), teams)
    assert joined(first, rest) == text.split()
    for part in (first, rest):
        listed = [str(claim["position"]) for claim in graph(part)[0]["citation"]]
        assert listed == sorted({number for number in "123" if f"[{number}]" in part["text"]})
    assert (teams.refusals["edit"] == []) != in_copilot
    assert teams.edits == {}


async def test_words_that_had_to_be_kept_are_taken_out_by_an_update(
    source: ScriptedSource, teams: TeamsConnector
) -> None:
    """What Teams has shown stays in the final. A span that came too late has its badge in the update alone."""
    spans = [DialectKnown(Dialect.NONE, spans_at_end=False)]
    async with running(source, timeouts=SCALED) as bot:
        source.tell("q", FOUND, *spans, "Water it twice.\n\nGive it shade.\n\nThat is all.", 0.6)
        source.tell("q", SpanFound(0, 15, ("1",)), None)
        assert (await send(bot, write_question(teams, "q")))[0] == 201
    [final] = [activity for activity in teams.taken if activity["type"] == "message"]
    assert "[1]" not in final["text"]
    [whole] = teams.edits.values()
    assert whole["text"].startswith("Water it twice.[1]")
    assert [str(claim["position"]) for claim in graph(whole)[0]["citation"]] == ["1"]
    assert teams.broken == []


async def test_a_code_block_in_two_messages_is_a_block_in_each(
    source: ScriptedSource, teams: TeamsConnector
) -> None:
    teams.refusals["edit"] = [NO_EDIT]
    async with running(source, timeouts=LIMITED) as bot:
        source.tell("q", FOUND, CODE, 1.0, "shade()\n```\n\nThat is all.", None)
        assert (await send(bot, write_question(teams, "q")))[0] == 201
    messages = [activity["text"] for activity in teams.taken if activity["type"] == "message"]
    assert all(text.count("```") % 2 == 0 for text in messages)
    assert sum(text.count("water()") for text in messages) == 1
    assert sum(text.count("shade()") for text in messages) == 1


async def test_an_answer_without_a_word_is_an_excuse(
    source: ScriptedSource, web_chat: WebChatConnector
) -> None:
    source.tell("q", FOUND, "", " \n", None)
    async with running(source, timeouts=SCALED) as bot:
        assert (await send(bot, write_question(web_chat, "q")))[0] == 201
    assert [activity["text"] for activity in web_chat.taken] == [say(Sentence.CRASHED)]


async def test_an_answer_that_begins_after_two_minutes_comes_whole(
    source: ScriptedSource, teams: TeamsConnector
) -> None:
    async with running(source, timeouts=replace(LIMITED, typing_after=0.01)) as bot:
        source.tell("q", 1.0, FOUND, "Water it [1].\n\nTwice.", None)
        assert (await send(bot, write_question(teams, "q")))[0] == 201
    [first] = [activity for activity in teams.taken if activity["type"] == "message"]
    assert (metadata(first)["streamType"], first["text"]) == ("final", say(Sentence.COMES_LATER))
    [whole] = teams.edits.values()
    assert read_message(whole) == render_whole("Water it [1].\n\nTwice.", teams)


def joined(first: Activity, rest: Activity) -> list[str]:
    together: str = first["text"].removesuffix(say(Sentence.GOES_ON)) + rest["text"]
    return together.split()
