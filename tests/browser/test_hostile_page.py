"""The hostile corpus in the real Web Chat, without the page's own Content-Security-Policy to help."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.direct_line.bundle import find_bundle
from citations import AnswerEvent, Reference, ReferencesFound, TextDelta
from tests.bot.running import running
from tests.bot.table_source import TableSource
from tests.test_hostile import ANSWERS, GOOD

from .browser import chatting

CASES = list(ANSWERS.items())


class HostileSource(TableSource):
    """Answers ``7`` with the hostile answer of that number, and ``p7`` with it as a passage."""

    async def answer(self, question: str) -> AsyncIterator[AnswerEvent]:
        text = CASES[int(question[1:])][1]
        if question.startswith("p"):
            yield ReferencesFound((Reference(id="1", name=text, text=text),))
            yield TextDelta("See [1].")
        else:
            yield ReferencesFound((Reference(id="1", name="Good doc", url=GOOD),))
            yield TextDelta(text)


@pytest.mark.parametrize("passage", [False, True], ids=["answers", "passages"])
async def test_nothing_is_loaded_and_nothing_leads_elsewhere(tmp_path: Path, passage: bool) -> None:
    bundle = find_bundle()
    assert bundle.file, "this test needs the bundle from npm"
    source = HostileSource()
    async with (
        running(source, docs=tmp_path, bundle=bundle) as authority,
        chatting(authority, bypass_csp=True) as chat,
    ):
        await expect(chat.bubble("Hello")).to_be_visible()
        shown = chat.page.locator(".webchat__render-markdown")
        before = await shown.count()
        for number, (title, text) in enumerate(CASES):
            await chat.ask(f"{'p' if passage else 'a'}{number}")
            await expect(shown).to_have_count(before + number + 1)
            bubble = shown.last
            if passage:
                await bubble.get_by_role("button").click()
                bubble = chat.passage()
                await expect(bubble).to_be_visible()
            links = await bubble.locator("a").evaluate_all("found => found.map(one => one.href)")
            assert set(links) <= ({GOOD} if not passage else set()), title
            assert await bubble.locator("iframe, script, object, embed, form, input").count() == 0, title
            # Web Chat's own icon of a link that opens a window is an image, and in the page already.
            images = await bubble.locator("img").evaluate_all("found => found.map(one => one.src)")
            assert all(image.startswith("data:") for image in images), title
            if passage:
                await chat.page.keyboard.press("Escape")
            elif "[1]" in text.replace("see [1]", ""):
                badge = bubble.locator(".webchat__render-markdown__pure-identifier")
                assert await badge.count() >= 1, title
        rows = await chat.references().locator("a").evaluate_all("found => found.map(one => one.href)")
        assert set(rows) <= {GOOD}
        assert chat.foreign == []
        assert chat.complaints == []
