"""Take the pictures of docs/doubts.md: ``python -m examples.doubt_pictures``.

An answer with a wrong number: in the real Web Chat, in Microsoft's Agents Playground,
which emulates Teams, and as the text that the bot posts for an SMS. Needs the packages of the tests.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
from collections.abc import AsyncIterator
from typing import Any, Final

from playwright.async_api import FloatRect, Page, expect

from bot.conversation.doubt_options import DoubtOptions
from bot.direct_line.bundle import find_bundle
from citations import Reference, ReferencesFound
from examples.screenshots import DOCS
from tests.bot.running import connecting, message, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.browser.browser import chatting, chromium
from tests.playground.page import opened
from tests.playground.playground import playing

PORT: Final = 39782
SCREEN: Final[dict[str, Any]] = {"viewport": {"width": 640, "height": 420}, "device_scale_factor": 1}
QUESTION: Final = "How long does a refund take?"
ANSWER: Final = (
    "A refund takes **50 working days** [1].\n\nParcels are insured up to 500 € [2]. Orders before noon "
    "leave the warehouse in Berlin the same evening [2]."
)
SAYS: Final = "Source 1 does not say"
FOUND: Final = ReferencesFound(
    (
        Reference(id="1", name="Refunds", text="A refund takes five working days.", complete=True),
        Reference(
            id="2",
            name="Shipping",
            text="Orders before noon leave the warehouse in Berlin the same evening. Insured to 500 €.",
            complete=True,
        ),
    ),
    complete=True,
)
_PHONE: Final = (
    "<body style='margin:0;padding:16px;background:#fff;font:15px system-ui,sans-serif'>"
    "<p style='margin:0;padding:10px 14px;border-radius:16px;background:#e9e9eb;white-space:pre-wrap'>{}</p>"
)


async def main() -> None:
    """Serve the answer and photograph it on each channel."""
    async with _asked() as bot, chatting(bot, reduced_motion="reduce", **SCREEN) as chat:
        await chat.ask(QUESTION)
        await expect(chat.bubble(SAYS)).to_be_visible()
        await _shoot(chat.page, "doubts-webchat")
    async with _asked() as bot, playing("msteams", bot) as playground, opened(playground, **SCREEN) as teams:
        await teams.page.get_by_role("button", name="Toggle Log Panel").click()
        await teams.ask(QUESTION)
        await expect(teams.page.locator("em").filter(has_text="five working days")).to_be_visible()
        # Without the head of its window, whose words don't fit.
        await _shoot(teams.page, "doubts-msteams", clip={"x": 0, "y": 48, "width": 640, "height": 372})
    async with _asked() as bot, connecting() as connector, chromium() as browser:
        await send(bot, message(connector.service_url, QUESTION, channelId="sms"))
        text = (await connector.next())["text"]
        page = await browser.new_page(viewport={"width": 360, "height": 300})
        await page.set_content(_PHONE.format(html.escape(text)))
        await _shoot(page, "doubts-sms")


@contextlib.asynccontextmanager
async def _asked() -> AsyncIterator[str]:
    """A bot that knows the answer."""
    source = ScriptedSource(title="Online shop")
    source.tell(QUESTION, FOUND, ANSWER, None)
    async with running(source, bundle=find_bundle(), port=PORT, doubts=DoubtOptions(marks=True)) as bot:
        yield bot


async def _shoot(page: Page, name: str, clip: FloatRect | None = None) -> None:
    await page.wait_for_timeout(600)  # Web Chat scrolls smoothly
    await page.screenshot(path=DOCS / f"{name}.png", clip=clip)


if __name__ == "__main__":
    asyncio.run(main())
