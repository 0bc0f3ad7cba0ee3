"""A person on the page who wants to know more about an answer."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import expect

from bot.direct_line.bundle import find_bundle
from tests.bot.running import running
from tests.bot.table_source import TableSource

from .browser import Chat, chatting

WATER = "How often should I water a fern?"
BUNDLE = find_bundle()


@pytest.fixture
async def chat() -> AsyncIterator[Chat]:
    """A conversation with an answer, in which nothing is asked of others, and nothing complained of."""
    assert BUNDLE.file, "these tests need the bundle from npm"
    async with running(TableSource(), bundle=BUNDLE) as authority, chatting(authority) as one:
        await one.suggestion(WATER).click()
        await expect(one.bubble("twice a week")).to_be_visible()
        yield one
        assert one.complaints == []
        assert one.foreign == []


async def test_a_number_brings_the_passage_under_that_number(chat: Chat) -> None:
    await chat.ask("2")
    said = chat.bubble("Ferns like shade.")
    await expect(said.locator("blockquote")).to_have_text("Ferns like shade.")
    await expect(said.locator(".webchat__render-markdown__pure-identifier")).to_have_text(["2"])
    listed = said.locator(".webchat__link-definitions__list-item")
    await expect(listed).to_have_count(1)
    await expect(listed).to_contain_text("Light")
    await expect(listed.get_by_role("link")).to_have_attribute("href", "https://example.com/light")


async def test_the_document_is_where_the_badge_of_its_passage_leads(chat: Chat) -> None:
    await chat.ask("source 1")
    said = chat.bubble("A fern wants moist soil")
    await expect(said.locator("strong").first).to_have_text("Watering plants.md, p. 3")
    link = said.locator(".webchat__link-definitions__list-item").get_by_role("link")
    await expect(link).to_have_attribute("href", f"http://{chat.authority}/documents/plants.md")
    # Its words are there, and its own link is none.
    await expect(said).to_contain_text("https://evil.example/")
    await expect(said.locator("a[href*='evil']")).to_have_count(0)
    assert await chat.axe() == []


async def test_a_number_that_no_source_has_and_more(chat: Chat) -> None:
    await chat.ask("7")
    await expect(chat.bubble("Reply 1 or 2 for the passage of that source.")).to_be_visible()
    await chat.ask("mehr")
    await expect(chat.bubble("That was all.")).to_be_visible()
