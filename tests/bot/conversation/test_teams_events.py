"""What follows from the app package: the bot is installed, people join, Copilot asks."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.bot.running import connecting, message, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.bot.streamed_answers import FOUND, SCALED, write_question
from tests.bot.streaming_connector import Activity, StreamingConnector, metadata, serving
from tests.bot.table_source import TableSource

BOT, PERSON = {"id": "28:bot"}, {"id": "29:megan"}
INSTALLED = {"type": "installationUpdate", "action": "add"}
EVENTS: dict[str, tuple[str, list[dict[str, Any]], int]] = {
    "an installation is told twice": ("personal", [INSTALLED, {"membersAdded": [BOT]}], 1),
    "or in the other order": ("channel", [{"membersAdded": [BOT]}, INSTALLED], 1),
    "or once": ("personal", [INSTALLED], 1),
    "a person is there from the start": ("personal", [{"membersAdded": [PERSON]}], 1),
    "people join a team": ("channel", [{"membersAdded": [PERSON]}], 0),
    "people join a group chat": ("groupChat", [{"membersAdded": [PERSON]}], 0),
    "a new version": ("channel", [{**INSTALLED, "action": "add-upgrade"}], 0),
    "installed again": ("personal", [INSTALLED, {**INSTALLED, "action": "remove"}, INSTALLED], 2),
}


@pytest.mark.parametrize("where", ["memory:", "sqlite:///{folder}/state.db"])
@pytest.mark.parametrize(("kind", "events", "greetings"), EVENTS.values(), ids=EVENTS)
async def test_who_is_greeted_in_teams(
    kind: str, events: list[dict[str, Any]], greetings: int, where: str, tmp_path: Path
) -> None:
    state = where.format(folder=tmp_path)
    async with running(TableSource(), state=state) as bot, connecting() as connector:
        for number, event in enumerate(events):
            body = message(connector.service_url, "", id=f"e{number}", channelId="msteams", locale="en-US")
            body |= {"type": "conversationUpdate", "recipient": {**BOT, "name": "Handbook"}, **event}
            body["conversation"] = {"id": "19:x", "conversationType": kind, "isGroup": kind != "personal"}
            assert (await send(bot, body))[0] == 201
        said = connector.rest()
    assert len(said) == greetings
    for greeting in said:
        in_group = kind != "personal"
        assert ("Mention me in your question, as in: @**Handbook**" in greeting["text"]) is in_group
        assert "suggestedActions" in greeting


class Copilot(StreamingConnector):
    """A chat in Copilot, which takes what comes however long it takes."""

    def _rule(self, activity: Activity, data: Activity, arrived: float) -> None:
        """There is no clock in it: a busy machine breaks no rule."""


@pytest.mark.parametrize("begun", [(), (FOUND, "Water it [1].\n\n")], ids=["nothing yet", "text"])
async def test_copilot_hears_something_in_a_long_silence(begun: tuple[Any, ...]) -> None:
    source = ScriptedSource()
    async with serving(Copilot("msteams")) as teams:
        timeouts = replace(SCALED, kept_alive=0.1, typing_after=0.01, patience=60, stream_limit=600)
        async with running(source, timeouts=timeouts) as bot:
            question = write_question(teams, "q", entities=[{"type": "ProductInfo", "id": "COPILOT"}])
            turn = asyncio.create_task(send(bot, question))
            source.tell("q", *begun)
            kind = "streaming" if begun else "informative"
            said = [await teams.next(kind)]
            for _ in range(2):
                said.append(await teams.next(kind, after=teams.taken.index(said[-1]) + 1))
            source.tell("q", *(() if begun else (FOUND,)), "That is all.", None)
            final = await teams.next("final")
            assert (await turn)[0] == 201
        assert teams.broken == []
    assert len({one["text"] for one in said}) == 1
    numbers = [metadata(one)["streamSequence"] for one in said]
    assert numbers == list(range(numbers[0], numbers[0] + 3))
    assert final["text"].endswith("That is all.")
