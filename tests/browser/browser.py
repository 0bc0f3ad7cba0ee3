"""Real Chromium with the page in it, and everything it complained about or asked others for."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, ConsoleMessage, Locator, Page, async_playwright, expect

from .axe import find_faults
from .executable import browser_command

_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
KEEP_SOCKETS = """
    window.sockets = [];
    window.WebSocket = class extends WebSocket {
        constructor(...args) { super(...args); sockets.push(this); }
    };
"""
"""A script that runs in a page before its own: ``window.sockets`` are those that the page has opened."""
PATIENCE = 60_000
"""Milliseconds: a busy machine may be slow to show what is on its way."""
expect.set_options(timeout=PATIENCE)


async def send(box: Locator) -> None:
    """Press Enter in Web Chat's send box until it sends: before it is connected, it keeps what was typed."""
    async with asyncio.timeout(PATIENCE / 1000):
        while await box.input_value():
            await box.press("Enter")  # also where the page has moved the focus meanwhile
            await asyncio.sleep(0.1)


@dataclass
class Chat:
    """The page as a person meets it."""

    page: Page
    authority: str
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    async def ask(self, question: str) -> None:
        box = self.page.get_by_placeholder("Ask a question")
        await box.fill(question)
        await send(box)

    async def conversation(self) -> str:
        """The id of the conversation on the page."""
        kept: dict[str, str] | None = None
        async with asyncio.timeout(60):
            # Under the page's policy, `wait_for_function` fails where it has to look twice.
            while not kept:
                kept = await self.page.evaluate("JSON.parse(sessionStorage.conversation ?? null)")
        return kept["conversationId"]

    def suggestion(self, question: str) -> Locator:
        return self.page.get_by_role("toolbar").get_by_role("button", name=question)

    def bubble(self, words: str) -> Locator:
        """What is on the screen; the same words are also in the live region for screen readers."""
        return self.page.locator(".webchat__bubble__content").filter(has_text=words)

    def badges(self) -> Locator:
        return self.page.locator(".webchat__bubble__content .webchat__render-markdown__pure-identifier")

    def references(self) -> Locator:
        return self.page.locator(".webchat__link-definitions__list-item")

    def passage(self) -> Locator:
        return self.page.locator("dialog[open]")

    async def axe(self) -> list[str]:
        """What axe finds: rule and element."""
        return await find_faults(self.page)


_shared: list[Browser] = []
"""The Chromium that all pages are in, while there is one."""


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """The one that is shared, else one for this block; the contexts that it opens are closed in the end."""
    async with contextlib.AsyncExitStack() as own:
        browser = _shared[0] if _shared else await own.enter_async_context(_launched())
        before = set(browser.contexts)
        try:
            yield browser
        finally:
            for context in set(browser.contexts) - before:
                await context.close()


@contextlib.asynccontextmanager
async def shared_chromium() -> AsyncIterator[None]:
    """In this block :func:`chromium` is always the same: to start one takes longer than most tests."""
    if _shared:
        yield
        return
    async with _launched() as browser:
        _shared.append(browser)
        try:
            yield
        finally:
            _shared.clear()


@contextlib.asynccontextmanager
async def _launched() -> AsyncIterator[Browser]:
    found, needed = await asyncio.to_thread(browser_command)
    environ: dict[str, str | float | bool] = {**os.environ, **needed}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=_FLAGS, env=environ)
        try:
            yield browser
        finally:
            await browser.close()


@contextlib.asynccontextmanager
async def chatting(authority: str, script: str = "", **screen: Any) -> AsyncIterator[Chat]:
    """A page that is open and greeted; ``screen`` are Playwright's context options.

    ``script`` runs in it before anything else does.
    """
    async with chromium() as browser:
        context = await browser.new_context(**screen)
        await context.add_init_script(KEEP_SOCKETS + script)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        chat = Chat(page, authority)

        def note(entry: ConsoleMessage) -> None:
            # Chromium looks for an icon of what is no page of ours, such as /healthz.
            if entry.type == "error" and not entry.location["url"].endswith("/favicon.ico"):
                chat.complaints.append(entry.text)

        page.on("console", note)
        page.on("pageerror", lambda error: chat.complaints.append(str(error)))
        ours = (f"http://{authority}/", f"ws://{authority}/", "data:", "blob:")
        context.on(
            "request", lambda sent: None if sent.url.startswith(ours) else chat.foreign.append(sent.url)
        )
        await page.goto(f"http://{authority}/")
        yield chat
