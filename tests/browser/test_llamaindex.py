"""A person asks an engine of LlamaIndex's on the page: a query engine that cites, and a folder in a store."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.async_api import expect
from reportlab.pdfgen.canvas import Canvas

from bot.app.answer_source import choose
from bot.app.settings import SAMPLE_LABELS, SAMPLES, Settings
from bot.direct_line.bundle import find_bundle
from examples import llamaindex_vector
from tests.bot.running import running
from tests.model_server import model_server, streaming
from tests.ports import free_port
from tests.sources.vector_stores import WordEmbedding

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


async def test_a_document_of_a_store_is_opened_at_the_cited_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("milvus_lite", reason="Milvus Lite is not installed")
    docs = tmp_path / "handbook"
    docs.mkdir()
    shutil.copy(SAMPLES / "travel-policy.md", docs)
    monkeypatch.setenv("DOCS_DIR", str(docs))
    monkeypatch.setenv("VECTOR_STORE_URI", str(tmp_path / "store.db"))
    monkeypatch.setattr(llamaindex_vector, "embedding", WordEmbedding)
    port = free_port()
    settings = Settings.from_env(
        {
            "ANSWER_SOURCE": "llamaindex",
            "LLAMAINDEX_ENGINE": "examples.llamaindex_vector:engine",
            "LABELS_FILE": str(SAMPLE_LABELS),
            "DOCS_DIR": str(docs),
        }
    )
    served = running(
        choose(settings, f"127.0.0.1:{port}"),
        docs=settings.docs,
        labels=settings.labels,
        bundle=find_bundle(),
        port=port,
    )
    async with served as authority, chatting(authority) as chat:
        await chat.ask("Do I book hotels in the Voyager portal, or on my own card?")
        await expect(chat.badges().first).to_be_visible()
        await chat.badges().first.click()
        document = chat.page.get_by_role("complementary", name="Source 1").frame_locator("iframe")
        cited = document.locator("#cited")
        await expect(cited).to_contain_text("Book hotels in the Voyager portal")
        await expect(cited).to_be_in_viewport()
        await expect(document.get_by_text("Internal", exact=True)).to_be_visible()
        await chat.page.keyboard.press("Escape")
        await expect(chat.badges().first).to_be_focused()
        # The next question leans on this one.
        await chat.ask("And in Berlin?")
        await expect(chat.bubble("Understood as: Do I book hotels")).to_be_visible()
        await chat.ask("Who invented the telephone?")
        await expect(chat.bubble("Your documents seem not to say this.")).to_be_visible()
        assert chat.complaints == []
        assert chat.foreign == []
