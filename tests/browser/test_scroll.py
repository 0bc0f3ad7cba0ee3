"""After each answer the question stands at the top, with the beginning of the reply below it."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from playwright.async_api import ViewportSize, expect

from bot.direct_line.bundle import find_bundle
from tests.bot.running import running
from tests.bot.scripted_source import ScriptedSource

from .browser import chatting

SCREENS: Final[dict[str, ViewportSize]] = {
    "desktop": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844},
}
LONG: Final = "\n\n".join(
    f"Ferns like rain and shade, and paragraph {number} says why." for number in range(30)
)
PLACE: Final = """() => {
    const top = document.querySelector("#chat").getBoundingClientRect().top;
    const asked = [...document.querySelectorAll(".webchat__bubble--from-user")].at(-1);
    return asked.getBoundingClientRect().top - top;
}"""


@pytest.mark.parametrize("screen", SCREENS)
async def test_five_long_answers_in_a_row(screen: str) -> None:
    source = ScriptedSource()
    async with (
        running(source, bundle=find_bundle()) as authority,
        chatting(authority, viewport=SCREENS[screen]) as chat,
    ):
        await expect(chat.bubble("Hello")).to_be_visible()
        for number in range(5):
            question = f"Why fern {number}?"
            source.tell(question, f"Answer {number} begins.\n\n", 0.3, LONG, 0.3, "\n\nIt ends.", None)
            await chat.ask(question)
            await expect(chat.bubble("It ends.")).to_have_count(number + 1, timeout=60_000)
            await expect(chat.bubble(f"Answer {number} begins.")).to_be_in_viewport(timeout=60_000)
            # Web Chat scrolls smoothly, on a slow machine for long.
            async with asyncio.timeout(60):
                while not 0 <= await chat.page.evaluate(PLACE) <= 40:
                    await asyncio.sleep(0.1)
        # A person who scrolls is not held.
        await chat.page.keyboard.press("Escape")
        await chat.page.mouse.move(SCREENS[screen]["width"] / 2, SCREENS[screen]["height"] / 2)
        await chat.page.mouse.wheel(0, 4000)
        await expect(chat.bubble("It ends.").last.get_by_text("It ends.")).to_be_in_viewport(timeout=60_000)
        assert chat.complaints == []
