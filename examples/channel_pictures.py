"""Take the pictures of docs/channels.md: ``python -m examples.channel_pictures``.

The answer of :mod:`examples.channels`, in the real Web Chat, and in Microsoft's Agents Playground, which
emulates Teams. Needs the packages of the tests.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Final

from aiohttp import web
from playwright.async_api import FloatRect, Page, expect

from bot.app.application import DELIVERY
from bot.direct_line.bundle import find_bundle
from citations import ReferencesFound
from examples.channels import ANSWER, LABELS, QUESTION
from examples.screenshots import DOCS
from tests.bot.running import running_app
from tests.bot.scripted_source import ScriptedSource
from tests.browser.browser import chatting
from tests.playground.page import opened
from tests.playground.playground import playing

PORT: Final = 39781
SCREEN: Final[dict[str, Any]] = {"viewport": {"width": 800, "height": 560}, "device_scale_factor": 1.5}

GROUP: Final[dict[str, Any]] = {"viewport": {"width": 1300, "height": 560}, "device_scale_factor": 1}


async def main() -> None:
    """Serve the answer and photograph it."""
    async with _asked() as (bot, _), chatting(bot, reduced_motion="reduce", **SCREEN) as chat:
        await expect(chat.bubble("Hello")).to_be_visible()
        await chat.ask(QUESTION)
        await expect(chat.references()).to_have_count(3)
        await _shoot(chat.page, "channel-webchat")
    async with (
        _asked() as (bot, _),
        playing("msteams", bot) as playground,
        opened(playground, **SCREEN) as teams,
    ):
        await teams.page.get_by_role("button", name="Toggle Log Panel").click()
        await teams.ask(QUESTION)
        await teams.card(3)
        # Without the head of its window, whose words don't fit.
        await _shoot(teams.page, "channel-msteams", clip={"x": 0, "y": 48, "width": 800, "height": 312})
    async with (
        _asked(private_in_groups=True) as (bot, _),
        playing("msteams", bot) as playground,
        opened(playground, **GROUP) as teams,
    ):
        await teams.page.get_by_role("treeitem", name="Group Chat").click()
        await playground.ask(QUESTION, where=playground.group, mention=True)
        await _shoot(teams.page, "group-playground")


@contextlib.asynccontextmanager
async def _asked(**settings: bool) -> AsyncIterator[tuple[str, web.Application]]:
    """A bot that knows the answer."""
    source = ScriptedSource(title="Company handbook")
    source.tell(QUESTION, ReferencesFound(ANSWER.references), ANSWER.text, None)
    async with running_app(source, bundle=find_bundle(), port=PORT, **settings) as (bot, app):
        app[DELIVERY].ranking = LABELS
        yield bot, app


async def _shoot(page: Page, name: str, clip: FloatRect | None = None) -> None:
    await page.wait_for_timeout(600)  # Web Chat scrolls smoothly
    await page.screenshot(path=DOCS / f"{name}.png", clip=clip)


if __name__ == "__main__":
    asyncio.run(main())
