"""How long the first words take from the answer source to the screen, on the local page.

``python -m benchmarks.first_text`` asks the bot in real Chromium. It prints milliseconds from the source's
first ``TextDelta`` to the words in the page, and to the frame that shows them. Both clocks are this
machine's. Needs the packages of the tests.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Final

from playwright.async_api import expect

from bot.config.timeouts import Timeouts
from bot.direct_line.bundle import find_bundle
from bot.sources import AnswerSource
from citations import AnswerEvent, Reference, ReferencesFound, TextDelta
from tests.bot.running import running
from tests.browser.browser import Chat, chatting

RUNS: Final = 20
FOUND: Final = ReferencesFound((Reference(id="1", name="Watering", text="Water it twice a week."),))
# A frame is painted after its animation callbacks; the task after them is the first to run when it is.
WATCH: Final = """
    window.there = {};
    window.painted = {};
    new MutationObserver(() => {
        for (const bubble of document.querySelectorAll(".webchat__render-markdown")) {
            const run = /^Run \\d+/.exec(bubble.textContent)?.[0];
            if (!run || there[run]) continue;
            there[run] = Date.now();
            requestAnimationFrame(() => setTimeout(() => { painted[run] = Date.now(); }));
        }
    }).observe(document, { subtree: true, childList: true, characterData: true });
"""


@dataclass(slots=True)
class TimedSource(AnswerSource):
    """Answers ``Run 3`` with words that name it, after a pause, and keeps when it gave them (ms)."""

    pause: float
    """Seconds until the first text, as a model takes them."""
    title: str = "Plant care"
    given: dict[str, float] = field(default_factory=dict)

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        yield FOUND
        await asyncio.sleep(self.pause)
        self.given[question] = time.time() * 1000
        yield TextDelta(f"{question} says: ")
        for word in "water it twice a week [1].".split():
            await asyncio.sleep(0.05)
            yield TextDelta(f"{word} ")


async def measure(pause: float) -> tuple[list[float], list[float]]:
    """Milliseconds to the words in the page, and to the frame, of each run."""
    source = TimedSource(pause)
    async with (
        running(source, timeouts=Timeouts(), bundle=find_bundle()) as authority,
        chatting(authority, WATCH) as chat,
    ):
        await expect(chat.bubble("Hello")).to_be_visible()
        for run in range(RUNS + 1):
            await _ask(chat, f"Run {run}")
        there = await chat.page.evaluate("there")
        painted = await chat.page.evaluate("painted")
    # The first run fills caches on both sides.
    runs = [f"Run {run}" for run in range(1, RUNS + 1)]
    return [there[run] - source.given[run] for run in runs], [
        painted[run] - source.given[run] for run in runs
    ]


async def _ask(chat: Chat, run: str) -> None:
    # A number alone would ask for the passage of a source.
    await chat.ask(run)
    await expect(chat.bubble(f"{run} says: water it twice a week")).to_be_visible()
    await expect(chat.page.get_by_role("button", name="Stop the answer")).to_be_hidden()


async def main() -> None:
    """Print the table."""
    print("| first text | in the page: median, max | on the screen: median, max |")
    print("|:--|--:|--:|")
    for pause in (0.0, 1.0):
        there, painted = await measure(pause)
        shown = " | ".join(f"{statistics.median(one):.0f} ms, {max(one):.0f} ms" for one in (there, painted))
        print(f"| {'at once' if not pause else f'after {pause:.0f} s'} | {shown} |")


if __name__ == "__main__":
    asyncio.run(main())
