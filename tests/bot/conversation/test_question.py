"""What is asked in a message that calls the bot by its name."""

from __future__ import annotations

import time
from typing import Any

import pytest
from botbuilder.schema import Activity, ChannelAccount
from botbuilder.schema import Mention as SdkMention
from hypothesis import given
from hypothesis import strategies as st

from bot.connector.activity_reader import read_activity
from bot.conversation.question import find_question
from tests.bot.running import connecting, message, running, send
from tests.bot.scripted_source import ScriptedSource

BOT = {"id": "28:bot", "name": "Test Bot"}
MEGAN = {"id": "29:megan", "name": "Megan Bowen"}


def mention(who: Any, text: Any = None) -> dict[str, Any]:
    return {"type": "mention", "mentioned": who, **({"text": text} if text is not None else {})}


US = mention(BOT, "<at>Test Bot</at>")
HER = mention(MEGAN, "<at>Megan Bowen</at>")
NAMELESS = mention({"id": "28:bot"})


# What came in, its mentions, and what is asked; on Teams unless it says otherwise.
CASES: dict[str, tuple[str | None, list[dict[str, Any]], str]] = {
    "no text": (None, [], ""),
    "no text but a mention": (None, [US], ""),
    "nothing but the mention": ("<at>Test Bot</at>", [US], ""),
    "no mention": ("How do I set a proxy?", [], "How do I set a proxy?"),
    "a quoted message": ('<quoted messageId="1772129782775"/> <at>Test Bot</at> why?', [US], "why?"),
    "a quoted message in two tags": ('<quoted messageId="1"></quoted>Why?', [], "Why?"),
    "the command for a private question": ("<at>Test Bot</at> /Ask privately Why?", [US], "Why?"),
    "that command in German": ("vertraulich fragen: Warum?", [], "Warum?"),
    "that command alone": ("Ask privately", [], ""),
    "words like that command": ("Can I ask privately?", [], "Can I ask privately?"),
    "in front": ("<at>Test Bot</at> plain", [US], "plain"),
    "from Teams on a desktop": ("<at>Test Bot</at>&nbsp;plain&nbsp;", [US], "plain"),
    "a space that doesn't break": ("<at>Test Bot</at>\xa0two\xa0words", [US], "two words"),
    "on a line of its own": ("<at>Test Bot</at>\nplain\n", [US], "plain"),
    "behind": ("plain <at>Test Bot</at>", [US], "plain"),
    "in the middle": ("Can <at>Test Bot</at> say why?", [US], "Can say why?"),
    "twice": ("<at>Test Bot</at> why, <at>Test Bot</at>?", [US, US], "why, ?"),
    "twice with one entity": ("<at>Test Bot</at> why, <at>Test Bot</at>?", [US], "why, ?"),
    "with an id": ('<at id="0">Test Bot</at> why?', [mention(BOT, '<at id="0">Test Bot</at>')], "why?"),
    "with an id that the entity doesn't have": ('<at id="0">Test Bot</at> why?', [US], "why?"),
    "somebody else": ("What does <at>Megan Bowen</at> do?", [HER], "What does Megan Bowen do?"),
    "both": ("<at>Test Bot</at> who is <at>Megan Bowen</at>?", [US, HER], "who is Megan Bowen?"),
    "both, told in another order": ("<at>Megan Bowen</at> asks <at>Test Bot</at>", [US, HER], "Megan Bowen asks"),
    "somebody with the bot's name": (
        "<at>Test Bot</at> who is <at>Test Bot</at>?",
        [US, mention({"id": "29:other", "name": "Test Bot"}, "<at>Test Bot</at>")],
        "who is Test Bot?",
    ),
    "a mention without a text": ("<at>Test Bot</at> why?", [mention(BOT)], "why?"),
    "a mention without a name": ("<at>Test Bot</at> why?", [mention({"id": "28:bot"}, "<at>Test Bot</at>")], "why?"),
    "a mention with neither": ("<at>Test Bot</at> why?", [NAMELESS], "why?"),
    "a mention with neither, of another": ("<at>Megan</at> why?", [mention({"id": "29:megan"})], "Megan why?"),
    "a mention of nobody": ("<at>Megan</at> why?", [mention(None)], "Megan why?"),
    "a mention of a name": ("<at>Megan</at> why?", [mention("Megan", 3)], "Megan why?"),
    "a mention that isn't there": ("why?", [US], "why?"),
    "a tag without a mention": ("<at>Megan</at> why?", [], "Megan why?"),
    "an empty text": ("why?", [mention(BOT, "")], "why?"),
    "signs of regular expressions": ("<at>Bot (+1)</at> why?", [mention(BOT, "<at>Bot (+1)</at>")], "why?"),
    "entities": ("<at>R&amp;D Bot</at> is a &lt; b &amp;&amp; c?", [mention(BOT, "<at>R&amp;D Bot</at>")], "is a < b && c?"),
    "entities of entities": ("what is &amp;nbsp;?", [], "what is &nbsp;?"),
    "a typed tag": ("what is &lt;at&gt;x&lt;/at&gt;?", [], "what is <at>x</at>?"),
    "an open tag": ("<at>Test Bot why?", [US], "<at>Test Bot why?"),
    "several lines": ("<at>Test Bot</at> a\n\n  b  c", [US], "a\n\n  b  c"),
    "a stop": ("<at>Test Bot</at>&nbsp;stop", [US], "stop"),
}  # fmt: skip


def read_question(text: str | None, mentions: list[dict[str, Any]], **fields: Any) -> str:
    body = {"type": "message", "channelId": "msteams", "recipient": BOT, "entities": mentions, **fields}
    return find_question(read_activity({**body, **({"text": text} if text is not None else {})}))


@pytest.mark.parametrize(("text", "mentions", "expected"), CASES.values(), ids=CASES)
def test_what_is_asked(text: str | None, mentions: list[dict[str, Any]], expected: str) -> None:
    assert read_question(text, mentions) == expected


ELSEWHERE: dict[str, tuple[dict[str, Any], str, list[dict[str, Any]], str]] = {
    "an entity is what was typed": ({"channelId": "webchat"}, "what is &nbsp;?", [], "what is &nbsp;?"),
    "without a tag": ({"channelId": "slack"}, "@testbot why?", [mention(BOT, "@testbot")], "why?"),
    "but not in a word": ({"channelId": "slack"}, "me@testbot.example", [mention(BOT, "@testbot")], "me@testbot.example"),
    "XML": (
        {"channelId": "skype", "textFormat": "xml"},
        '<at id="28:bot">Test Bot</at> is <b>1 &lt; 2</b>?',
        [mention(BOT, '<at id="28:bot">Test Bot</at>')],
        "is 1 < 2?",
    ),
    "no recipient": ({"recipient": None}, "<at>Test Bot</at> why?", [US], "Test Bot why?"),
    "a recipient without an id": ({"recipient": {"name": "Test Bot"}}, "<at>Megan</at> why?", [mention({})], "Megan why?"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "text", "mentions", "expected"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_is_asked_elsewhere(
    fields: dict[str, Any], text: str, mentions: list[dict[str, Any]], expected: str
) -> None:
    assert read_question(text, mentions, **fields) == expected


def test_the_mention_of_the_sdk_is_one() -> None:
    us = SdkMention(mentioned=ChannelAccount(**BOT), text="<at>Test Bot</at>", type="mention")
    activity = Activity(text="<at>Test Bot</at> why?", entities=[us], recipient=ChannelAccount(**BOT))
    assert find_question(activity) == "why?"


@given(st.text("<at>/ &;nbsp", max_size=40), st.lists(st.sampled_from([US, HER, NAMELESS]), max_size=3))
def test_whatever_comes_there_is_an_answer(text: str, mentions: list[dict[str, Any]]) -> None:
    assert "\x00" not in read_question(text, mentions)
    assert read_question(f"<at>Test Bot</at> {text}", [US]) == read_question(text, [])


async def test_a_group_asks_by_name() -> None:
    """Over the socket: a question, and a stop that finds nothing to stop and so is a question."""
    source = ScriptedSource()
    async with connecting() as connector, running(source) as bot:
        for number, text in enumerate(("<at>Test Bot</at>&nbsp;why?", "<at>Test Bot</at>&nbsp;stop")):
            question = text.removeprefix("<at>Test Bot</at>&nbsp;")
            source.tell(question, "Because.", None)
            body = message(connector.service_url, text, id=f"q{number}", channelId="msteams")
            assert (await send(bot, {**body, "recipient": BOT, "entities": [US]}))[0] == 201
            assert (await connector.next())["text"] == "Because."
            await source.closed(question)


HOSTILE = {
    "spaces": "x" + " " * 100_000 + "x",
    "tags that never end": "<at>" * 25_000,
    "tags that are never closed": "<at " * 25_000,
    "the name again and again": "@b" * 50_000,
}
MANY_NAMES = [mention(BOT, f"@b{n}") for n in range(2_000)]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nobody_can_keep_everybody_waiting_with_a_text(text: str) -> None:
    """Where every place is looked at from every other, each of these takes many seconds."""
    begun = time.process_time()
    read_question(text, MANY_NAMES, text_format="xml")
    assert time.process_time() - begun < 3
