"""A person asks a Knowledge Graph of Writer's on the page."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web
from playwright.async_api import expect

from bot.direct_line.bundle import find_bundle
from tests.bot.running import running
from tests.model_server import DONE, Handler, saying, sending
from tests.sources.writer_server import (
    CHAT,
    FLAT,
    PIECES,
    REFERENCES,
    SOURCES,
    TRENDS,
    event,
    question,
    writer_server,
)

from .browser import Chat, chatting


@pytest.mark.parametrize(("behave", "model"), [(sending(FLAT), ""), (sending(CHAT), "palmyra-x5")], ids=["question", "chat"])  # fmt: skip
async def test_badges_names_pages_and_passages(behave: Handler, model: str) -> None:
    async with writer_server() as server:
        server.behave = behave
        async with (
            running(server.source(model=model), bundle=find_bundle()) as authority,
            chatting(authority) as chat,
        ):
            await expect(chat.page).to_have_title("Ask Writer Knowledge Graph")
            await expect(chat.bubble("I answer from Writer Knowledge Graph.")).to_be_visible()
            await chat.ask("What are the key features of our product?")
            await expect(chat.bubble("precision manufacturing equipment")).to_be_visible()
            await expect(chat.badges()).to_have_text(["1", "2"])
            await _shows_the_passage(chat)
            link = chat.references().nth(1).get_by_role("link")
            await expect(link).to_have_attribute("href", TRENDS)
            await expect(link).to_contain_text("Industry Trends Report")
            assert chat.complaints == []
            assert chat.foreign == []
        assert server.asked[0][1].get("question", "") in ("", "What are the key features of our product?")


async def _shows_the_passage(chat: Chat) -> None:
    await expect(chat.references().first).to_contain_text("Acme-Product-Catalog.pdf, p. 12")
    await chat.badges().first.click()
    await expect(chat.passage()).to_contain_text("Acme-Product-Catalog.pdf, p. 12")
    await expect(chat.passage()).to_contain_text(
        "Precision manufacturing equipment with real-time monitoring."
    )
    await expect(chat.passage().locator("strong")).to_have_text("real-time")
    await chat.page.keyboard.press("Escape")


async def test_the_text_grows_and_its_sources_come_last() -> None:
    told: asyncio.Queue[bytes] = asyncio.Queue()

    async def behave(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while (piece := await told.get()) != DONE:
            await response.write(piece)
        return response

    async with writer_server() as server:
        server.behave = behave
        async with (
            running(server.source(), bundle=find_bundle()) as authority,
            chatting(authority) as chat,
        ):
            await chat.ask("What are the key features of our product?")
            for piece in PIECES[:2]:
                told.put_nowait(event(question(piece)))
            growing = chat.bubble("The industrial tools division offers precision manufacturing equipment")
            await expect(growing).to_be_visible()
            # An id that is half there is nobody's business.
            await expect(growing).not_to_contain_text("Acme-Product")
            for piece in PIECES[2:]:
                told.put_nowait(event(question(piece)))
            told.put_nowait(event(question("", references=REFERENCES)))
            told.put_nowait(DONE)
            await expect(chat.badges()).to_have_text(["1", "2"])
            await _shows_the_passage(chat)


async def test_an_answer_without_markers_has_its_documents_below() -> None:
    async with writer_server() as server:
        server.behave = saying(question("Terms are thirty days.", sources=SOURCES))
        async with (
            running(server.source(), bundle=find_bundle()) as authority,
            chatting(authority) as chat,
        ):
            await chat.ask("What are the terms?")
            await expect(chat.bubble("Terms are thirty days.")).to_contain_text("It answered from:")
            await expect(chat.badges()).to_have_text(["1", "2"])
            await expect(chat.references()).to_have_count(2)
            await expect(chat.references().first).to_contain_text("Acme-Product-Catalog.pdf")
            await chat.badges().first.click()
            await expect(chat.passage()).to_contain_text("Precision manufacturing equipment.")
