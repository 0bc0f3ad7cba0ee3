"""From an answer to the cited sentence in its document, by a person, in one real browser."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Error, Page, Route, expect
from pypdfium2 import PdfDocument

from bot.app.answer_source import choose
from bot.app.settings import SAMPLE_LABELS, SAMPLES, Settings
from bot.direct_line.bundle import find_bundle
from bot.document_view.pdf_library import PdfLibrary
from bot.retrieval.files import read
from bot.retrieval.passages.anchor import Anchor, CitedWords
from tests.bot.running import running
from tests.ports import free_port
from tests.retrieval.hostile_documents import HOSTILE

from .axe import find_faults
from .browser import Chat, chatting

DIALOG = {"width": 1000, "height": 720}
"""On a wider window, the document is beside the answer."""
HOTEL = "What is the hotel limit in London?"
RESET = "How do I reset to factory settings?"
SCAN = b"""%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R
/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>endobj
4 0 obj<</Length 86>>stream
q 300 0 0 300 0 0 cm /I Do Q BT 3 Tr /F 12 Tf 30 200 Td (The gate code is 4711.) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Subtype/Image/Width 1/Height 1/Filter/JPXDecode/Length 40>>stream
\xff\x51____\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0________________\0\1
endstream endobj
trailer<</Root 1 0 R>>
"""
"""A picture in JPEG 2000, as of a scan, and its words."""


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[Chat]:
    docs = tmp_path / "handbook"
    docs.mkdir()
    for name in ("travel-policy.md", "expenses.docx", "aurora-user-guide.pdf"):
        shutil.copy(SAMPLES / name, docs)
    for turn in (90, 180, 270):
        with PdfDocument(SAMPLES / "aurora-user-guide.pdf") as turned:
            for sheet in turned:
                sheet.set_rotation(turn)
            turned.save(docs / f"turned-{turn}.pdf")
    for suffix in ("md", "html"):
        (docs / f"hostile.{suffix}").write_text("\n\n".join((*HOSTILE, "It is cited.")), encoding="utf-8")
    port = free_port()
    settings = Settings.from_env(
        {"DOCS_DIR": str(docs), "LABELS_FILE": str(SAMPLE_LABELS), "EMBEDDINGS": "false"}
    )
    source = choose(settings, f"127.0.0.1:{port}")
    pdf = PdfLibrary()
    pdf.load()
    assert pdf.files, "this test needs pdf.js from npm"
    served = running(source, docs=docs, bundle=find_bundle(), pdf=pdf, port=port, labels=settings.labels)
    async with served as authority, chatting(authority, viewport=DIALOG, reduced_motion="reduce") as one:
        await expect(one.bubble("Hello")).to_be_visible()
        yield one
        assert one.complaints == []
        assert one.foreign == []


async def open_document(chat: Chat, question: str, words: str) -> Page:
    """Ask, open the badge's dialog, in which ``words`` are marked, and follow its link to the document."""
    before = await chat.references().count()
    await chat.ask(question)
    await expect(chat.references()).not_to_have_count(before)
    # Those below the answer lead to other documents.
    answer = chat.page.locator(".webchat__bubble__content").last
    await answer.locator(".webchat__render-markdown__pure-identifier").first.click()
    await expect(chat.passage().locator("strong").filter(has_text=words).first).to_be_visible()
    async with chat.page.context.expect_page() as opening:
        await chat.passage().get_by_role("link").last.click()
    page = await opening.value
    await chat.page.bring_to_front()
    await chat.page.keyboard.press("Escape")
    await expect(chat.passage()).to_have_count(0)
    await page.bring_to_front()
    page.on("pageerror", lambda error: chat.complaints.append(str(error)))
    page.on("console", lambda entry: chat.complaints.append(entry.text) if entry.type == "error" else None)
    return page


async def check(page: Page, words: str) -> None:
    """The mark is on the screen, has a name and the focus, and axe finds nothing."""
    cited = page.locator("#cited")
    await expect(cited).to_contain_text(words)
    await expect(cited).to_be_in_viewport()
    await expect(cited).to_be_focused()
    await expect(cited).to_have_accessible_name("Cited sentence")
    assert await find_faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_from_an_answer_to_the_sentence_in_its_document(chat: Chat) -> None:
    markdown = await open_document(chat, HOTEL, "London")
    await check(markdown, "London")
    await expect(markdown.get_by_role("heading", name="Travel policy").first).to_be_visible()
    await expect(markdown.get_by_text("Internal", exact=True)).to_be_visible()
    await expect(markdown.get_by_role("row").filter(has_text="London").locator("mark")).to_have_count(4)
    # The way back to the words is offered where they are not on the screen.
    way = markdown.get_by_role("button", name="Show the cited words")
    await expect(way).to_be_hidden()
    await markdown.evaluate("scrollTo(0, document.body.scrollHeight)")
    await expect(way).to_be_visible()
    await way.click()
    await check(markdown, "London")
    await markdown.get_by_role("button", name="Dark colours").click()
    await expect(markdown.locator("html")).to_have_attribute("data-theme", "dark")
    await markdown.set_viewport_size({"width": 390, "height": 760})
    await markdown.reload()
    await check(markdown, "London")
    async with markdown.expect_event("close"):
        with suppress(Error):  # the page may close before it says that it was clicked
            await markdown.get_by_role("link", name="Back to the conversation").click()

    pdf = await open_document(chat, RESET, "factory")
    await expect(pdf.get_by_label("Page number")).to_have_value("3")
    # The document opens at the words in bold: the sentence that answers, not the one before it.
    await check(pdf, "To return to factory settings, hold it for")
    assert fold("".join(await pdf.locator("mark").all_inner_texts())).endswith("untilthelightturnswhite.")
    await pdf.set_viewport_size({"width": 390, "height": 760})
    await check(pdf, "To return to factory settings")
    # The page lays itself out anew for the other width, a moment after it has got it.
    await pdf.wait_for_timeout(1000)
    await expect(pdf.locator("#cited")).to_be_focused()
    await pdf.get_by_role("button", name="Larger").click()
    await pdf.get_by_role("button", name="Next page").click()
    await expect(pdf.get_by_label("Page number")).to_have_value("4")
    number = pdf.get_by_label("Page number")
    while await number.input_value() != "3":
        await pdf.keyboard.press("PageUp")
        await pdf.wait_for_timeout(1000)
    await pdf.close()

    page = chat.page
    await page.goto(await address_of(chat, "expenses.docx", "Alcohol, except at a meal with a customer"))
    await check(page, "Alcohol, except at a meal with a customer")
    original = page.get_by_role("link", name="Open the original")
    await expect(original).to_have_attribute("href", "/documents/expenses.docx")
    for name in ("hostile.md", "hostile.html"):
        await page.goto(await address_of(chat, name, "It is cited."))
        await expect(page.locator("mark")).to_have_text("It is cited.")
        assert await page.locator("article").locator("script, style, img, iframe, form").count() == 0
    words = "To restart the monitor, hold the button for five seconds."
    await page.goto(await address_of(chat, "aurora-user-guide.pdf", words))
    x, y = await find_mark(page)
    for turn, place in {90: (1 - y, x), 180: (1 - x, 1 - y), 270: (y, 1 - x)}.items():
        await page.goto(await address_of(chat, f"turned-{turn}.pdf", words))
        assert await find_mark(page) == pytest.approx(place, abs=0.01), f"a page that is turned by {turn}°"


async def test_the_mark_does_not_wait_for_the_picture_of_a_scan(chat: Chat, tmp_path: Path) -> None:
    (tmp_path / "handbook" / "scan.pdf").write_bytes(SCAN)
    page, waiting = await chat.page.context.new_page(), asyncio.Queue[Route]()
    await page.route("**/openjpeg*", waiting.put)
    await page.goto(await address_of(chat, "scan.pdf", "The gate code is 4711."))
    decoder = await waiting.get()
    await expect(page.locator("#cited")).to_be_focused()
    await expect(page.locator(".drawing")).to_have_count(1)
    await decoder.continue_()
    await expect(page.locator(".drawing")).to_have_count(0)


async def find_mark(page: Page) -> tuple[float, float]:
    """The middle of the mark, in shares of its page's width and height."""
    await expect(page.locator("#cited")).to_be_focused()
    mark = await page.locator("#cited").bounding_box()
    sheet = await page.locator(".sheet", has=page.locator("#cited")).bounding_box()
    assert mark
    assert sheet
    across, down = mark["x"] - sheet["x"] + mark["width"] / 2, mark["y"] - sheet["y"] + mark["height"] / 2
    return across / sheet["width"], down / sheet["height"]


def fold(text: str) -> str:
    return "".join(text.split())


async def address_of(chat: Chat, name: str, words: str) -> str:
    """The address that opens a document at some words, as its reader reads them."""
    url = f"http://{chat.authority}/documents/{name}"
    text = read(await (await chat.page.request.get(url)).body(), name).text
    return f"{url}?view={Anchor((CitedWords.of(text.index(words), words),)).write()}"
