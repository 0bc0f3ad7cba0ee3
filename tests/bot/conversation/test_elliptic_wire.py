"""A question that leans on the one before it, over the socket: in a chat, in a group, and after a restart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app.settings import SAMPLES
from bot.sources.folder import FolderSource
from tests.bot.person import Person
from tests.bot.running import Connector, connecting, running
from tests.model_server import model_server, streaming

ZURICH = "What is the hotel limit in Zurich?"
BERLIN = "Understood as: What is the hotel limit in Zurich? And in Berlin?"


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


def samples(cache: Path) -> FolderSource:
    return FolderSource(SAMPLES, document_base="", cache=cache)


async def test_what_the_question_leaves_out_is_taken_from_the_one_before(
    connector: Connector, tmp_path: Path
) -> None:
    person, elsewhere = Person(connector, "telegram"), Person(connector, "telegram", "c2")
    async with running(samples(tmp_path)) as bot:
        assert "220 CHF" in await person.write(bot, ZURICH)
        said = await person.write(bot, "And in Berlin?")
        assert said.startswith(BERLIN)
        assert "140" in said
        assert "Understood as" not in await elsewhere.write(bot, "And in Berlin?")


async def test_in_a_group_a_question_leans_on_the_last_one_of_the_same_person(
    connector: Connector, tmp_path: Path
) -> None:
    froms: list[dict[str, Any]] = [{"from": {"id": name, "role": "user"}} for name in ("anne", "ben")]
    anne, ben = (Person(connector, "sms", **fields) for fields in froms)
    async with running(samples(tmp_path)) as bot:
        await anne.write(bot, ZURICH)
        await ben.write(bot, "How long is parental leave?", id="b1")
        assert (await anne.write(bot, "And in Berlin?")).startswith(BERLIN)


async def test_another_replica_knows_the_question_before(connector: Connector, tmp_path: Path) -> None:
    person, state = Person(connector, "sms"), f"sqlite:///{(tmp_path / 'state.db').as_posix()}"
    async with running(samples(tmp_path), state=state) as bot:
        await person.write(bot, ZURICH)
    async with running(samples(tmp_path), state=state) as bot:
        assert (await person.write(bot, "And in Berlin?")).startswith(BERLIN)


async def test_a_model_completes_the_question(connector: Connector, tmp_path: Path) -> None:
    person = Person(connector, "sms")
    async with model_server() as server:
        source = FolderSource(SAMPLES, document_base="", cache=tmp_path, writer=server.writer())
        async with running(source) as bot:
            await person.write(bot, ZURICH)
            server.behave = streaming("What is the hotel limit in Berlin?")
            said = await person.write(bot, "And in the German one?")
            assert said.startswith("Understood as: What is the hotel limit in Berlin?")
    contents = [body["messages"][-1]["content"] for body in server.bodies]
    [completed] = [one for one in contents if one.startswith("<question>")]
    assert completed.startswith(f"<question>{ZURICH}</question>\n<answer>It is 150 €")
    assert contents[-1] == "What is the hotel limit in Berlin?"
