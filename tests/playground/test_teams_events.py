"""What follows from the app package, in the real Playground: installed in a chat, mentioned, asked by Copilot."""

from __future__ import annotations

from citations import ReferencesFound
from examples.channels import ANSWER, QUESTION
from tests.bot.running import PROMPT, running_app
from tests.bot.scripted_source import ScriptedSource
from tests.bot.streaming_connector import metadata

from .playground import Exchange, playing


async def test_from_the_installation_to_an_answer() -> None:
    source = ScriptedSource(title="Company handbook")
    async with running_app(source, timeouts=PROMPT) as (bot, _), playing("msteams", bot) as playground:
        for where in (playground.conversation, playground.group, playground.channel):
            in_group = where != playground.conversation
            (greeting,) = await playground.happen("install", where)
            assert greeting.accepted
            assert ("@**Test Bot**" in greeting.activity["text"]) is in_group
            assert await playground.happen("botAdded", where) == []
            assert await playground.happen("userAdded", where) == []

            source.tell(QUESTION, ReferencesFound(ANSWER.references), ANSWER.text, None)
            said = await playground.ask(QUESTION, where=where, mention=in_group)
            assert not in_group or [metadata(one.activity) for one in said] == [{}]
            check_answer(said)

        source.tell(QUESTION, ReferencesFound(ANSWER.references), ANSWER.text, None)
        copilot = {"type": "ProductInfo", "id": "COPILOT"}
        asked = {"type": "message", "text": QUESTION, "entities": [copilot]}
        check_answer(await playground.happen("", playground.conversation, **asked))


async def test_it_takes_what_one_person_of_a_group_is_to_see() -> None:
    """To the Playground this is an ordinary message, for all: it proves the form, and no privacy."""
    source = ScriptedSource(title="Company handbook")
    running = running_app(source, timeouts=PROMPT, private_in_groups=True)
    async with running as (bot, _), playing("msteams", bot) as playground:
        for where in (playground.group, playground.channel):
            source.tell(QUESTION, ReferencesFound(ANSWER.references), ANSWER.text, None)
            said = await playground.ask(QUESTION, where=where, mention=True)
            check_answer(said)
            assert [one.path.partition("?")[2] for one in said] == ["isTargetedActivity=true"] * len(said)
            assert said[-1].activity["recipient"] == {"id": playground.user, "isTargeted": True}


def check_answer(said: list[Exchange]) -> None:
    assert all(one.accepted for one in said)
    graph, *_ = said[-1].activity["entities"]
    assert [claim["position"] for claim in graph["citation"]] == [1, 2, 3]
