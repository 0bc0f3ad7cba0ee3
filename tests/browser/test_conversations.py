"""A person with several conversations: lists, copies, saves, renames and deletes them, on any screen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Locator, Route, expect

from bot.direct_line.bundle import find_bundle
from tests.bot.running import running
from tests.bot.table_source import TableSource

from .axe import find_faults
from .browser import Chat, chatting

WATER = "How often should I water a fern?"
STAND = "Where should a fern stand?"
ANSWER = (
    "Water a fern **twice a week** [^1], and give it shade [^1][^2].\n\n"
    "[^1]: Watering plants.md, p. 3\n[^2]: Light: <https://example.com/light>"
)


@pytest.fixture
def source() -> TableSource:
    return TableSource()


@pytest.fixture
async def chat(source: TableSource) -> AsyncIterator[Chat]:
    async with (
        running(source, bundle=find_bundle()) as authority,
        chatting(
            authority,
            viewport={"width": 1280, "height": 720},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        ) as one,
    ):
        yield one
    assert one.complaints == []
    assert one.foreign == []


def listed(chat: Chat) -> Locator:
    return chat.page.locator("#conversations .opener")


async def choose(chat: Chat, title: str, action: str) -> None:
    await chat.page.get_by_role("button", name=f"More about “{title}”").click()
    await chat.page.locator("#conversation-menu").get_by_role("button", name=action).click()


async def is_sound(chat: Chat) -> None:
    assert await find_faults(chat.page) == []
    assert await chat.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_conversations_and_answers(chat: Chat, source: TableSource) -> None:
    """One page goes through all states, since it takes long to open one."""
    await expect(chat.bubble("Hello")).to_be_visible()
    await expect(listed(chat)).to_have_text(["New conversation"])
    await is_sound(chat)
    await copy_and_fold(chat)
    await wait_for_slow_answer(chat, source)
    await turn_to_another(chat)
    await turn_to_two_in_a_row(chat)
    await rename_and_save(chat)
    await delete(chat)
    await use_phone(chat)


async def copy_and_fold(chat: Chat) -> None:
    """An answer is copied with its sources, which are folded from then on."""
    page = chat.page
    await chat.ask(WATER)
    await expect(listed(chat)).to_have_text([WATER])
    await page.get_by_role("button", name="Copy with sources").click()
    await expect(page.locator("#announced")).to_have_text("Copied, with the sources as footnotes.")
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied == ANSWER
    await page.get_by_text("2 references").click()
    await expect(chat.references()).to_have_count(2)
    await expect(chat.references().first).to_be_hidden()
    await is_sound(chat)


async def wait_for_slow_answer(chat: Chat, source: TableSource) -> None:
    """What the bot is doing is said while there is nothing to read."""
    page = chat.page
    await chat.ask("slow")
    await expect(page.locator("bot-step")).to_have_text("Searching Plant care …")
    await expect(page.locator("#step")).to_have_text("Searching Plant care …")
    await is_sound(chat)
    source.gate.set()
    await expect(chat.bubble("twice a week")).to_have_count(2)
    await expect(page.locator("#step")).to_have_text("")
    await expect(chat.references().last).to_be_hidden()


async def turn_to_another(chat: Chat) -> None:
    """Another conversation, and back; a reload keeps both."""
    page = chat.page
    await page.get_by_role("button", name="New conversation").click()
    await expect(chat.bubble("twice a week")).to_have_count(0)
    await expect(listed(chat)).to_have_text(["New conversation", WATER])
    await expect(chat.bubble("Hello")).to_be_visible()  # no earlier does the box belong to it
    await chat.ask(STAND)
    await expect(listed(chat)).to_have_text([STAND, WATER])
    await expect(chat.bubble("twice a week")).to_have_count(1)
    await listed(chat).last.click()
    await expect(chat.bubble(WATER)).to_be_visible()
    await expect(listed(chat).last).to_be_focused()
    await expect(chat.bubble("twice a week")).to_have_count(2)
    assert await page.evaluate("sockets.map(one => one.readyState)") == [3, 3, 1]  # closed, closed, open
    await expect(chat.bubble(STAND)).to_have_count(0)
    await page.reload()
    await expect(chat.bubble(WATER)).to_be_visible()
    await expect(listed(chat)).to_have_text([STAND, WATER])
    await expect(listed(chat).last).to_have_attribute("aria-current", "true")
    await expect(chat.references().first).to_be_hidden()


async def turn_to_two_in_a_row(chat: Chat) -> None:
    """The one that was chosen last stays, though the other comes after it."""
    page, held = chat.page, asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route("**/tokens/refresh", hold)
    async with page.expect_response("**/activities?watermark=*"):  # waited for before anything can bring it
        async with page.expect_request("**/tokens/refresh"):
            await listed(chat).first.click()
        await page.get_by_role("button", name="New conversation").click()
        await expect(listed(chat)).to_have_text(["New conversation", STAND, WATER])
        held.set()
    await page.unroute("**/tokens/refresh")
    await page.evaluate("new Promise(done => setTimeout(done, 100))")
    await expect(listed(chat)).to_have_text(["New conversation", STAND, WATER])
    await listed(chat).last.click()
    await expect(chat.bubble(WATER)).to_be_visible()


async def rename_and_save(chat: Chat) -> None:
    """By keyboard where that differs."""
    page = chat.page
    await choose(chat, WATER, "Rename")
    title = page.get_by_label("Title of the conversation")
    await expect(title).to_be_focused()
    await is_sound(chat)
    await page.keyboard.type("  My   ferns ")
    await page.keyboard.press("Enter")
    await expect(listed(chat)).to_have_text([STAND, "My ferns"])
    await expect(listed(chat).last).to_be_focused()
    await choose(chat, "My ferns", "Rename")
    await page.keyboard.type("Nothing")
    await page.keyboard.press("Escape")
    await expect(listed(chat)).to_have_text([STAND, "My ferns"])
    async with page.expect_download() as saving:
        await choose(chat, "My ferns", "Save as Markdown")
    download = await saving.value
    assert download.suggested_filename == "My ferns.md"
    saved = (await download.path()).read_text(encoding="utf-8")
    assert saved.startswith(f"# My ferns\n\n## {WATER}\n\n{ANSWER}\n\n## slow\n\n")
    assert saved.endswith("\n\n" + re.sub(r"\[\^(\d)", lambda one: f"[^{int(one[1]) + 2}", ANSWER) + "\n")


async def delete(chat: Chat) -> None:
    """Only what was meant is deleted."""
    page = chat.page
    await page.get_by_role("button", name="More about “My ferns”").click()
    await is_sound(chat)
    await page.keyboard.press("Escape")
    await choose(chat, "My ferns", "Delete")
    question = page.get_by_role("dialog", name="Delete")
    await expect(question).to_contain_text("Delete “My ferns”?")
    await is_sound(chat)
    await question.get_by_role("button", name="Cancel").click()
    await expect(listed(chat)).to_have_count(2)
    await choose(chat, "My ferns", "Delete")
    await question.get_by_role("button", name="Delete").click()
    await expect(listed(chat)).to_have_text([STAND])
    await expect(chat.bubble(STAND)).to_be_visible()
    await expect(chat.bubble("slow")).to_have_count(0)
    await expect(listed(chat)).to_be_focused()
    await choose(chat, STAND, "Delete")
    await page.keyboard.press("Escape")
    await expect(question).to_have_count(0)
    await expect(listed(chat)).to_have_text([STAND])


async def use_phone(chat: Chat) -> None:
    """On a phone, in the dark, the list is a drawer."""
    page = chat.page
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size({"width": 390, "height": 780})
    await expect(listed(chat).first).to_be_hidden()
    await is_sound(chat)
    toggle = page.get_by_role("button", name="Conversations")
    await toggle.click()
    await expect(toggle).to_have_attribute("aria-expanded", "true")
    await expect(listed(chat).first).to_be_visible()
    await is_sound(chat)
    await page.keyboard.press("Escape")
    await expect(listed(chat).first).to_be_hidden()
    await expect(toggle).to_be_focused()
    await page.get_by_role("button", name="New conversation").click()
    await expect(chat.bubble(STAND)).to_have_count(0)
    await toggle.click()
    await listed(chat).filter(has_text=STAND).click()
    await expect(listed(chat).first).to_be_hidden()
    await expect(chat.bubble(STAND)).to_be_visible()
