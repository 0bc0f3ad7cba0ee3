"""Suggested questions and the kind of an answer on the wire: buttons where there are some, else a list."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import unescape
from typing import Any

import pytest

from citations import AnswerKind
from citations.model import KindKnown, QuestionsSuggested
from tests.bot.person import Person
from tests.bot.running import Connector, connecting, running, send
from tests.bot.scripted_source import ScriptedSource

QUESTIONS = ("Where should a fern stand?", "How [1] often?")
SUGGESTED = QuestionsSuggested("You can ask:", QUESTIONS)
TEXT = "I found nothing."
LIST = "\n\nYou can ask:\n\n- Where should a fern stand?\n- How [1] often?"
CHANNELS: list[tuple[str, dict[str, Any], bool, bool]] = [
    ("webchat", {}, True, False),
    ("directline", {}, True, False),
    ("emulator", {}, True, False),
    ("msteams", {"conversation": {"id": "c", "conversationType": "personal"}}, True, True),
    ("msteams", {"conversation": {"id": "c", "conversationType": "channel", "isGroup": True}}, True, True),
    ("sms", {}, False, True),
    ("email", {}, False, True),
]


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.mark.parametrize(("channel_id", "fields", "buttons", "listed"), CHANNELS)
async def test_questions_are_buttons_or_a_list(
    channel_id: str, fields: dict[str, Any], buttons: bool, listed: bool, connector: Connector
) -> None:
    source = ScriptedSource()
    source.tell("q", KindKnown(AnswerKind.NOTHING), TEXT, SUGGESTED, None)
    async with running(source) as bot:
        await send(bot, Person(connector, channel_id).writing("q", **fields))
    *_, final = (one for one in connector.rest() if one["type"] == "message")
    actions = final.get("suggestedActions", {"actions": []})["actions"]
    assert [(one["type"], one["value"]) for one in actions] == [
        ("imBack", one) for one in QUESTIONS
    ] * buttons
    assert unescape(final["text"]).replace("\u200b", "") == TEXT + LIST * listed
    kind = {"answerKind": "nothing"} if channel_id not in {"sms", "email"} else {}
    data = final.get("channelData", {})
    assert {name: data[name] for name in data if name == "answerKind"} == kind


async def test_an_answer_that_failed_suggests_nothing(connector: Connector) -> None:
    source = ScriptedSource()
    source.tell("q", TEXT, SUGGESTED, RuntimeError("the source has a fault"))
    async with running(source) as bot:
        await send(bot, Person(connector, "webchat").writing("q"))
    *_, final = (one for one in connector.rest() if one["type"] == "message")
    assert final["text"].startswith(TEXT)
    assert "suggestedActions" not in final
