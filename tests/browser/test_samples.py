"""The first minute: the sample documents, asked through the real page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.direct_line.bundle import find_bundle
from bot.sources.folder import FolderSource
from tests.bot.running import running
from tests.concept_embedder import wait_until_embedded
from tests.ports import free_port

from .browser import Chat, chatting


@pytest.fixture
async def chat(samples_cache: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Chat]:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(samples_cache))
    port = free_port()
    settings = Settings.from_env({})
    source = choose(settings, f"127.0.0.1:{port}")
    assert isinstance(source, FolderSource)
    labelled = running(source, bundle=find_bundle(), port=port, labels=settings.labels)
    async with labelled as authority, chatting(authority) as one:
        await expect(one.bubble("Hello")).to_be_visible()
        await source.wait_until_read()
        await asyncio.to_thread(wait_until_embedded, source._index)  # a busy machine takes more than 3 s
        yield one
        assert one.complaints == []
        assert one.foreign == []


async def test_every_suggestion_is_answered_with_a_source(chat: Chat) -> None:
    offered = chat.page.get_by_role("region", name="What you can ask").get_by_role("button")
    await expect(offered).to_have_count(4)
    questions = await offered.all_inner_texts()
    await offered.first.click()
    await expect(chat.references()).not_to_have_count(0)
    for question in questions[1:]:
        before = await chat.references().count()
        await chat.ask(question)
        await expect(chat.references()).not_to_have_count(before)


async def test_labels_are_there_in_the_first_minute(chat: Chat) -> None:
    await chat.ask("When must I report a lost laptop to the security desk?")
    await expect(chat.bubble("within two hours").first).to_be_visible()
    await chat.ask("What do I do with a suspicious email?")
    await expect(chat.bubble("Report phishing").first).to_be_visible()
    for name in ("Internal", "Confidential"):
        await expect(chat.references().filter(has_text=name)).not_to_have_count(0)
    # Titles of one document differ at their ends.
    await chat.page.set_viewport_size({"width": 390, "height": 844})
    titles = chat.page.locator(".webchat__link-definitions__list-item-text")
    assert await titles.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
    assert await titles.evaluate_all("all => all.some(one => one.clientHeight > 30)")
    await chat.ask("Which pay bands are there?")
    await expect(chat.bubble("I may not quote what answers this")).to_be_visible()
    await expect(chat.references().last).to_contain_text("Confidential\\People team")
    await expect(chat.page.get_by_text("five pay bands")).to_have_count(0)


async def test_off_topic_is_said_honestly(chat: Chat) -> None:
    await chat.ask("Who won the world cup in 1998?")
    await expect(chat.bubble("Your documents seem not to say this.")).to_be_visible()
    # The nearest documents have their titles below, and nothing of their text.
    await expect(chat.references()).to_have_count(3)


def test_there_are_samples() -> None:
    assert {path.suffix for path in Path(Settings().docs).iterdir()} >= {".md", ".pdf", ".docx", ".html"}
