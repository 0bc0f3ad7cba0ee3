"""What Web Chat 4.18.1 shows of a message, and what its main build, the next version, shows; and that ours suits both."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from citations import Answer, channel, cite, render
from tests.bot.direct_line_client import post_as_bot
from tests.check_corpus import SAMPLE, changed
from tests.ordinary_answers import ordinary_answers
from tests.sample_message import RANKING, SOURCES

from .posted import posted, unprotected

NOTICE = "AI-generated content may be incorrect"
WORDS = ("Copy", "Code", NOTICE, "In short.", "Searching")
STEP = 'message.isPartOf = {"@id": "_:h", "@type": "HowTo"}\nmessage.position = 1\nmessage.abstract = "Searching"'
# What is changed in the sample, and which of the words are on the screen: in 4.18.1, and in the main build.
ROWS: dict[str, tuple[str, set[str], set[str]]] = {
    "a model worded it": ('message.keywords = ["AIGeneratedContent"]', set(), {NOTICE}),
    "it may be copied": ('message.keywords = ["AllowCopy"]', set(), {"Copy"}),
    "a title of its own": ('message.abstract = "In short."', set(), {"In short.", NOTICE}),
    "folded below it": (
        'message.keywords = ["Collapsible"]\nmessage.abstract = "In short."',
        set(),
        {"In short."},
    ),
    "a query": (
        'message.isBasedOn = {"@type": "SoftwareSourceCode", "text": "SELECT 1"}',
        set(),
        {"Code", NOTICE},
    ),
    "a step of a chain of thought": (STEP, set(), {"Searching", NOTICE}),
    "it is not complete": ('message.creativeWorkStatus = "incomplete"', set(), {NOTICE}),
    "behind another node": ('entities = [{"type": "x", "a": 1}, message]', set(), {NOTICE}),
}


@pytest.mark.parametrize("build", ["stable", "main"])
async def test_what_each_version_shows(build: str, tmp_path: Path) -> None:
    place = 2 if build == "main" else 1
    activities = [changed(row[0]) if "message]" not in row[0] else behind_another() for row in ROWS.values()]
    async with unprotected(build, tmp_path) as chat:
        messages = await posted(chat, [SAMPLE, *activities])
        articles = messages.locator("xpath=ancestor::*[contains(@class, 'basic-transcript__activity')][1]")
        texts = (await articles.all_inner_texts())[2:]
        shown = {
            name: {word for word in WORDS if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)}
            for name, text in zip(ROWS, texts, strict=True)
        }
        assert shown == {name: row[place] for name, row in ROWS.items()}
        conversation = await chat.conversation()
        # LIVESTREAMING.md: a final of type "typing" without a text takes an answer back. 4.18.1 keeps it.
        begun: dict[str, Any] = {"streamType": "streaming", "streamSequence": 1}
        stream = await post_as_bot(
            chat.authority, conversation, {"type": "typing", "text": "Withdrawn.", "channelData": begun}
        )
        taken_back = {"type": "typing", "channelData": {"streamType": "final", "streamId": stream}}
        await post_as_bot(chat.authority, conversation, taken_back)
        await post_as_bot(chat.authority, conversation, {"type": "message", "text": "Behind it."})
        await expect(chat.bubble("Behind it.")).to_have_count(1)
        await expect(chat.bubble("Withdrawn.")).to_have_count(0 if build == "main" else 1)


def behind_another() -> dict[str, Any]:
    other = {
        "type": "https://schema.org/Thing",
        "@context": "https://schema.org",
        "@type": "Thing",
        "@id": "x",
    }
    return {**SAMPLE, "entities": [other, *SAMPLE["entities"]]}


@pytest.mark.parametrize("name", ordinary_answers())
def test_ours_suits_both(name: str) -> None:
    """By the pages of both: positions as numerals, a passage or a URL, no empty string, and no title above the text."""
    rendering = render(cite(ordinary_answers()[name]), channel("webchat"), ranking=RANKING)
    numbers = re.findall(r"^\[(\d+)\]: ", rendering.text, re.MULTILINE)
    first: dict[str, Any] = dict(rendering.entities[0])
    assert (first["type"], first["@context"], first["@id"]) == (
        "https://schema.org/Message",
        "https://schema.org",
        "",
    )
    assert not {"abstract", "creativeWorkStatus", "isPartOf"} & first.keys()
    claims = first.get("citation", [])
    assert [claim["position"] for claim in claims] == numbers
    assert all("url" in claim["appearance"] or claim["appearance"]["text"] for claim in claims)
    assert "" not in strings_of(claims)


def test_a_lock_is_said_in_both_spellings() -> None:
    rendering = render(
        cite(Answer(text="Override it[1], as the guide says[3].", references=SOURCES)),
        channel("webchat"),
        ranking=RANKING,
    )
    locks = {one for one in strings_of(rendering.entities) if one.lower().startswith("encrypted")}
    assert locks == {"EncryptedContent", "encrypted-content"}


def strings_of(value: object) -> list[str]:
    """All strings in a graph."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [one for inner in value.values() for one in strings_of(inner)]
    return [one for inner in value for one in strings_of(inner)] if isinstance(value, list | tuple) else []
