"""Votes on answers, as channels send them over the socket, and what is kept of them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.conversation.feedback import StoredVote, Votes, read_stored_vote
from bot.languages import Sentence, say, speaking
from bot.state import StateError
from bot.state.memory import StateInMemory
from bot.telemetry.conversation_key import ConversationKey
from citations.graph import VOTE_EVENT, VOTE_INVOKE, Reaction
from tests.bot.running import Connector, connecting, logged, message, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.bot.streamed_answers import FOUND, SCALED, write_question
from tests.bot.streaming_connector import TeamsConnector, WebChatConnector, serving
from tests.bot.table_source import TableSource

WATER = "How often should I water a fern?"
LIKE, DISLIKE = "LikeAction", "DislikeAction"


@dataclass
class Voting:
    """A bot, its channel, and the file that it keeps its state in."""

    bot: str
    connector: Connector
    file: Path

    async def ask(self, name: str = "q1", **fields: Any) -> dict[str, Any]:
        """Ask about ferns; the answer."""
        body = message(self.connector.service_url, WATER, **{"id": name, **fields})
        assert (await send(self.bot, body))[0] == 201
        return await self.connector.next()

    async def press(self, pressed: dict[str, Any], **fields: Any) -> None:
        """A thumb is pressed in Web Chat 4.18."""
        entities = [pressed, {"type": "ClientCapabilities", "supportsTts": False}]
        body = message(self.connector.service_url, "", type="event", name=VOTE_EVENT, entities=entities)
        del body["text"], body["id"]
        assert await send(self.bot, {**body, **fields}) == (201, "")

    async def submit(self, answer: str, reaction: str, feedback: object, **fields: Any) -> tuple[int, str]:
        """A form is submitted in Teams, or in newer Web Chat."""
        value = {"actionName": "feedback", "actionValue": {"reaction": reaction, "feedback": feedback}}
        body = message(
            self.connector.service_url, "", type="invoke", name=VOTE_INVOKE, replyToId=answer, value=value
        )
        return await send(self.bot, {**body, **fields})

    def stored_votes(self) -> list[StoredVote]:
        """The votes in the store, the oldest first."""
        with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as store:
            rows = store.execute("SELECT value FROM kept WHERE kind = 'vote' ORDER BY rowid").fetchall()
        votes = [read_stored_vote(value) for (value,) in rows]
        assert None not in votes
        return [vote for vote in votes if vote]


def thumb(answer: dict[str, Any], kind: str) -> dict[str, Any]:
    """The action of an answer that Web Chat shows as a thumb."""
    actions = [action for entity in answer["entities"] for action in entity.get("potentialAction", ())]
    found: dict[str, Any] = next(action for action in actions if action["@type"] == kind)
    return found


def answer_id(answer: dict[str, Any]) -> str:
    name: str = thumb(answer, LIKE)["@id"]
    return name.removeprefix("urn:answer:").removesuffix("#like")


@pytest.fixture
async def voting(tmp_path: Path) -> AsyncIterator[Voting]:
    file = tmp_path / "state"
    async with connecting() as connector, running(TableSource(), state=f"sqlite:///{file}") as bot:
        yield Voting(bot, connector, file)
        # Nobody is told anything about a vote, least of all an error.
        assert connector.rest() == []


async def test_a_thumb_is_kept_with_the_answer_that_it_is_about(voting: Voting) -> None:
    first, second = await voting.ask("q1"), await voting.ask("q2")
    await voting.press(thumb(second, DISLIKE))
    await voting.press(thumb(first, LIKE))
    assert [(vote.answer, vote.reaction, vote.changed, vote.comment) for vote in voting.stored_votes()] == [
        (answer_id(second), Reaction.DISLIKE, False, ""),
        (answer_id(first), Reaction.LIKE, False, ""),
    ]


async def test_the_last_vote_of_a_person_counts(voting: Voting) -> None:
    answer = await voting.ask()
    for kind in (LIKE, LIKE, DISLIKE):
        await voting.press(thumb(answer, kind))
    await voting.press(thumb(answer, LIKE), **{"from": {"id": "somebody else"}})
    assert sorted((vote.reaction, vote.changed) for vote in voting.stored_votes()) == [
        (Reaction.DISLIKE, True),
        (Reaction.LIKE, False),
    ]


async def test_nobody_is_named(voting: Voting) -> None:
    for name in ("q1", "q2"):
        await voting.press(thumb(await voting.ask(name), LIKE), **{"from": {"id": "canary-user"}})
    first, second = voting.stored_votes()
    assert first.person != second.person
    assert b"canary" not in voting.file.read_bytes()


FORMS: list[tuple[str, object, str]] = [
    ("Teams", '{"feedbackText":"Just what I needed"}', "Just what I needed"),
    ("Web Chat", {"feedbackText": "Just what I needed"}, "Just what I needed"),
    ("no words", '{"feedbackText":""}', ""),
    ("no form", None, ""),
    ("no JSON", "Just what I needed", ""),
]


@pytest.mark.parametrize(
    ("feedback", "comment"), [case[1:] for case in FORMS], ids=[case[0] for case in FORMS]
)
async def test_a_form_is_kept_under_the_activity_that_it_replies_to(
    voting: Voting, feedback: object, comment: str
) -> None:
    answer = await voting.ask()
    # The connector numbers what it takes.
    assert await voting.submit("a1", "like", feedback) == (200, "{}")
    [vote] = voting.stored_votes()
    assert (vote.answer, vote.reaction, vote.comment) == (answer_id(answer), Reaction.LIKE, comment)


async def test_a_comment_is_added_to_a_thumb(voting: Voting) -> None:
    answer = await voting.ask()
    await voting.press(thumb(answer, LIKE))
    await voting.submit("a1", "like", {"feedbackText": "Thanks"})
    [vote] = voting.stored_votes()
    assert (vote.reaction, vote.changed, vote.comment) == (Reaction.LIKE, False, "Thanks")


FORGED: list[tuple[str, Callable[[dict[str, Any]], dict[str, Any]], dict[str, Any]]] = [
    ("another conversation", lambda pressed: pressed, {"conversation": {"id": "c2"}}),
    ("another channel", lambda pressed: pressed, {"channelId": "webchat"}),
    ("an answer that never was", lambda pressed: pressed | {"@id": "urn:answer:never#like"}, {}),
    ("no id", lambda pressed: {name: pressed[name] for name in pressed if name != "@id"}, {}),
    ("another type", lambda pressed: pressed | {"@type": "AskAction"}, {}),
    ("an id that is none", lambda pressed: pressed | {"@id": {"@id": "x"}}, {}),
    ("another event", lambda pressed: pressed, {"name": "something"}),
    ("no entities", lambda pressed: pressed, {"entities": None}),
]


@pytest.mark.parametrize(
    ("change", "fields"), [case[1:] for case in FORGED], ids=[case[0] for case in FORGED]
)
async def test_what_is_no_vote_here_is_ignored(
    voting: Voting, change: Callable[[dict[str, Any]], dict[str, Any]], fields: dict[str, Any]
) -> None:
    answer = await voting.ask()
    await voting.press(change(thumb(answer, LIKE)), **fields)
    assert voting.stored_votes() == []


@pytest.mark.parametrize(
    "value",
    [
        None,
        "like",
        [],
        {},
        {"actionName": "feedback"},
        {"actionName": "pick", "actionValue": {"reaction": "like"}},
    ],
    ids=repr,
)
async def test_a_form_that_is_none_is_no_error_to_the_person(voting: Voting, value: object) -> None:
    await voting.ask()
    assert await voting.submit("a1", "like", "", value=value) == (200, "{}")
    assert await voting.submit("another", "like", "") == (200, "{}")
    assert voting.stored_votes() == []


async def test_a_channel_that_cannot_ask_keeps_nothing_for_it(voting: Voting) -> None:
    await voting.ask(channelId="sms")
    with sqlite3.connect(f"file:{voting.file}?mode=ro", uri=True) as store:
        assert store.execute("SELECT count(*) FROM kept WHERE kind = 'sent'").fetchone() == (0,)


async def test_other_invokes_are_still_not_implemented(voting: Voting) -> None:
    assert (await voting.submit("a1", "like", "", name="message/other"))[0] == 501


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
async def test_teams_gets_a_form_in_the_persons_language(voting: Voting, locale: str) -> None:
    """Its page and its SDK send different values, and want the same."""
    for value in ({"actionName": "feedback"}, {"data": {"actionName": "feedback"}}):
        asked = voting.submit("a1", "like", "", name="message/fetchTask", value=value, locale=locale)
        status, body = await asked
        assert status == 200
        task = json.loads(body)["task"]
        assert task["type"] == "continue"
        with speaking(locale[:2]):
            assert task["value"]["title"] == say(Sentence.FEEDBACK_TITLE)
            card = task["value"]["card"]["content"]
            assert card["actions"] == [{"type": "Action.Submit", "title": say(Sentence.FEEDBACK_SEND)}]
        assert card["body"] == [{"type": "Input.Text", "id": "feedbackText", "isMultiline": True}]


@pytest.mark.parametrize("name", ["suggestedAction/submit", "suggestedActions/submit"])
async def test_a_button_of_teams_gets_its_response_under_both_names(voting: Voting, name: str) -> None:
    assert await voting.submit("a1", "like", "", name=name, value={"share": 1}) == (200, "{}")
    assert voting.stored_votes() == []


@pytest.fixture(params=[WebChatConnector, TeamsConnector])
async def connector(request: pytest.FixtureRequest) -> AsyncIterator[WebChatConnector | TeamsConnector]:
    async with serving(request.param()) as one:
        yield one


async def test_after_a_stream_too(connector: WebChatConnector | TeamsConnector, tmp_path: Path) -> None:
    """Teams knows the answer by the stream's id, Web Chat by that of the final."""
    source, file = ScriptedSource(), tmp_path / "state"
    async with running(source, timeouts=SCALED, state=f"sqlite:///{file}") as bot:
        source.tell("q", FOUND, "Water it [1].\n\n")
        question = write_question(connector, "q")
        turn = asyncio.create_task(send(bot, question))
        await connector.next("streaming")
        source.tell("q", "That is all.", None)
        final = await connector.next("final")
        assert (await turn)[0] == 201
        streams = connector.channel_id == "msteams"
        name = final["channelData"]["streamId"] if streams else f"a{len(connector.taken)}"
        voting = Voting(bot, Connector(port=connector.port), file)
        of_channel = {"channelId": connector.channel_id, "conversation": question["conversation"]}
        assert await voting.submit(name, "dislike", "{}", **of_channel) == (200, "{}")
    [vote] = voting.stored_votes()
    assert vote.reaction is Reaction.DISLIKE
    assert streams or vote.answer == answer_id(final)


async def test_a_vote_survives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "state"
    async with connecting() as connector:
        async with running(TableSource(), state=f"sqlite:///{file}") as bot:
            answer = await Voting(bot, connector, file).ask()
        async with running(TableSource(), state=f"sqlite:///{file}") as bot:
            voting = Voting(bot, connector, file)
            await voting.press(thumb(answer, LIKE))
    assert [vote.answer for vote in voting.stored_votes()] == [answer_id(answer)]


async def test_votes_are_counted_in_the_log(voting: Voting) -> None:
    answer = await voting.ask()
    with logged() as log:
        for kind, person in ((LIKE, "u1"), (LIKE, "u2"), (LIKE, "u2"), (DISLIKE, "u1")):
            await voting.press(thumb(answer, kind), **{"from": {"id": person}})
        await voting.submit(
            "a1", "like", {"feedbackText": "canary-comment"}, **{"from": {"id": "canary-user"}}
        )
        await voting.submit("a7", "like", "")
    written = [json.loads(line) for line in log.getvalue().splitlines()]
    votes = [event for event in written if event["event"] == "vote"]
    assert [(vote["likes"], vote["dislikes"], vote["changed"]) for vote in votes] == [
        (1, 0, False),
        (2, 0, False),
        (1, 1, True),
        (2, 1, False),
    ]
    assert [event["readable"] for event in written if event["event"] == "vote ignored"] == [True]
    assert "canary" not in log.getvalue()


class Unreachable(StateInMemory):
    """A store that is down."""

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        raise StateError("it is down")

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        raise StateError("it is down")


async def test_an_answer_is_sent_whatever_the_store_does() -> None:
    from botbuilder.schema import Activity, ConversationAccount

    votes, sent = Votes(Unreachable()), []

    async def take(activity: Any) -> str:
        sent.append(activity)
        return "a1"

    conversation = ConversationKey("msteams", "c1")
    await votes.open_ballot(conversation).send(take, Activity(type="message"))
    assert len(sent) == 1
    vote = {"actionName": "feedback", "actionValue": {"reaction": "like"}}
    await votes.record(
        Activity(
            type="invoke",
            name=VOTE_INVOKE,
            value=vote,
            reply_to_id="a1",
            channel_id="msteams",
            conversation=ConversationAccount(id="c1"),
        )
    )


@pytest.mark.parametrize(
    "kept", [None, b"", b"[]", b"{}", b'{"answer": "a"}', b'{"reaction": "love"}', b"\xff"]
)
def test_what_is_no_kept_vote(kept: bytes | None) -> None:
    assert read_stored_vote(kept) is None
