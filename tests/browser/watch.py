"""Every state that the bot's bubbles were in, and everything that was read out to screen readers."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import Page

# A MutationObserver hears of each change before the next frame is painted: it misses no state that
# a person could have seen. The transcript is where bubbles are; the live region is what is read out.
WATCH = """
    window.states = [];
    window.readOut = [];
    const prose = body => {
        const copy = body.cloneNode(true);
        copy.querySelectorAll("code").forEach(code => { code.textContent = "…"; });
        return copy.textContent;
    };
    const badge = one => ({
        number: one.textContent, name: one.getAttribute("aria-label") || "", to: one.getAttribute("href") || one.value || "",
    });
    const bubble = content => ({
        text: [...content.querySelectorAll(".webchat__render-markdown")].map(body => body.textContent).join(""),
        prose: [...content.querySelectorAll(".webchat__render-markdown")].map(prose).join(""),
        badges: [...content.querySelectorAll(".webchat__render-markdown__pure-identifier")].map(badge),
        rows: [...content.querySelectorAll(".webchat__link-definitions__list-item-text")].map(row => row.textContent),
    });
    const look = () => {
        const bot = ".webchat__stacked-layout:not(.webchat__stacked-layout--from-user) .webchat__bubble__content";
        const bubbles = [...document.querySelectorAll(bot)].map(bubble);
        if (JSON.stringify(bubbles) !== JSON.stringify(states.at(-1)?.bubbles)) states.push({ at: performance.now(), bubbles });
    };
    const listen = changes => changes.forEach(({ addedNodes, target }) => {
        if (target.closest?.(".webchat__live-region-transcript")) addedNodes.forEach(node => readOut.push(node.textContent));
    });
    new MutationObserver(changes => { look(); listen(changes); })
        .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge in the text: its number, its accessible name, and the URL or passage that it leads to."""

    number: str
    name: str
    to: str


@dataclass(frozen=True, slots=True)
class Bubble:
    """What one bubble showed: its text, the same with ``…`` for code, its badges, its list of sources."""

    text: str
    prose: str
    badges: tuple[Badge, ...]
    rows: tuple[str, ...]


async def states(page: Page) -> list[tuple[Bubble, ...]]:
    """The bot's bubbles after each change of the page, in order, without repetitions."""
    found = await page.evaluate("states.map(state => state.bubbles)")
    return [
        tuple(
            Bubble(
                one["text"],
                one["prose"],
                tuple(Badge(**badge) for badge in one["badges"]),
                tuple(one["rows"]),
            )
            for one in bubbles
        )
        for bubbles in found
    ]


async def read_out(page: Page) -> list[str]:
    """What was put into the transcript's live region, in order."""
    found: list[str] = await page.evaluate("readOut")
    return found


# Ids are drawn anew for each bubble, and the time of day is that of sending.
_PLAIN = """
    (bubbles, index) => {
        const copy = bubbles.at(index).cloneNode(true);
        for (const one of [copy, ...copy.querySelectorAll("*")])
            for (const { name, value } of [...one.attributes])
                if (/^(id|for|aria-(labelledby|describedby|controls))$/.test(name)) one.setAttribute(name, "");
        return copy.outerHTML;
    }
"""


async def dom(page: Page, index: int) -> str:
    """The structure, text and attributes of the bot's bubble of this index, but for the ids."""
    bot = ".webchat__stacked-layout:not(.webchat__stacked-layout--from-user) .webchat__bubble__content"
    html: str = await page.locator(bot).evaluate_all(_PLAIN, index)
    return html
