"""Whether an answer was good: the thumbs of the real Web Chat, and what the bot gets of them."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Response, expect

from bot.conversation.feedback import StoredVote, read_stored_vote
from bot.direct_line.bundle import find_bundle
from citations import QueryKnown, Reference, ReferencesFound, SourceCode
from citations.graph import VOTE_EVENT, Reaction
from tests.bot.running import running

from .browser import Chat, chatting
from .paced_source import PacedSource

FOUND = ReferencesFound((Reference(id="1", name="Watering", text="A fern wants **moist** soil."),))
_ACTIVITIES = """
    async () => {
        const { conversationId, token } = JSON.parse(sessionStorage.conversation);
        const path = `/v3/directline/conversations/${conversationId}/activities`;
        return (await (await fetch(path, { headers: { Authorization: `Bearer ${token}` } })).json()).activities;
    }
"""


@dataclass
class Voting:
    """A conversation on the page, and the file in which the bot keeps its state."""

    chat: Chat
    source: PacedSource
    file: Path

    async def ask(self, subject: str, *pieces: str) -> None:
        """Ask, and wait for the answer, which says the subject; piece by piece it is a stream."""
        await self.chat.ask(f"What about {subject}?")
        self.source.say(FOUND, *pieces[:-1])
        for piece in pieces[:-1]:
            await expect(self.chat.bubble(piece.split("[")[0].strip())).to_be_visible()
        self.source.say(*pieces[-1:], f"That is all about {subject}.")
        self.source.end()
        await expect(self.chat.bubble(f"all about {subject}")).to_be_visible()
        await expect(self.thumbs(subject)).to_have_count(2)

    def thumbs(self, subject: str) -> Locator:
        """The thumbs of the answer."""
        row = self.chat.page.locator(".webchat__basic-transcript__activity")
        return row.filter(has_text=f"all about {subject}").locator(".webchat__thumb-button")

    async def press(self, subject: str, name: str) -> None:
        """Press a thumb, and wait until the bot has taken the vote."""
        async with self.chat.page.expect_response(is_vote) as sent:
            await (
                self.thumbs(subject).and_(self.chat.page.get_by_role("button", name=name, exact=True)).click()
            )
        assert (await sent.value).ok

    async def answer_id(self, subject: str) -> str:
        """The id of the answer, read in what came over the wire."""
        activities: list[dict[str, Any]] = await self.chat.page.evaluate(_ACTIVITIES)
        [answer] = [one for one in activities if f"all about {subject}" in one.get("text", "")]
        [graph] = [entity for entity in answer["entities"] if "potentialAction" in entity]
        name: str = graph["potentialAction"][0]["@id"]
        return name.removeprefix("urn:answer:").removesuffix("#like")

    def stored_votes(self) -> list[StoredVote]:
        with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as store:
            rows = store.execute("SELECT value FROM kept WHERE kind = 'vote' ORDER BY rowid").fetchall()
        votes = [read_stored_vote(value) for (value,) in rows]
        assert None not in votes
        return [vote for vote in votes if vote]


def is_vote(response: Response) -> bool:
    """Whether the page has posted a vote, and the bot has answered."""
    body = response.request.post_data if response.request.method == "POST" else None
    return body is not None and json.loads(body).get("name") == VOTE_EVENT


@pytest.fixture
async def voting(tmp_path: Path) -> AsyncIterator[Voting]:
    bundle, source, file = find_bundle(), PacedSource(), tmp_path / "state"
    assert bundle.file, "these tests need the bundle from npm"
    async with (
        running(source, docs=tmp_path, bundle=bundle, state=f"sqlite:///{file}") as authority,
        chatting(authority, reduced_motion="reduce") as chat,
    ):
        await expect(chat.bubble("Hello")).to_be_visible()
        yield Voting(chat, source, file)
        assert chat.complaints == []
        assert chat.foreign == []


async def test_each_thumb_is_about_its_answer(voting: Voting) -> None:
    await voting.ask("ferns", "Water them. ")
    await voting.ask("palms", "They grow [1]. ", "Then wait. ")
    await voting.press("palms", "Dislike")
    await voting.press("ferns", "Like")
    # Who thinks again is heard again.
    await voting.press("palms", "Like")
    ferns, palms = await voting.answer_id("ferns"), await voting.answer_id("palms")
    assert ferns != palms
    assert {(vote.answer, vote.reaction, vote.changed) for vote in voting.stored_votes()} == {
        (ferns, Reaction.LIKE, False),
        (palms, Reaction.LIKE, True),
    }
    await expect(voting.thumbs("palms")).to_have_count(2)
    pressed = [await thumb.get_attribute("aria-pressed") for thumb in await voting.thumbs("palms").all()]
    assert pressed == ["true", "false"]
    # A vote is no part of the conversation, and changes nothing in it.
    await expect(voting.chat.page.locator(".webchat__bubble__content")).to_have_count(5)
    await expect(voting.chat.badges()).to_have_text(["1"])


async def test_after_a_reload_too(voting: Voting) -> None:
    await voting.ask("ferns", "Water them [1]. ", "Often. ")
    await voting.chat.page.reload()
    await expect(voting.thumbs("ferns")).to_have_count(2)
    await voting.press("ferns", "Like")
    [vote] = voting.stored_votes()
    assert vote.answer == await voting.answer_id("ferns")


async def test_an_answer_under_way_has_no_thumbs(voting: Voting) -> None:
    await voting.chat.ask("What about ferns?")
    voting.source.say(FOUND, "Water them [1]. And")
    await expect(voting.chat.badges()).to_have_count(1)
    await expect(voting.chat.page.locator(".webchat__thumb-button")).to_have_count(0)
    voting.source.end()
    await expect(voting.chat.page.locator(".webchat__thumb-button")).to_have_count(2)


async def test_by_keyboard_alone(voting: Voting) -> None:
    await voting.ask("ferns", "Water them. ")
    keyboard, focused = voting.chat.page.keyboard, voting.chat.page.locator(":focus")
    # As Web Chat tells screen readers: Shift+Tab to the history, Enter into its last message.
    await voting.chat.page.get_by_placeholder("Ask a question").focus()
    for _ in range(2):
        await keyboard.press("Shift+Tab")
    await expect(focused).to_contain_text("all about ferns")
    await keyboard.press("Enter")
    await expect(focused).to_have_accessible_name("Like")
    await keyboard.press("Tab")
    await expect(focused).to_have_accessible_name("Dislike")
    async with voting.chat.page.expect_response(is_vote):
        await keyboard.press("Space")
    await expect(focused).to_have_attribute("aria-pressed", "true")
    assert [vote.reaction for vote in voting.stored_votes()] == [Reaction.DISLIKE]


async def test_the_query_breaks_nothing(voting: Voting) -> None:
    """Web Chat 4.18 doesn't show it; newer builds do, behind a button."""
    query = 'SELECT ?fern WHERE {\n  ?fern <urn:wants> "water" .\n  FILTER(?fern != <img src=x onerror=alert(1)>)\n}'
    voting.source.say(QueryKnown(SourceCode(query, "sparql")))
    await voting.ask("ferns", "Water them [1]. ")
    activities: list[dict[str, Any]] = await voting.chat.page.evaluate(_ACTIVITIES)
    [graph] = [one for one in activities[-1]["entities"] if "citation" in one]
    assert graph["isBasedOn"] == {
        "@type": "SoftwareSourceCode",
        "programmingLanguage": "sparql",
        "text": query,
    }
    assert "AllowCopy" in graph["keywords"]
    await expect(voting.chat.bubble("SELECT")).to_have_count(0)
    await voting.chat.badges().click()
    await expect(voting.chat.passage()).to_contain_text("A fern wants moist soil.")


async def test_axe_finds_nothing_serious(voting: Voting) -> None:
    page = voting.chat.page
    await voting.ask("ferns", "Water them [1]. ")
    await voting.press("ferns", "Like")
    for scheme, width in itertools.product(("light", "dark"), (1000, 360)):
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        await page.set_viewport_size({"width": width, "height": 640})
        await expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        assert await voting.chat.axe() == []
        left, right = [await thumb.bounding_box() for thumb in await voting.thumbs("ferns").all()]
        assert left
        assert right
        # WCAG 2.2, 2.5.8: a target has 24 pixels; and they stay side by side.
        assert min(left["width"], left["height"], right["width"], right["height"]) >= 24
        assert left["y"] == right["y"]
        assert left["x"] + left["width"] <= right["x"] <= width - right["width"]
