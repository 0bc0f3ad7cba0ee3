"""The owner of the documents on the page: sees them, filters, opens, adds, removes and asks."""

from __future__ import annotations

import shutil
from contextlib import AsyncExitStack
from pathlib import Path

from playwright.async_api import FilePayload, Page, expect

from bot.direct_line.bundle import find_bundle
from bot.sources.folder import FolderSource
from tests.bot.command import ready, started
from tests.bot.running import running

from .axe import find_faults
from .browser import Chat, chatting, send

GARDEN = "# Garden rules\n\n## May I grill in the garden?\n\nYou may grill on Saturdays until ten.\n"
READ = 60_000
"""Milliseconds for what waits until a child process has read a file, on a busy machine."""
WIDE = {"width": 1280, "height": 760}
DROP = """async files => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    for (const type of ["dragenter", "dragover", "drop"]) {
        if (type === "drop") window.overlaid = !document.getElementById("drop").hidden;
        document.body.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
    }
    return overlaid;
}"""
READING = """() => {
    const fetched = window.fetch;
    window.fetch = async (url, options) => {
        const response = await fetched(url, options);
        if (url !== "/local/documents") return response;
        const body = {...await response.json(), reading: ["Report.pdf"], read: 3, waiting: 8};
        return Response.json(body);
    };
}"""


def folder_of(tmp_path: Path) -> Path:
    docs = tmp_path / "Handbook"
    docs.mkdir()
    (docs / "train.md").write_text(
        "# Travel by train\n\n## Who books a ticket?\n\nThe office books it.\n", encoding="utf-8"
    )
    (docs / "pay.md").write_text("# Pay\n\nThe salary is paid on the 25th.\n", encoding="utf-8")
    (docs / "broken.pdf").write_bytes(b"no PDF")
    return docs


async def check(page: Page) -> None:
    """Nothing is wrong with the page, and nothing sticks out."""
    assert await find_faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_owner_of_the_documents(tmp_path: Path) -> None:
    docs = folder_of(tmp_path)
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache", may_add=True)
    async with (
        running(source, docs=docs, bundle=find_bundle()) as authority,
        chatting(authority, viewport=WIDE, color_scheme="light", reduced_motion="reduce") as chat,
    ):
        page = chat.page
        panel = page.get_by_role("complementary", name="Documents")
        files = panel.get_by_role("list", name="Documents").get_by_role("listitem")
        start = page.get_by_role("region", name="What you can ask")
        await expect(files).to_have_count(2, timeout=READ)
        await expect(start.get_by_role("button")).to_have_text(["Who books a ticket?"])
        await expect(files.last).to_contain_text("Travel by train")
        await expect(files.last).to_contain_text("1 passage")
        await expect(panel.get_by_role("region", name="Not read")).to_contain_text("The file is damaged.")
        await check(page)

        search = panel.get_by_role("searchbox", name="Filter documents")
        await search.fill("TRAIN trav")
        await expect(files).to_have_count(1)
        await search.fill("tram")
        await expect(panel.get_by_role("status").filter(has_text="No document matches.")).to_be_visible()
        await search.fill("")
        async with page.context.expect_page() as opening:
            await files.first.get_by_role("link", name="Pay").click()
        document = await opening.value
        await expect(document.locator("body")).to_contain_text("paid on the 25th")
        await document.close()

        await asks_what_is_ticked_alone(chat)
        await adds_and_removes(chat)
        await shows_progress(page)
        await is_a_drawer_on_a_phone(page)
    assert chat.complaints == []
    assert chat.foreign == []


async def asks_what_is_ticked_alone(chat: Chat) -> None:
    page, header = chat.page, chat.page.get_by_role("banner")
    panel = page.get_by_role("complementary", name="Documents")
    await expect(panel.get_by_text("Tick documents to ask only these.")).to_be_visible()
    await panel.get_by_role("checkbox", name="Ask only Pay").press("Space")
    await expect(panel.get_by_role("status").filter(has_text="1 of 2 documents")).to_be_visible()
    await expect(header.get_by_text("1 of 2 documents")).to_be_visible()
    await check(page)
    await chat.ask("Who books a ticket?")
    await expect(chat.bubble("seem not to say")).to_be_visible()
    await expect(chat.bubble("Not in any document")).to_have_count(0)
    asked = page.get_by_text("Asked only: pay.md")
    await expect(asked).to_be_visible()
    # What was asked, and what is ticked, outlive a reload.
    await page.reload()
    await expect(asked).to_be_visible()
    await expect(header.get_by_text("1 of 2 documents")).to_be_visible()
    await panel.get_by_role("button", name="Ask all").press("Enter")
    await expect(panel.get_by_role("checkbox", checked=True)).to_have_count(0)
    await expect(panel.get_by_role("checkbox").first).to_be_focused()
    await expect(header.get_by_text("2 documents", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Edit and ask again").click()
    box = page.get_by_placeholder("Ask a question")
    await expect(box).to_have_value("Who books a ticket?")
    await expect(box).to_be_focused()
    await send(box)
    await expect(chat.bubble("The office books it.")).to_be_visible()
    await expect(asked).to_have_count(1)
    await header.get_by_role("button", name="New conversation").click()
    await expect(page.locator("#start")).to_be_visible()


async def adds_and_removes(chat: Chat) -> None:
    page = chat.page
    panel = page.get_by_role("complementary", name="Documents")
    assert await page.evaluate(
        DROP, [["garden.md", GARDEN], ["clip.mp4", "x"], ["shed.md", "# Shed"], ["none.md", ""]]
    )
    said = page.locator("#news")
    await expect(said.locator(".done")).to_have_text("garden.md was added. shed.md was added.", timeout=READ)
    await expect(said.locator(".failed")).to_have_text(
        "clip.mp4 was not added, because files of this format are not read. "
        "none.md was not added, because it is empty."
    )
    await page.get_by_role("button", name="Remove shed.md").click()
    await expect(said).to_contain_text("shed.md was removed.", timeout=READ)
    await expect(panel.get_by_role("link", name="Garden rules")).to_be_visible(timeout=READ)
    await expect(page.locator("#drop")).to_be_hidden()
    await expect(page.get_by_text("3 documents", exact=True)).to_be_visible()
    await check(page)
    await page.get_by_role("button", name="May I grill in the garden?").press("Enter")
    await expect(page.get_by_placeholder("Ask a question")).to_be_focused()
    await expect(chat.bubble("until ten")).to_have_count(1)
    await expect(page.locator("#start")).to_be_hidden()
    await page.get_by_role("banner").get_by_role("button", name="New conversation").click()
    await expect(page.locator("#start")).to_be_visible()
    await panel.get_by_role("button", name="Remove garden.md").press("Enter")
    await expect(said).to_contain_text("garden.md was removed.", timeout=READ)
    await expect(panel.get_by_role("link", name="Garden rules")).to_have_count(0, timeout=READ)
    await expect(panel.get_by_role("searchbox")).to_be_focused()


async def shows_progress(page: Page) -> None:
    await page.evaluate(READING)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    reading = page.get_by_role("region", name="Being read")
    await expect(reading).to_contain_text("3 of 12 files are read")
    await expect(reading).to_contain_text("Report.pdf")
    await expect(reading.get_by_role("progressbar", name="Being read")).to_have_js_property("position", 0.25)
    await check(page)


async def is_a_drawer_on_a_phone(page: Page) -> None:
    await page.set_viewport_size({"width": 390, "height": 760})
    await page.emulate_media(color_scheme="dark")
    await page.reload()
    toggle = page.get_by_role("button", name="Documents")
    drawer = page.get_by_role("dialog", name="Documents")
    await expect(toggle).to_have_attribute("aria-expanded", "false")
    await expect(page.locator("#documents")).to_be_hidden()
    await toggle.press("Enter")
    await expect(drawer.get_by_role("button", name="Close")).to_be_focused()
    await expect(drawer.get_by_role("link")).to_have_count(2)
    await check(page)
    await page.keyboard.press("Escape")
    await expect(drawer).to_be_hidden()
    await expect(toggle).to_be_focused()


async def test_an_empty_folder_says_what_it_takes(tmp_path: Path) -> None:
    source = FolderSource(tmp_path / "None", document_base="", cache=tmp_path / "cache", may_add=True)
    (tmp_path / "None").mkdir()
    async with (
        running(source, docs=tmp_path / "None", bundle=find_bundle()) as authority,
        chatting(authority, viewport=WIDE) as chat,
    ):
        empty = chat.page.locator("#start-empty")
        await expect(empty).to_contain_text("Put documents into the folder None")
        for name in ("PDF", "DOCX", "MD", "HTML", "TXT"):
            await expect(empty.get_by_text(name, exact=True)).to_be_visible()
        await check(chat.page)
        async with chat.page.expect_file_chooser() as choosing:
            await empty.get_by_role("button", name="Add files").click()
        garden = FilePayload(name="garden.md", mimeType="text/markdown", buffer=GARDEN.encode())
        await (await choosing.value).set_files(garden)
        asked = chat.page.get_by_role("button", name="May I grill in the garden?")
        await expect(asked).to_be_visible(timeout=READ)
        await expect(empty).to_be_hidden()
    assert chat.complaints == []


async def test_the_first_command_shows_the_samples_and_a_question_to_click(tmp_path: Path) -> None:
    """On a machine that never had an index: the README's first command, without the option that opens a browser."""
    bundle = find_bundle().file
    assert bundle, "these tests need the bundle from npm"
    (tmp_path / "botframework-citations").mkdir()
    for file in bundle.parent.glob(f"{bundle.name}*"):
        shutil.copy(file, tmp_path / "botframework-citations")
    async with started("--port", "0", XDG_CACHE_HOME=str(tmp_path)) as process:
        address = await ready(process)
        async with chatting(address.removeprefix("http://").strip("/"), viewport=WIDE) as chat:
            await expect(chat.page.get_by_role("link", name="Travel policy")).to_be_visible(timeout=60_000)
            first = chat.page.get_by_role("region", name="What you can ask").get_by_role("button").first
            await first.click()
            await expect(chat.references()).not_to_have_count(0)
            await expect(chat.page.locator(".webchat__stacked-layout--from-user")).to_have_count(1)


async def test_a_bot_that_is_gone_is_told_until_it_is_back(tmp_path: Path) -> None:
    docs = folder_of(tmp_path)

    def source() -> FolderSource:
        return FolderSource(docs, document_base="", cache=tmp_path / "cache", may_add=True)

    async with AsyncExitStack() as page, AsyncExitStack() as first:
        authority = await first.enter_async_context(running(source(), docs=docs, bundle=find_bundle()))
        chat = await page.enter_async_context(chatting(authority))
        notice = chat.page.get_by_role("alert")
        await expect(chat.bubble("Hello")).to_be_visible()
        await first.aclose()
        await expect(notice.filter(has_text="The bot can't be reached.")).to_be_visible()
        port = int(authority.rpartition(":")[2])
        async with running(source(), docs=docs, bundle=find_bundle(), port=port):
            await expect(notice.filter(has_text="The bot can't be reached.")).to_have_count(0)
            await expect(notice.filter(has_text="This conversation has ended")).to_be_visible()
