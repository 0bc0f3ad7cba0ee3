"""A person asks an engine of LlamaIndex's on the page: BM25 over files, and a query engine that cites."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import expect
from reportlab.pdfgen.canvas import Canvas

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.direct_line.bundle import find_bundle
from tests.bot.running import running
from tests.model_server import model_server, streaming

from .browser import chatting


def documents(folder: Path) -> Path:
    """A PDF of two pages, and two texts."""
    folder.mkdir()
    canvas = Canvas(str(folder / "travel.pdf"))
    for line in ("How this policy came about.", "A hotel in Berlin may cost 140 Euro a night."):
        canvas.drawString(72, 700, line)
        canvas.showPage()
    canvas.save()
    (folder / "trains.md").write_text("A train is booked in first class from four hours on.", "utf-8")
    (folder / "lunch.txt").write_text("Lunch is at noon.", "utf-8")
    return folder


async def test_badges_names_pages_and_passages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with model_server() as server:
        server.behave = streaming("A hotel costs 140 Euro [1]. Trains are first class [2].")
        for name, value in {
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_MODEL": "m",
            "DOCS_DIR": str(documents(tmp_path / "documents")),
        }.items():
            monkeypatch.setenv(name, value)
        settings = Settings.from_env(
            {"ANSWER_SOURCE": "llamaindex", "LLAMAINDEX_ENGINE": "examples.llamaindex_bm25:engine"}
        )
        source = choose(settings, "127.0.0.1:1")
        async with running(source, bundle=find_bundle()) as authority, chatting(authority) as chat:
            await expect(chat.page).to_have_title("Ask LlamaIndex")
            await chat.ask("What may a hotel in Berlin cost a night, and when is a train first class?")
            await expect(chat.bubble("Trains are first class")).to_be_visible()
            await expect(chat.badges()).to_have_text(["1", "2"])
            sources = str(server.bodies[0]["messages"])
            assert sources.index("A hotel in Berlin") < sources.index("A train is booked")
            await expect(chat.references().first).to_contain_text("travel.pdf, p. 2")
            await expect(chat.references().nth(1)).to_contain_text("trains.md")
            await chat.badges().first.click()
            await expect(chat.passage()).to_contain_text("travel.pdf, p. 2")
            await expect(chat.passage()).to_contain_text("A hotel in Berlin may cost 140 Euro a night.")
            assert chat.complaints == []
            assert chat.foreign == []
            assert str(tmp_path) not in await chat.page.content()
