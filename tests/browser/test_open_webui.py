"""A person asks a model of Open WebUI's on the page."""

from __future__ import annotations

import json

from playwright.async_api import expect

from bot.direct_line.bundle import find_bundle
from tests.bot.running import running
from tests.model_server import saying
from tests.sources.open_webui_server import captured, open_webui_server, replaying

from .browser import chatting


async def test_badges_names_and_passages() -> None:
    async with open_webui_server() as server:
        server.behave = replaying("collection.sse", every=300)
        async with running(server.source(), bundle=find_bundle()) as authority, chatting(authority) as chat:
            await expect(chat.page).to_have_title("Ask Open WebUI")
            await chat.ask("How do I configure proxy authentication?")
            await expect(chat.bubble("Override the default proxy settings")).to_be_visible()
            await expect(chat.badges()).to_have_text(["1", "2"])
            await expect(chat.references().first).to_contain_text("winserver.md")
            await expect(chat.references().nth(1)).to_contain_text("proxy guide (v2).md")
            await chat.badges().first.click()
            await expect(chat.passage()).to_contain_text("use netsh winhttp set proxy")
            await chat.page.keyboard.press("Escape")
            await chat.badges().nth(1).click()
            await expect(chat.passage()).to_contain_text("enter the host and port")
            await expect(chat.passage()).to_contain_text("Paragraph 29")
            assert chat.complaints == []
            assert chat.foreign == []


async def test_pages_and_links() -> None:
    """A PDF's pages are counted from 0 there; the file and the page of the web can be opened."""
    data = json.loads(captured("pdf.json"))
    (entry,) = data["sources"]
    # Of a source with passages of several pages no page is told.
    del entry["document"][2], entry["metadata"][2]
    entry["metadata"][1]["source"] = "https://example.com/travel"
    async with open_webui_server() as server:
        server.behave = saying(data)
        source = server.source(public_url="https://chat.example.com")
        async with running(source, bundle=find_bundle()) as authority, chatting(authority) as chat:
            await chat.ask("How do I clean it?")
            await expect(chat.references().first).to_contain_text("aurora-user-guide.pdf, p. 4")
            link = chat.references().nth(1).get_by_role("link")
            await expect(link).to_have_attribute("href", "https://example.com/travel")
            await chat.badges().first.click()
            await expect(chat.passage()).to_contain_text("Aurora 3 user guide · page 4")
            file = chat.passage().get_by_role("link")
            await expect(file).to_have_attribute(
                "href",
                f"https://chat.example.com/api/v1/files/{entry['metadata'][0]['file_id']}/content#page=4",
            )
