"""Take the pictures of docs/: ``python -m examples.screenshots`` writes ``docs/*.png`` and ``docs/ask.gif``.

The sample documents are asked, in real Chromium. Needs the packages of the tests.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.async_api import Locator, Page, expect

from bot.app.answer_source import choose
from bot.app.settings import SAMPLES, Settings
from bot.direct_line.bundle import find_bundle
from bot.document_view.pdf_library import PdfLibrary
from citations import Reference, ReferencesFound
from tests.bot.running import running
from tests.browser.browser import Chat, chatting
from tests.browser.paced_source import PacedSource

DOCS: Final = Path(__file__).parents[1] / "docs"
WIDE: Final[dict[str, Any]] = {"viewport": {"width": 1000, "height": 720}, "device_scale_factor": 1.5}
PANEL: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 760}, "device_scale_factor": 1.5}
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 760},
    "device_scale_factor": 2,
    "has_touch": True,
}
MOVING: Final[dict[str, Any]] = {"viewport": {"width": 1120, "height": 620}}
PORT: Final = 39780
LAPTOP: Final = "When must I report a lost laptop to the security desk?"
_BADGE: Final = ".webchat__render-markdown__pure-identifier"
RESET: Final = "How do I reset to factory settings?"
TRIP: Final = "Who approves a trip?"
TABLE: Final = "What is the hotel limit in London?"
GERMAN: Final = "Wie oft darf ich im Homeoffice arbeiten?"
CUP: Final = "Wer hat 1998 die Weltmeisterschaft gewonnen?"
FOUND: Final = ReferencesFound(
    (
        Reference(id="1", name="security-guide.md", text="Report it to the security desk."),
        Reference(id="2", name="IT service desk", url="https://example.com/service-desk"),
    )
)
WRITTEN: Final = (
    "Report it **within the hour** [1]:\n\n"
    "1. call the security desk on extension 4400 [1];\n"
    "2. ask the service desk to lock your account [2];\n"
    "3. write down where you saw it last, and wh"
)


async def main() -> None:
    """Serve the samples and photograph each view."""
    DOCS.mkdir(exist_ok=True)
    settings = Settings.from_env({})
    source = choose(settings, f"127.0.0.1:{PORT}")
    pdf = PdfLibrary()
    pdf.load()
    served = running(source, bundle=find_bundle(), pdf=pdf, port=PORT, labels=settings.labels)
    async with served as authority:
        async with _open(authority, "light", WIDE) as chat:
            await _conversation(chat)
        async with _open(authority, "light", MOVING) as chat:
            await _move(chat)
        async with _open(authority, "light", PANEL) as chat:
            await expect(_offered(chat).first).to_be_visible()
            await expect(chat.page.get_by_role("link", name="Travel policy")).to_be_visible()
            await _shoot(chat.page, "documents")
            await _answer(chat, TABLE, "190")
            await chat.badges().first.click()
            await expect(chat.page.frame_locator("#source iframe").locator("#cited")).to_be_in_viewport()
            await _shoot(chat.page, "source")
        async with _open(authority, "dark", WIDE) as chat:
            await _answer(chat, TABLE, "190")
            await _passage(chat)
            await _shoot(chat.page, "dark-passage")
            await chat.page.keyboard.press("Escape")
            await _answer(chat, RESET, "fifteen seconds")
            await _document(chat, "dark-document")
        async with _open(authority, "light", PHONE) as chat:
            await _answer(chat, LAPTOP, "security desk")
            await _shoot(chat.page, "phone-answer")
            await _document(chat, "phone-document")
    for scheme, name in (("light", "streaming"), ("dark", "stopped")):
        await _streamed(scheme, name)
    await _in_german()


async def _streamed(scheme: str, name: str) -> None:
    """The middle of an answer that a model writes, and what is left of one when it is stopped."""
    source = PacedSource(title="Company handbook")
    async with (
        running(source, bundle=find_bundle(), port=PORT) as authority,
        _open(authority, scheme, WIDE) as chat,
    ):
        await chat.ask(LAPTOP)
        source.say(FOUND, WRITTEN)
        await expect(chat.bubble("where you saw it")).to_be_visible()
        stop = chat.page.get_by_role("button", name="Stop the answer")
        if name == "stopped":
            await stop.click()
            await expect(stop).to_be_hidden()
        await _shoot(chat.page, name)


async def _in_german() -> None:
    """A German document, in a browser that speaks German."""
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "Personalhandbuch"
        docs.mkdir()
        shutil.copy(SAMPLES / "arbeitszeit-und-homeoffice.md", docs)
        settings = Settings.from_env({"DOCS_DIR": str(docs)})
        source = choose(settings, f"127.0.0.1:{PORT}")
        async with (
            running(source, docs=docs, bundle=find_bundle(), port=PORT) as authority,
            chatting(
                authority,
                color_scheme="light",
                reduced_motion="reduce",
                locale="de-DE",
                timezone_id="Europe/Berlin",
                **WIDE,
            ) as chat,
        ):
            await expect(chat.bubble("Guten Tag!")).to_be_visible()
            for question, words in ((GERMAN, "drei Tage pro Woche"), (CUP, "sagen das anscheinend nicht")):
                await chat.page.get_by_role("textbox").fill(question)
                await chat.page.keyboard.press("Enter")
                await expect(chat.bubble(words)).to_be_visible()
            await _shoot(chat.page, "answer-de")


async def _conversation(chat: Chat) -> None:
    await expect(_offered(chat).first).to_be_visible()
    await _shoot(chat.page, "welcome")
    await _answer(chat, LAPTOP, "security desk")
    await _shoot(chat.page, "answer")
    await _passage(chat)
    await _shoot(chat.page, "passage")
    await chat.page.keyboard.press("Escape")
    await _document(chat, "document")
    await _answer(chat, "May I take my work laptop abroad?", "nearest passages")
    await _shoot(chat.page, "unsure")
    await chat.ask("Who won the world cup in 1998?")
    await expect(chat.bubble("seem not to say")).to_be_visible()
    await _shoot(chat.page, "off-topic")
    await chat.page.evaluate("sockets.at(-1).close()")
    await chat.ask("What does Aurora 3 measure?")
    await expect(chat.page.get_by_text("Sending", exact=True).last).to_be_visible()
    await _shoot(chat.page, "socket-lost")
    await expect(chat.bubble("carbon dioxide")).to_be_visible(timeout=30_000)
    await _shoot(chat.page, "socket-regained")


@contextlib.asynccontextmanager
async def _open(authority: str, scheme: str, screen: dict[str, Any]) -> AsyncIterator[Chat]:
    async with chatting(authority, color_scheme=scheme, reduced_motion="reduce", **screen) as chat:
        await expect(chat.bubble("Hello")).to_be_visible()
        yield chat


def _offered(chat: Chat) -> Locator:
    """The questions that the page shows before the first one."""
    return chat.page.get_by_role("region", name="What you can ask").get_by_role("button")


async def _answer(chat: Chat, question: str, words: str) -> None:
    await chat.ask(question)
    # The question may have the words, too.
    await expect(chat.bubble(words).filter(has=chat.page.locator(_BADGE)).last).to_be_visible()


async def _passage(chat: Chat, number: int = 1) -> None:
    """The passage of a badge of the last answer."""
    badge = chat.page.locator(_BADGE, has_text=str(number))
    answer = chat.page.locator(".webchat__bubble__content").filter(has=badge).last
    await answer.locator(badge).first.click()
    await expect(chat.passage()).to_be_visible()


async def _document(chat: Chat, name: str, number: int = 1) -> None:
    """The document of a badge of the last answer, opened at the cited sentence."""
    await _passage(chat, number)
    async with chat.page.context.expect_page() as opening:
        await chat.passage().get_by_role("link").last.click()
    document = await opening.value
    await expect(document.locator("#cited")).to_be_in_viewport()
    await _shoot(document, name)
    await document.close()
    await chat.page.keyboard.press("Escape")


async def _move(chat: Chat) -> None:
    """A question, its answer, a badge, and the sentence that it leads to beside the answer."""
    page, frames = chat.page, list[tuple[Image.Image, int]]()

    async def take(milliseconds: int) -> None:
        frames.append((Image.open(io.BytesIO(await page.screenshot())).convert("RGB"), milliseconds))

    await expect(_offered(chat).first).to_be_visible()
    await page.wait_for_timeout(1500)  # until Web Chat no longer says that it connects
    await take(1200)
    box = page.get_by_placeholder("Ask a question")
    words = TRIP.split()
    for count in range(1, len(words) + 1):
        await box.fill(" ".join(words[:count]))
        await take(250)
    await box.press("Enter")
    await expect(chat.bubble("Your team lead")).to_be_visible()
    await page.wait_for_timeout(600)  # Web Chat scrolls smoothly
    await take(3000)
    badge = chat.badges().first
    await badge.hover()
    await take(900)
    await badge.click()
    await expect(page.frame_locator("#source iframe").locator("#cited")).to_be_in_viewport()
    await page.wait_for_timeout(600)
    await take(5000)
    # One palette for all frames, so that what stays is stored once.
    palette = frames[-1][0].quantize(128, Image.Quantize.MAXCOVERAGE)
    first, *others = (one.quantize(palette=palette, dither=Image.Dither.NONE) for one, _ in frames)
    durations = [milliseconds for _, milliseconds in frames]
    first.save(
        DOCS / "ask.gif", save_all=True, append_images=others, duration=durations, loop=0, optimize=True
    )


async def _shoot(page: Page, name: str) -> None:
    await page.mouse.move(0, 0)
    await page.wait_for_timeout(600)  # Web Chat scrolls smoothly
    picture = Image.open(io.BytesIO(await page.screenshot()))
    # A screen has few colours; a palette makes the file a third as large.
    picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        DOCS / f"{name}.png", optimize=True
    )


if __name__ == "__main__":
    asyncio.run(main())
