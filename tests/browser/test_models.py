"""A model that runs on this machine is offered on the page, words answers after one click, and quotes return."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web
from playwright.async_api import Route, expect

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.config.language_model import LocalModelOptions
from bot.direct_line.bundle import find_bundle
from bot.sources import local_models
from bot.sources.folder import FolderSource
from tests.bot.running import running
from tests.model_server import saying, streaming
from tests.web_server import serving_routes

from .browser import chatting

LIST = {"models": [{"model": "llama3.2:latest"}, {"model": "nomic-embed-text:latest"}]}
GARDEN = "# Garden\n\nNeighbours may meet for a barbecue on Saturdays until ten.\n\nChildren may play on the grass.\n"
OFFER = "Let it word the answers"
HINT = "A language model on this computer would read these passages"


async def when_hinted(route: Route) -> None:
    """Say which models there are after the answers are on the page, as a slow machine does."""
    await expect(route.request.frame.page.locator("model-hint")).not_to_have_count(0)
    await route.continue_()


async def test_a_model_of_this_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = tmp_path / "House"
    docs.mkdir()
    (docs / "garden.md").write_text(GARDEN, "utf-8")
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache", may_add=True)
    routes = (
        web.get("/api/tags", saying(LIST)),
        web.post("/v1/chat/completions", streaming("Yes, on Saturdays until ten [1].")),
    )
    async with serving_routes(*routes) as url:
        monkeypatch.setattr(local_models, "SERVERS", (replace(local_models.SERVERS[0], url=url),))
        monkeypatch.setattr(local_models, "_SECONDS", 60)
        options = LocalModelOptions(mode="offer")
        async with (
            running(source, docs=docs, bundle=find_bundle(), local_models=options) as authority,
            chatting(authority, viewport={"width": 390, "height": 844}, reduced_motion="reduce") as chat,
        ):
            offers = chat.page.locator("#models")
            hints = chat.page.get_by_text(HINT).filter(visible=True)
            await expect(offers).to_contain_text("llama3.2 runs on this computer.")
            await expect(offers.get_by_role("button")).to_have_text([OFFER])
            assert await chat.axe() == []
            for number in range(2):
                await chat.ask("Is a barbecue with friends allowed?")
                await expect(chat.bubble("Neighbours may meet").nth(number)).to_be_visible()
                await expect(hints).to_have_count(1)  # below the first one alone

            await chat.page.locator("model-hint").get_by_role("button", name=OFFER).click()
            await expect(offers).to_contain_text("llama3.2 on this computer words the answers.")
            await expect(hints).to_have_count(0)
            await chat.ask("May I have a barbecue?")
            await expect(chat.bubble("Yes, on Saturdays until ten")).to_be_visible()

            await chat.page.route("**/local/models", when_hinted)
            await chat.page.reload()
            await offers.get_by_role("button", name="Quote the documents instead").click()
            await expect(offers.get_by_role("button")).to_have_text([OFFER])
            await expect(hints).to_have_count(1)
            assert await chat.axe() == []
            assert chat.complaints == []
            assert chat.foreign == []


async def test_a_wrong_number_of_a_model_is_marked_where_nothing_is_set(tmp_path: Path) -> None:
    docs = tmp_path / "Shop"
    docs.mkdir()
    (docs / "refunds.md").write_text(
        "# Refunds\n\nRefunds are paid within 14 days. Ask the office.\n", "utf-8"
    )
    said = ("Refunds are paid within 14 days [1].", "Refunds are paid within 40 days [1].")
    texts = iter(("ready", *said))  # the bot asks once at its start

    async def answer(request: web.Request) -> web.StreamResponse:
        return await streaming(next(texts))(request)

    async with serving_routes(web.post("/v1/chat/completions", answer)) as url:
        settings = Settings.from_env(
            {
                "DOCS_DIR": str(docs),
                "OPENAI_BASE_URL": f"{url}/v1",
                "OPENAI_MODEL": "m",
                "EMBEDDINGS": "false",
            }
        )
        async with (
            running(
                choose(settings, ""), docs=docs, bundle=find_bundle(), doubts=settings.doubts
            ) as authority,
            chatting(authority, reduced_motion="reduce") as chat,
        ):
            for text in said:
                await chat.ask("When are refunds paid?")
                await expect(chat.bubble(text[:-4])).to_be_visible()
            mark = chat.page.locator("em", has_text="Source 1 does not say “40 days”. It says “14 days”.")
            await expect(mark).to_have_count(1)
            await expect(chat.page.locator("em", has_text="does not say")).to_have_count(1)
