"""Follow-ups over the socket: on each kind of channel, after a restart, and from another replica."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citations import Reference, ReferencesFound
from tests.bot.person import Person
from tests.bot.redis_server import RedisServer, redis_server
from tests.bot.running import PROMPT, Connector, connecting, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.bot.table_source import TableSource

FERN = "How often should I water a fern?"
CHANNELS = ["webchat", "directline", "emulator", "msteams", "sms", "email", "telegram", "unheard-of"]


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.mark.parametrize("channel_id", CHANNELS)
async def test_a_number_brings_the_passage(connector: Connector, channel_id: str) -> None:
    source, person = TableSource(), Person(connector, channel_id)
    async with running(source) as bot:
        assert "twice a week" in await person.write(bot, FERN)
        assert "Ferns like shade." in await person.write(bot, "2")
        assert "moist" in await person.write(bot, "Source 1.")
        assert "no source 9" in await person.write(bot, "quelle 9")
        assert await person.write(bot, "more") == "That was all. Reply with a number for the passage."
    assert source.asked == [FERN]


async def test_thanks_between_an_answer_and_a_number_change_nothing(connector: Connector) -> None:
    source, person = TableSource(), Person(connector, "sms")
    async with running(source) as bot:
        await person.write(bot, FERN)
        await person.write(bot, "Thanks!")
        assert "Ferns like shade." in await person.write(bot, "2")
        await person.write(bot, "ok")
        assert await person.write(bot, "more") == "That was all. Reply with a number for the passage."
        await person.write(bot, "Who won?")
        assert "nothing about this" in await person.write(bot, "2")
    assert source.asked == [FERN, "Thanks!", "ok", "Who won?", "2"]


async def test_a_number_without_an_answer_is_a_question(connector: Connector) -> None:
    source, person = TableSource(), Person(connector, "sms")
    async with running(source) as bot:
        for question in ("2", "more", "Who won?", "source 2", "mehr"):
            assert "nothing about this" in await person.write(bot, question)
    assert source.asked == ["2", "more", "Who won?", "source 2", "mehr"]


async def test_a_number_that_is_a_question_is_answered_in_the_language_of_the_last_one(
    connector: Connector,
) -> None:
    source, person = ScriptedSource(), Person(connector, "sms")
    source.tell("Wie viel Licht braucht ein Farn?", "Dazu steht nichts in den Quellen.", None)
    source.tell("7", "Viele Worte. " * 500, None)
    async with running(source) as bot:
        await person.write(bot, "Wie viel Licht braucht ein Farn?")
        assert (await person.write(bot, "7")).endswith("Antworten Sie MEHR für den Rest.")


async def test_a_number_is_that_of_the_conversation_it_is_written_in(connector: Connector) -> None:
    source, here, there = TableSource(), Person(connector, "sms"), Person(connector, "sms", "c2")
    async with running(source) as bot:
        await here.write(bot, FERN)
        assert "nothing about this" in await there.write(bot, "2")
        assert "shade" in await here.write(bot, "2")


async def test_anybody_in_a_group_of_teams_may_ask_for_the_passage(connector: Connector) -> None:
    person = Person(connector, "msteams")
    group = {"conversation": {"id": "19:fern@thread.v2", "isGroup": True, "conversationType": "groupChat"}}
    mentioned = {"type": "mention", "text": "<at>Bot</at>", "mentioned": {"id": "bot", "name": "Bot"}}
    async with running(TableSource()) as bot:
        await person.write(bot, f"<at>Bot</at> {FERN}", entities=[mentioned], **group)
        other = {"from": {"id": "u2", "role": "user"}}
        said = await person.write(bot, "<at>Bot</at>&nbsp;source 2", entities=[mentioned], **group, **other)
    assert said == "**Light** [2]\n\n> Ferns like shade."


async def test_the_replies_of_a_caller_who_waits(connector: Connector) -> None:
    person = Person(connector, "directline")
    async with running(TableSource()) as bot:
        await person.write(bot, FERN)
        status, body = await send(bot, person.writing("2", deliveryMode="expectReplies"))
    assert status == 200
    assert "Ferns like shade." in body


async def test_it_survives_a_restart(connector: Connector, tmp_path: Path) -> None:
    state = f"sqlite:///{tmp_path / 'state.db'}"
    source, person = TableSource(), Person(connector, "sms")
    async with running(source, state=state) as bot:
        await person.write(bot, FERN, id="asked")
    async with running(source, state=state) as bot:
        assert "Ferns like shade." in await person.write(bot, "source 2")
        # The channel sends the question again, because it saw the first process go.
        assert await person.write(bot, FERN, id="asked") == ""
    assert source.asked == [FERN]


async def test_two_replicas_answer_once_and_both_know_of_it(connector: Connector, redis: RedisServer) -> None:
    one, other, person = TableSource(), TableSource(), Person(connector, "sms", "replicas")
    async with running(one, state=redis.url) as bot, running(other, state=redis.url) as replica:
        twice = person.writing(FERN)
        await asyncio.gather(*(send(where, twice) for where in (bot, replica, bot, replica)))
        assert len(one.asked + other.asked) == 1
        assert len([read for read in connector.rest() if read["type"] == "message"]) == 1
        assert "Ferns like shade." in await person.write(bot, "2")
        assert "moist" in await person.write(replica, "1")


FORGOTTEN: list[dict[str, Any]] = [
    {"type": "deleteUserData"},
    {"type": "installationUpdate", "action": "remove"},
    {"type": "conversationUpdate", "membersRemoved": [{"id": "bot"}]},
]
KEPT: list[dict[str, Any]] = [
    {"type": "installationUpdate", "action": "remove-upgrade"},
    {"type": "conversationUpdate", "membersRemoved": [{"id": "u1"}]},
    {"type": "x-deleteUserData"},
]


@pytest.mark.parametrize("fields", [*FORGOTTEN, *KEPT])
async def test_who_leaves_is_forgotten(connector: Connector, tmp_path: Path, fields: dict[str, Any]) -> None:
    here, there = Person(connector, "msteams"), Person(connector, "msteams", "c2")
    async with running(TableSource(), state=f"sqlite:///{tmp_path / 'state.db'}") as bot:
        await here.write(bot, FERN)
        await there.write(bot, FERN)
        await here.write(bot, "", **fields)
        assert ("shade" in await here.write(bot, "2")) == (fields in KEPT)
        assert "shade" in await there.write(bot, "2")


async def test_an_answer_under_way_is_not_remembered_after_a_deletion(connector: Connector) -> None:
    source, person = ScriptedSource(), Person(connector, "msteams")
    found = Reference(id="1", name="Ferns", text="Water ferns twice a week.")
    source.tell(FERN, ReferencesFound((found,)), "Twice a week [1].")
    source.tell("1", "Nothing is known of that.", None)
    async with running(source) as bot:
        asked = asyncio.create_task(send(bot, person.writing(FERN)))
        await connector.next("typing")
        assert (await send(bot, person.writing("", type="deleteUserData")))[0] == 201
        source.tell(FERN, None)
        await asked
        connector.rest()
        assert "twice" not in await person.write(bot, "1")


@pytest.mark.parametrize("where", ["memory:", "sqlite:///{folder}/state.db"])
async def test_a_message_that_comes_again_after_a_deletion_is_not_answered(
    connector: Connector, tmp_path: Path, where: str
) -> None:
    source, person = TableSource(), Person(connector, "msteams")
    async with running(source, state=where.format(folder=tmp_path)) as bot:
        assert "twice a week" in await person.write(bot, FERN, id="asked")
        await person.write(bot, "", type="deleteUserData")
        assert await person.write(bot, FERN, id="asked") == ""
        assert source.asked == [FERN]


async def test_a_deletion_that_fails_is_not_taken(connector: Connector, redis: RedisServer) -> None:
    person = Person(connector, "msteams", "leaving")
    async with running(TableSource(), state=redis.url) as bot:
        deletion = person.writing("", type="deleteUserData")
        with killed(redis):
            assert (await send(bot, deletion))[0] == 502
        assert (await send(bot, deletion))[0] == 201


@contextlib.contextmanager
def killed(redis: RedisServer) -> Iterator[None]:
    redis.kill()
    try:
        yield
    finally:
        redis.start()


async def test_no_answer_is_lost_over_what_is_kept_about_it(connector: Connector, redis: RedisServer) -> None:
    source, person = TableSource(), Person(connector, "sms", "outage")
    async with running(source, state=redis.url) as bot:
        assert "twice a week" in await person.write(bot, FERN)
        with killed(redis):
            assert "twice a week" in await person.write(bot, f"Again: {FERN}", id="asked")
            assert await person.write(bot, f"Again: {FERN}", id="asked") == ""
            assert "Ferns like shade." in await person.write(bot, "2")
        assert "Ferns like shade." in await person.write(bot, "2")
        assert "twice a week" in await person.write(bot, f"Once more: {FERN}")
        assert "moist" in await person.write(bot, "1")


async def test_a_store_that_hangs_keeps_nobody_waiting_for_long(
    connector: Connector, redis: RedisServer
) -> None:
    person = Person(connector, "sms", "hanging")
    # The time that the store takes is the request's.
    async with running(TableSource(), state=redis.url, timeouts=replace(PROMPT, budget=60)) as bot:
        with redis.hanging():
            async with asyncio.timeout(60):
                assert "twice a week" in await person.write(bot, FERN)
