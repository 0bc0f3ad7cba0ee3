"""A page without our Content-Security-Policy to help, and activities that are posted to it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, expect

from bot.sources import AnswerSource
from tests.bot.direct_line_client import post_as_bot
from tests.bot.running import running
from tests.bot.table_source import TableSource

from .browser import Chat, chatting
from .builds import BUILDS

BADGE = ".webchat__render-markdown__pure-identifier"


@contextlib.asynccontextmanager
async def unprotected(build: str, docs: Path, source: AnswerSource | None = None) -> AsyncIterator[Chat]:
    """A conversation on a page without our policy, in this build of Web Chat."""
    bundle = BUILDS[build]()
    assert bundle.file, "these tests need the bundle from npm"
    async with (
        running(source or TableSource(), docs=docs, bundle=bundle) as authority,
        chatting(authority, bypass_csp=True, reduced_motion="reduce") as chat,
    ):
        await expect(chat.bubble("Hello")).to_be_visible()
        yield chat


async def posted(chat: Chat, activities: Sequence[dict[str, Any]]) -> Locator:
    """The messages on the screen, of which the first is the greeting, once these are there."""
    conversation = await chat.conversation()
    for activity in activities:
        await post_as_bot(chat.authority, conversation, activity)
    messages = chat.page.locator(".webchat__bubble__content")
    await expect(messages).to_have_count(1 + len(activities), timeout=60_000)
    return messages
