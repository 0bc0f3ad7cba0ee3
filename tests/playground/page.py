"""The page of the Playground as a person meets it, in real Chromium, where it looks like Teams."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.browser.browser import KEEP_SOCKETS, chromium

from .playground import Playground


@dataclass(frozen=True, slots=True)
class TeamsPage:
    """A conversation in the personal chat."""

    page: Page
    greets: bool = True
    """Whether the bot greets the person."""

    async def ask(self, question: str) -> None:
        """Type the first question, and wait for the answer to it."""
        await self.page.get_by_role("textbox").click()
        await self.page.keyboard.type(question)
        await self.page.keyboard.press("Enter")
        await expect(self.headers()).to_have_count(2 + self.greets, timeout=60_000)

    def headers(self) -> Locator:
        """What stands above each message: who wrote it, whether a model did, how it has to be handled."""
        return self.page.get_by_label("Message header")

    def answer_header(self) -> Locator:
        """The one above the last message of the bot, which is the only one with a name.

        The page shows a person's message when its request is answered. A quick bot's answer comes before that,
        and stands above the question.
        """
        return self.headers().filter(has=self.page.get_by_label("Message author")).last

    async def listens(self) -> None:
        """The page gets what bots send from now on; it never gets what they sent before."""
        await self.page.wait_for_function(
            "sockets.some(one => one.url.includes('_ws_conversation') && one.readyState === WebSocket.OPEN)"
        )

    def badges(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile(r"^[0-9]+$"))

    async def card(self, number: int) -> Locator:
        """What shows when the mouse is over the last badge with this number."""
        await self.page.mouse.move(0, 0)
        card = self.page.get_by_role("dialog", include_hidden=True)
        await expect(card).to_have_count(0, timeout=60_000)
        await self.badges().get_by_text(str(number), exact=True).last.hover()
        await expect(card).to_be_visible(timeout=60_000)
        return card

    async def like(self, comment: str) -> None:
        """Press the thumb below the last message, and say why."""
        await self.page.get_by_role("button", name="Like", exact=True).last.click()
        form = self.page.get_by_role("dialog")
        await form.get_by_role("textbox").fill(comment)
        await form.get_by_role("button", name="Submit").click()
        await expect(form).to_contain_text("Thank you", timeout=60_000)


@contextlib.asynccontextmanager
async def opened(playground: Playground, *, greets: bool = True, **screen: Any) -> AsyncIterator[TeamsPage]:
    """The page once the bot's greeting is on it, if it ``greets``; ``screen`` are Playwright's context options."""
    async with chromium() as browser:
        context = await browser.new_context(**screen)
        # It wants its fonts from a server of Microsoft's.
        await context.route(lambda url: not url.startswith(playground.origin), lambda route: route.abort())
        await context.add_init_script(KEEP_SOCKETS)
        page = await context.new_page()
        page.set_default_timeout(60_000)
        await page.goto(playground.origin)
        teams = TeamsPage(page, greets)
        await teams.listens()
        await expect(teams.headers()).to_have_count(int(greets), timeout=60_000)
        yield teams
