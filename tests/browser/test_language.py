"""A person whose browser speaks German, on the page of a bot with German documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.async_api import Request, expect

from bot.app.settings import SAMPLES
from bot.direct_line.bundle import find_bundle
from bot.sources.folder import FolderSource
from tests.bot.running import running

from .browser import chatting

HOME = "Wie oft darf ich im Homeoffice arbeiten?"


def german_documents(folder: Path) -> Path:
    """A folder with the German one of the samples."""
    docs = folder / "Personalhandbuch"
    docs.mkdir()
    name = "arbeitszeit-und-homeoffice.md"
    (docs / name).write_bytes((SAMPLES / name).read_bytes())
    return docs


async def test_the_page_and_the_bot_speak_german(tmp_path: Path) -> None:
    docs = german_documents(tmp_path)
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache", may_add=True)
    said: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/activities"):
            said.append(json.loads(request.post_data or "{}"))

    async with (
        running(source, docs=docs, bundle=find_bundle()) as authority,
        chatting(authority, locale="de-AT") as chat,
    ):
        page = chat.page
        page.on("request", note)
        await expect(page).to_have_title("Personalhandbuch befragen")
        await expect(page.locator("html")).to_have_attribute("lang", "de")
        await expect(chat.bubble("Guten Tag! Meine Antworten stammen aus: Personalhandbuch.")).to_be_visible()
        await expect(page.get_by_text("1 Dokument", exact=True)).to_be_visible()
        await expect(page.get_by_text("Jede Aussage nennt ihre Quelle", exact=True)).to_be_visible()
        for name in ("Neue Unterhaltung", "Dunkle Farben"):
            await expect(page.get_by_role("button", name=name)).to_be_visible()
        await expect(page.get_by_role("heading", name="Das können Sie fragen")).to_be_visible()
        panel = page.get_by_role("complementary", name="Dokumente")
        await expect(panel.get_by_text("6 Textstellen")).to_be_visible()
        # Web Chat's own words.
        await expect(page.get_by_role("button", name="Senden")).to_be_visible()
        await page.get_by_placeholder("Stellen Sie eine Frage").fill(HOME)
        await page.keyboard.press("Enter")
        await expect(chat.bubble("drei Tage pro Woche")).to_be_visible()
        await page.get_by_placeholder("Stellen Sie eine Frage").fill(
            "Wer hat die Weltmeisterschaft gewonnen?"
        )
        await page.keyboard.press("Enter")
        await expect(chat.bubble("Ihre Dokumente sagen das anscheinend nicht.")).to_be_visible()
        assert [one["locale"] for one in said] == ["de-AT", "de-AT"]
        shown = await page.locator("body").inner_text()
        assert not [word for word in ("Sending", "Just now", "said", "Ask", "source") if word in shown]
    assert chat.complaints == []
    assert chat.foreign == []
