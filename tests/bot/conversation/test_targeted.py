"""A question that one person of a group asks alone is answered to that person alone, on every path.

Governing source: Teams, "Targeted messages". To the Playground they are ordinary messages, so that the proof
is a connector that looks at method, path, query and body.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.timeouts import Timeouts
from bot.conversation.doubt_options import ClaimAndPassage, DoubtOptions
from bot.languages import Sentence, say
from bot.sources import AnswerSource, EarlierTurn, SourceError
from bot.sources.permission import EVERYTHING, Permission
from citations import AnswerEvent, Reference, ReferencesFound, TextDelta
from tests.bot.running import Connector, connecting, logged, message, running, send
from tests.depth import examples

CANARY: Final = "kestrelcanary"
"""Only in what is answered to the targeted questions, which have the word "hush"."""
GROUP: Final = {"id": "19:c@thread.v2", "conversationType": "groupChat", "isGroup": True}
CHANNEL: Final = {"id": "19:c@thread.tacv2;messageid=1", "conversationType": "channel", "isGroup": True}
PERSONAL: Final = {"id": "a:c", "conversationType": "personal"}
"""Where Teams streams, and has no targeted messages so far."""
HURRIED: Final = Timeouts(
    budget=0.3, patience=20.0, typing_after=0.02, typing_every=0.05, pause=0.01, farewell=1.0, following=0.3
)


@dataclass(slots=True)
class Confidant(AnswerSource):
    """Answers a question that has "hush" with the canary, and repeats each earlier turn that it is given."""

    title: str = "Plant care"
    follows_turns: bool = True

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        async for event in self.answer_for(question, EVERYTHING):
            yield event

    async def answer_for(
        self, question: str, permission: Permission, earlier: Sequence[EarlierTurn] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        word = CANARY if "hush" in question else "sparrow"
        found = [Reference(id=str(n), name=f"{word} {n}", text=f"The {word} sings. " * 40) for n in (1, 2)]
        yield ReferencesFound((*found, Reference(id="3", name=f"Uncited {word}", text=word)))
        told = " ".join(f"{one.question} {one.answer}" for one in earlier)
        yield TextDelta(f"The {word} sings [1]. {told}\n\n")
        if "slow" in question:
            await asyncio.sleep(0.6)
        if "fails" in question:
            raise SourceError("it fails")
        if "crashes" in question:
            raise RuntimeError("it crashes")
        yield TextDelta(f"The {word} sings again [2].\n\n" * (1500 if "long" in question else 1))


@dataclass(slots=True)
class Group:
    """A group of Teams, in which people ask the bot aloud, or so that they alone are answered."""

    authority: str
    connector: Connector
    place: dict[str, Any] = field(default_factory=lambda: GROUP)
    count: int = 0

    async def ask(self, text: str, *, alone: bool, person: str = "29:alice", **fields: Any) -> int:
        self.count += 1
        mark = {"isTargeted": True} if alone else {}
        asked = message(
            self.connector.service_url,
            text,
            id=f"m{self.count}",
            channelId="msteams",
            conversation=self.place,
            recipient={"id": "28:bot", "name": "Bot", **mark},
            **{"from": {"id": person, "aadObjectId": "a"}} | fields,
        )
        return (await send(self.authority, asked))[0]

    async def until(self, count: int) -> list[tuple[str, str, dict[str, Any]]]:
        """The next ``count`` requests, without the public signs of life that a slow machine sends."""
        found: list[tuple[str, str, dict[str, Any]]] = []
        async with asyncio.timeout(60):
            while len(found) < count:
                method, path, body = await self.connector.received.get()
                activity = json.loads(body)
                if "?" in path or activity["type"] != "typing":
                    found.append((method, path, activity))
        return found


@contextlib.asynccontextmanager
async def group(**settings: Any) -> AsyncIterator[Group]:
    source = settings.pop("source", None) or Confidant()
    place = settings.pop("place", GROUP)
    async with connecting() as connector, running(source, **settings) as authority:
        yield Group(authority, connector, place)


def check_private(method: str, path: str, body: dict[str, Any], person: str = "29:alice") -> None:
    """A request is as Teams takes it for one person."""
    address, _, query = path.partition("?")
    assert query == "isTargetedActivity=true", path
    assert body["type"] != "typing"
    if method == "PUT":
        assert "recipient" not in body
    else:
        assert address.endswith("/activities"), "the id of the question is in the path"
        assert body["recipient"] == {"id": person, "isTargeted": True}


def drain(connector: Connector) -> list[tuple[str, str, bytes]]:
    return [connector.received.get_nowait() for _ in range(connector.received.qsize())]


@pytest.mark.parametrize("place", [GROUP, CHANNEL, PERSONAL], ids=["group", "channel", "personal"])
async def test_an_answer_goes_to_its_person_alone(place: dict[str, Any]) -> None:
    async with group(place=place) as chat:
        assert await chat.ask("Which bird hush?", alone=True) == 201
        [(method, path, body)] = await chat.until(1)
    check_private(method, path, body)
    assert method == "POST"
    assert CANARY in body["text"]
    assert body["replyToId"] == "m1"
    assert body["conversation"]["id"] == place["id"]
    assert body["entities"][-1] == {"type": "targetedMessageInfo", "messageId": "m1"}
    assert "feedbackLoop" not in body.get("channelData", {})
    graph = body["entities"][0]
    assert [claim["appearance"]["name"] for claim in graph["citation"]] == [f"{CANARY} 1", f"{CANARY} 2"]


async def test_a_public_question_is_answered_as_ever() -> None:
    async with group() as chat:
        assert await chat.ask("Which bird?", alone=False) == 201
        *_, (_, path, body) = await chat.until(1)
    assert path.endswith("/activities/m1")
    assert "isTargeted" not in json.dumps(body)


PATHS: Final = {
    "nothing to ask": ("", {}, say(Sentence.NO_QUESTION)),
    "a file": (
        "",
        {"attachments": [{"contentType": "application/pdf", "contentUrl": "https://x.example"}]},
        say(Sentence.FILES_NOT_READ),
    ),
    "too long": ("hush " * 1000, {}, say(Sentence.QUESTION_TOO_LONG, limit=4000)),
    "an error of the source": ("hush fails", {}, CANARY),
    "a crash": ("hush crashes", {}, CANARY),
    "after the request": ("hush slow", {}, CANARY),
}


@pytest.mark.parametrize(("text", "fields", "words"), PATHS.values(), ids=PATHS)
async def test_whatever_is_said_is_said_to_them_alone(text: str, fields: dict[str, Any], words: str) -> None:
    async with group(timeouts=HURRIED) as chat:
        assert await chat.ask(text, alone=True, **fields) == 201
        [request] = await chat.until(1)
    check_private(*request)
    assert words in request[2]["text"]


async def test_a_long_answer() -> None:
    async with group() as chat:
        await chat.ask("The long one hush", alone=True)
        [request] = await chat.until(1)
    check_private(*request)
    assert len(request[2]["text"]) > 10_000


async def test_more_of_a_targeted_answer_is_for_its_person_and_no_other() -> None:
    async with group() as chat:
        await chat.ask("Which bird hush?", alone=True)
        for text in ("1", "more", "more", "more"):
            await chat.ask(text, alone=True)
        private = await chat.until(5)
        for text in ("1", "more", "And here?"):
            await chat.ask(text, alone=False)
        public = [body for _, _, body in drain(chat.connector)]
    for request in private:
        check_private(*request)
    assert all(CANARY in body["text"] for _, _, body in private[:3])
    assert public
    assert not any(CANARY.encode() in body or b"hush" in body for body in public)


async def test_a_question_that_is_not_admitted() -> None:
    async with group(teams_tenants=frozenset({"00000000-1111-4222-8333-000000000001"})) as chat:
        await chat.ask("Which bird hush?", alone=True, channelData={"tenant": {"id": "t2"}})
        [request] = await chat.until(1)
    check_private(*request)
    assert request[2]["text"] == say(Sentence.OTHER_TENANT)


async def test_stop() -> None:
    async with group() as chat:
        asking = asyncio.create_task(chat.ask("hush slow", alone=True))
        await asyncio.sleep(0.2)
        await chat.ask("stop", alone=True)
        await asking
        [request] = await chat.until(1)
        assert chat.connector.rest() == []
    check_private(*request)
    assert CANARY in request[2]["text"]


async def doubt_all(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
    return [0.1 for _ in pairs]


async def test_doubts_become_an_update_that_they_alone_see() -> None:
    async with group(doubts=DoubtOptions(judge=doubt_all)) as chat:
        await chat.ask("Which bird hush?", alone=True)
        first, update = await chat.until(2)
    assert (first[0], update[0]) == ("POST", "PUT")
    check_private(*first)
    check_private(*update)
    assert "Perhaps not supported" in update[2]["text"]


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_what_teams_refuses_is_told_to_no_others(status: int) -> None:
    with logged() as log:
        async with group() as chat:
            chat.connector.status = status
            assert await chat.ask("Which bird hush?", alone=True) == 201
            [request] = await chat.until(1)
            chat.connector.status = 200
            await chat.ask("Which bird?", alone=False)
            public = await chat.until(1)
            rest = chat.connector.rest()
    check_private(*request)
    assert CANARY not in json.dumps([public, rest])
    [refused] = [line for line in log.getvalue().splitlines() if "targeted message refused" in line]
    assert json.loads(refused)["status"] == status
    assert CANARY not in log.getvalue()


async def test_what_no_channel_took_waits_for_them_alone_after_a_restart(tmp_path: Path) -> None:
    state = f"sqlite:///{tmp_path / 'state.db'}"
    with logged() as log:
        async with connecting() as connector:
            async with running(Confidant(), timeouts=HURRIED, state=state) as authority:
                chat = Group(authority, connector)
                connector.status = 503
                await chat.ask("hush slow", alone=True)
                await until_logged(log, "answer kept for the next turn")
                lost = drain(connector)
                connector.status = 200
            async with running(Confidant(), timeouts=HURRIED, state=state) as authority:
                chat.authority = authority
                await chat.ask("Which bird?", alone=False)
                await chat.ask("Which bird?", alone=False, person="29:bob")
                await chat.ask("Which bird?", alone=True, person="29:bob")
                others = await chat.until(3)
                await chat.ask("And now hush?", alone=True)
                notice, answer, _ = await chat.until(3)
    for method, path, body in lost:
        check_private(method, path, json.loads(body))
    assert CANARY not in json.dumps(others)
    check_private(*others[-1], person="29:bob")
    assert say(Sentence.LATE) in notice[2]["text"]
    assert CANARY in answer[2]["text"]
    for request in (notice, answer):
        check_private(*request)


async def until_logged(log: io.StringIO, event: str) -> None:
    async with asyncio.timeout(60):
        while event not in log.getvalue():
            await asyncio.sleep(0.01)


# PRIVATE_IN_GROUPS: questions that all have read are answered to their person alone.


@pytest.mark.parametrize("place", [GROUP, CHANNEL], ids=["group", "channel"])
async def test_a_public_question_may_have_a_private_answer(place: dict[str, Any]) -> None:
    async with group(place=place, private_in_groups=True) as chat:
        await chat.ask("Which bird? Hush hush.", alone=False)
        await chat.ask("more", alone=False, person="29:bob")
        await chat.ask("2", alone=False)
        answer, of_bob, second = await chat.until(3)
    check_private(*answer)
    check_private(*of_bob, person="29:bob")
    check_private(*second)
    assert CANARY in answer[2]["text"]
    assert CANARY in second[2]["text"]
    assert CANARY not in json.dumps(of_bob)
    # There is no targeted message of theirs that Teams could show above it.
    assert "targetedMessageInfo" not in json.dumps(answer)


@pytest.mark.parametrize("alone", [False, True], ids=["asked in public", "asked alone"])
@pytest.mark.parametrize("text", ["Which bird hush?", "hush slow"])
async def test_where_the_tenant_refuses_the_group_reads_one_sentence_at_most(text: str, alone: bool) -> None:
    async with group(private_in_groups=True, timeouts=HURRIED) as chat:
        chat.connector.refuse = "isTargetedActivity", 403
        assert await chat.ask(text, alone=alone) == 201
        requests = await chat.until(1 if alone else 2)
        await asyncio.sleep(0.2)
        rest = chat.connector.rest()
    check_private(*requests[0])
    assert rest == []
    if not alone:
        [(_, path, body)] = requests[1:]
        assert "?" not in path
        assert body["text"] == say(Sentence.NOT_PRIVATE)
        assert "isTargeted" not in json.dumps(body)


async def test_a_greeting_is_for_all_and_a_personal_chat_as_ever() -> None:
    async with group(private_in_groups=True) as chat:
        await chat.ask("", alone=False, membersAdded=[{"id": "28:bot"}], type="conversationUpdate")
        chat.place = PERSONAL
        await chat.ask("Which bird?", alone=False)
        requests = await chat.until(2)
    for _, path, body in requests:
        assert "?" not in path
        assert "isTargeted" not in json.dumps(body)


TEXTS: Final = ("Which bird", "long", "slow", "fails", "crashes", "1", "2", "more", "stop", "And here?", "")
messages = st.tuples(st.booleans(), st.sampled_from(TEXTS), st.sampled_from(["29:alice", "29:bob"]))
statuses = st.lists(st.sampled_from([200, 200, 200, 400, 403, 404, 429, 500, 503]), max_size=8)


@given(st.lists(messages, min_size=2, max_size=7), statuses, st.booleans(), st.booleans())
@examples(quick=25)
async def test_no_request_in_public_has_the_canary(
    asked: list[tuple[bool, str, str]], statuses: list[int], judged: bool, private: bool
) -> None:
    """People ask aloud and alone in turns, and the connector takes or refuses what comes.

    Where each alone sees their answers, what is asked aloud is answered with the canary, too.
    """
    doubts = DoubtOptions(judge=doubt_all) if judged else DoubtOptions()
    async with group(timeouts=HURRIED, doubts=doubts, private_in_groups=private) as chat:
        for number, (alone, text, person) in enumerate(asked):
            chat.connector.status = statuses[number] if number < len(statuses) else 200
            words = f"{text} hush" if (alone or private) and len(text) > 4 else text
            await chat.ask(words, alone=alone, person=person)
        await asyncio.sleep(0.05)
    seen = 0
    for method, path, body in drain(chat.connector):
        if CANARY.encode() in body or b"hush" in body:
            seen += 1
            activity = json.loads(body)
            person = activity.get("recipient", {}).get("id", "")
            check_private(method, path, activity, person)
    has_canary = any((alone or private) and len(text) > 4 for alone, text, _ in asked)
    assert has_canary or not seen
