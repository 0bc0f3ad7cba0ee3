"""The source of a statement beside its answer: opened from a badge, read, and closed, by mouse and by keyboard."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.async_api import ViewportSize, expect

from bot.app.settings import SAMPLES
from bot.direct_line.bundle import find_bundle
from bot.document_view.pdf_library import PdfLibrary
from bot.sources.folder import FolderSource
from tests.bot.running import running
from tests.ports import free_port
from tests.retrieval.hostile_documents import HOSTILE

from .axe import find_faults
from .browser import Chat, chatting

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
HOTEL = "What is the hotel limit in London?"
RESET = "How do I reset to factory settings?"
CUP = "Who won the world cup in 1998?"
SHED = "What is the code of the old shed?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    for name in ("travel-policy.md", "aurora-user-guide.pdf"):
        shutil.copy(SAMPLES / name, folder)
    words = "# Old shed\n\nThe code of the old shed is 4711.\n\n"
    (folder / "shed.md").write_text(words + "\n\n".join(HOSTILE), encoding="utf-8")
    return folder


async def test_a_source_beside_its_answer(docs: Path) -> None:
    port, pdf = free_port(), PdfLibrary()
    pdf.load()
    assert pdf.files, "this test needs pdf.js from npm"
    base = f"http://127.0.0.1:{port}/documents/"
    source = FolderSource(docs, document_base=base, cache=docs.parent / "cache", may_add=True)
    async with (
        running(source, docs=docs, bundle=find_bundle(), pdf=pdf, port=port) as authority,
        chatting(authority, viewport=WIDE, color_scheme="light", reduced_motion="reduce") as chat,
    ):
        await expect(chat.page.get_by_role("complementary", name="Documents")).to_be_visible()
        await opens_and_closes(chat)
        await shows_a_pdf_and_follows_the_colours(chat)
        await keeps_a_hostile_document_in_its_frame(chat)
        await is_a_dialog_where_there_is_no_room(chat)
        assert chat.complaints == []
        assert chat.foreign == []


async def ask(chat: Chat, question: str, words: str) -> None:
    await chat.ask(question)
    await expect(chat.bubble(words).last).to_be_visible()


async def opens_and_closes(chat: Chat) -> None:
    page, documents = chat.page, chat.page.get_by_role("complementary", name="Documents")
    source = page.get_by_role("complementary", name="Source 1")
    document = source.frame_locator("iframe")
    lists = page.locator("details.webchat__link-definitions")
    await ask(chat, HOTEL, "190")
    # Where the name of a passage stands above it, the list that has it again is folded.
    name = chat.bubble("190").locator(".source-name")
    await expect(name).to_have_text(re.compile("^Travel policy › Hotel and meal limits by city"))
    await expect(name).to_have_css("font-size", "13px")
    await expect(lists.last).to_have_js_property("open", False)
    badge = chat.bubble("190").locator("[value='cite:1']")
    await badge.click()
    cited = document.locator("#cited")
    await expect(cited).to_be_focused()
    await expect(cited).to_contain_text("London")
    await expect(cited).to_have_accessible_name("Cited sentence")
    await expect(cited).to_be_in_viewport()
    await expect(document.get_by_role("heading", level=1, name="Travel policy").first).to_be_visible()
    await expect(source.locator("iframe")).to_have_accessible_name(
        "Travel policy › Hotel and meal limits by city"
    )
    await expect(chat.passage()).to_have_count(0)
    await expect(documents).to_be_hidden()
    for answer in (badge, chat.bubble("190")):
        await expect(answer).to_be_in_viewport()
    await expect(badge).to_have_attribute("aria-current", "true")
    assert await find_faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Escape leads back to the badge, and the panel that was there is there again.
    await page.keyboard.press("Escape")
    await expect(badge).to_be_focused()
    await expect(source).to_be_hidden()
    await expect(documents).to_be_visible()
    # By keyboard, and by the list of references; another panel takes the place of the source.
    await badge.press("Enter")
    await expect(cited).to_be_focused()
    await source.get_by_role("button", name="Close").press("Enter")
    await expect(badge).to_be_focused()
    await lists.last.locator("summary").click()
    await lists.last.get_by_role("listitem").nth(1).get_by_role("button").click()
    second = page.get_by_role("complementary", name="Source 2")
    await expect(second.frame_locator("iframe").locator("#cited")).to_be_focused()
    await expect(second.get_by_role("link", name="Open in a tab of its own")).to_have_attribute(
        "href", await second.locator("iframe").get_attribute("src") or ""
    )
    toggle = page.get_by_role("button", name="Documents")
    await toggle.press("Enter")
    await expect(second).to_be_hidden()
    await expect(toggle).to_be_focused()
    await expect(documents).to_be_visible()


async def shows_a_pdf_and_follows_the_colours(chat: Chat) -> None:
    source = chat.page.get_by_role("complementary", name="Source 1")
    document = source.frame_locator("iframe")
    await ask(chat, RESET, "fifteen seconds")
    await chat.bubble("fifteen seconds").locator("[value='cite:1']").click()
    await expect(document.locator("#cited")).to_be_focused()
    await expect(document.locator("#cited")).to_contain_text("To return to factory settings")
    await expect(document.get_by_label("Page number")).to_have_value("3")
    await expect(document.get_by_text("Looking for the cited words")).to_be_hidden()
    await chat.page.get_by_role("button", name="Dark colours").click()
    await expect(document.locator("html")).to_have_attribute("data-theme", "dark")
    assert await find_faults(chat.page) == []


async def keeps_a_hostile_document_in_its_frame(chat: Chat) -> None:
    source = chat.page.get_by_role("complementary", name="Source 1")
    document = source.frame_locator("iframe")
    await ask(chat, SHED, "4711")
    await chat.bubble("4711").locator("[value='cite:1']").click()
    await expect(document.locator("#cited")).to_contain_text("4711")
    article = document.locator("article")
    assert await article.locator("script, style, img, iframe, form, object, base, meta").count() == 0
    assert await article.locator("[id]:not(mark), [onclick], a:not([target=_blank])").count() == 0
    assert len(chat.page.frames) == 2
    await expect(chat.page).to_have_title("Ask handbook")
    await source.get_by_role("button", name="Close").click()


async def is_a_dialog_where_there_is_no_room(chat: Chat) -> None:
    page = chat.page
    badge = chat.bubble("4711").locator("[value='cite:1']")
    await badge.click()
    await expect(page.locator("#source iframe")).to_have_count(1)
    await page.set_viewport_size(PHONE)
    await expect(page.locator("#source")).to_be_hidden()
    await badge.click()
    await expect(chat.passage()).to_contain_text("The code of the old shed is 4711.")
    assert await find_faults(page) == []
    await page.keyboard.press("Escape")
    await expect(chat.passage()).to_have_count(0)
    # Suggested questions are one row, which is scrolled.
    await ask(chat, CUP, "seem not to say")
    suggested = await page.get_by_role("toolbar").bounding_box()
    assert suggested
    assert suggested["height"] < 80
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
