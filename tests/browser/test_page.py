"""A person on the page: asks, checks, leaves and comes back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.async_api import Route, ViewportSize, expect

from bot.direct_line.bundle import CDN, Bundle, find_bundle
from tests.bot.running import running
from tests.bot.table_source import TableSource
from tests.tasks import all_ended

from .browser import Chat, chatting, chromium

WATER = "How often should I water a fern?"
BUNDLE = find_bundle()
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 720}
PHONE: Final[ViewportSize] = {"width": 360, "height": 640}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    write_plants(tmp_path)
    return tmp_path


def write_plants(docs: Path) -> None:
    (docs / "plants.md").write_text("# Ferns\n\nA fern wants moist soil.\n", encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
async def nothing_goes_on() -> AsyncIterator[None]:
    """The browser's connections to the bot that the tests share end with the last of them."""
    async with all_ended():
        yield


@pytest.fixture(scope="module")
async def opened(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Chat]:
    """The page that the tests share: Chromium compiles Web Chat for the first of them only."""
    assert BUNDLE.file, "these tests need the bundle from npm"
    docs = tmp_path_factory.mktemp("docs")
    write_plants(docs)
    async with (
        running(TableSource(), docs=docs, bundle=BUNDLE) as authority,
        chatting(authority) as one,
    ):
        yield one


@pytest.fixture
async def chat(opened: Chat) -> AsyncIterator[Chat]:
    """A new conversation in which nothing is asked of others, and nothing complained of."""
    await begin_again(opened)
    await expect(opened.bubble("Hello")).to_be_visible()
    yield opened
    assert opened.complaints == []
    assert opened.foreign == []


async def begin_again(
    chat: Chat,
    color_scheme: Literal["dark", "light"] = "light",
    reduced_motion: Literal["no-preference", "reduce"] = "no-preference",
    viewport: ViewportSize = DESKTOP,
) -> None:
    """Open the page as one that was never here."""
    # Web Chat keeps nothing once its page has been left.
    await chat.page.goto(f"http://{chat.authority}/healthz")
    await chat.page.evaluate("localStorage.clear(), sessionStorage.clear()")
    await chat.page.context.clear_cookies()
    await chat.page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
    await chat.page.set_viewport_size(viewport)
    chat.complaints.clear()
    chat.foreign.clear()
    await chat.page.goto(f"http://{chat.authority}/")


async def test_what_is_being_asked(chat: Chat) -> None:
    await expect(chat.page).to_have_title("Ask Plant care")
    await expect(chat.page.get_by_role("heading", level=1)).to_have_text("Plant care")
    await expect(chat.page.get_by_text("2 documents", exact=True)).to_be_visible()


async def test_ask_check_and_follow(chat: Chat) -> None:
    await chat.suggestion(WATER).click()
    await expect(chat.bubble("twice a week")).to_be_visible()
    await expect(chat.badges()).to_have_text(["1", "1", "2"])
    await expect(chat.references()).to_have_count(2)
    await expect(chat.references().first).to_contain_text("Watering plants.md, p. 3")
    await chat.badges().first.click()
    await expect(chat.passage()).to_contain_text("Watering plants.md, p. 3")
    await expect(chat.passage()).to_contain_text("A fern wants moist soil: water it twice a week.")
    await expect(chat.passage().get_by_role("link")).to_have_count(1)
    async with chat.page.context.expect_page() as opening:
        await chat.passage().get_by_role("link").click()
    document = await opening.value
    await expect(document.locator("body")).to_contain_text("A fern wants moist soil.")
    await document.close()
    await chat.page.keyboard.press("Escape")
    await expect(chat.passage()).to_have_count(0)
    # The list opens the same passage, and a source with a URL is a link to it.
    await chat.references().first.get_by_role("button").click()
    await expect(chat.passage()).to_contain_text("twice a week")
    await chat.page.keyboard.press("Escape")
    link = chat.references().nth(1).get_by_role("link")
    await expect(link).to_have_attribute("href", "https://example.com/light")


_FIRST_IN_LINE = """
    badges => badges.filter(badge => {
        const texts = document.createTreeWalker(badge.closest("p"), NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        let before = null;
        while (texts.nextNode() && !badge.contains(texts.currentNode)) {
            const end = texts.currentNode.data.trimEnd().replace(/\u200b/g, "").length;
            if (end) { range.setStart(texts.currentNode, end - 1); range.setEnd(texts.currentNode, end); before = range.getBoundingClientRect(); }
        }
        return before.bottom <= badge.getBoundingClientRect().top;
    }).length
"""


async def test_no_badge_begins_a_line(chat: Chat) -> None:
    await chat.ask(WATER)
    await expect(chat.badges()).to_have_text(["1", "1", "2"])
    for width in range(300, 420, 8):
        await chat.page.set_viewport_size({"width": width, "height": 640})
        assert await chat.badges().evaluate_all(_FIRST_IN_LINE) == 0, width
    await chat.badges().nth(1).click()
    await expect(chat.passage()).to_contain_text("twice a week")


async def test_something_else(chat: Chat) -> None:
    await chat.ask("Who won the cup?")
    await expect(chat.bubble("I found nothing about this in your documents.")).to_be_visible()
    await expect(chat.references()).to_have_count(0)


async def test_a_lost_socket_is_regained(chat: Chat) -> None:
    await chat.ask(WATER)
    await expect(chat.bubble("twice a week")).to_be_visible()
    await chat.page.evaluate("sockets.at(-1).close()")
    await chat.ask("Who won the cup?")
    # Microsoft's client waits 3 to 15 s before it connects again.
    await expect(chat.bubble("I found nothing")).to_be_visible(timeout=60_000)
    for words in ("Hello", WATER, "twice a week", "Who won the cup?", "I found nothing"):
        await expect(chat.bubble(words)).to_have_count(1)
    assert await chat.page.evaluate("sockets.length") == 2


async def test_a_reload_takes_the_conversation_up_again(chat: Chat) -> None:
    await chat.ask(WATER)
    await expect(chat.bubble("twice a week")).to_be_visible()
    await chat.page.reload()
    for words in ("Hello", WATER, "twice a week"):
        await expect(chat.bubble(words)).to_have_count(1)
    await chat.ask("Who won the cup?")
    await expect(chat.bubble("I found nothing")).to_be_visible()
    await chat.page.get_by_role("button", name="New conversation").click()
    await expect(chat.bubble("Hello")).to_be_visible()
    await expect(chat.bubble("twice a week")).to_have_count(0)


async def test_an_error_is_one_sentence(chat: Chat) -> None:
    await chat.ask("fail")
    await expect(chat.bubble("I could not reach the place that answers questions.")).to_be_visible()


async def test_by_keyboard_alone(chat: Chat) -> None:
    await chat.page.get_by_placeholder("Ask a question").focus()
    await chat.page.keyboard.type(WATER)
    await chat.page.keyboard.press("Enter")
    await expect(chat.bubble("twice a week")).to_be_visible()
    # As Web Chat tells screen readers: Shift+Tab to the history, Enter into its last message.
    focused = chat.page.locator(":focus")
    for _ in range(2):
        await chat.page.keyboard.press("Shift+Tab")
    await expect(focused).to_contain_text("Water a fern")
    await chat.page.keyboard.press("Enter")
    await expect(focused).to_have_accessible_name("1 Watering plants.md, p. 3")
    await chat.page.keyboard.press("Enter")
    await expect(chat.passage()).to_contain_text("twice a week")
    await chat.page.keyboard.press("Escape")
    await expect(chat.passage()).to_have_count(0)


async def test_colours_are_the_systems_until_chosen(chat: Chat) -> None:
    root = chat.page.locator("html")
    button = chat.page.get_by_role("button", name="Dark colours")
    await expect(root).to_have_attribute("data-theme", "light")
    await chat.page.emulate_media(color_scheme="dark")
    await expect(root).to_have_attribute("data-theme", "dark")
    await expect(button).to_have_attribute("aria-pressed", "true")
    await button.click()
    await expect(root).to_have_attribute("data-theme", "light")
    await chat.page.reload()
    await expect(root).to_have_attribute("data-theme", "light")


SCREENS: list[dict[str, Any]] = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"color_scheme": "light", "viewport": PHONE},
    {"color_scheme": "dark", "viewport": PHONE},
]


@pytest.mark.parametrize("screen", SCREENS, ids=["light", "dark", "light phone", "dark phone"])
async def test_axe_finds_nothing(opened: Chat, screen: dict[str, Any]) -> None:
    await begin_again(opened, reduced_motion="reduce", **screen)
    await expect(opened.suggestion(WATER)).to_be_visible()
    assert await opened.axe() == []
    await opened.suggestion(WATER).click()
    await expect(opened.bubble("twice a week")).to_be_visible()
    assert await opened.axe() == []
    await opened.badges().first.click()
    await expect(opened.passage()).to_be_visible()
    assert await opened.axe() == []
    # Nothing sticks out at the side.
    assert await opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_bot_that_was_started_again_is_noticed(docs: Path) -> None:
    async with contextlib.AsyncExitStack() as page, contextlib.AsyncExitStack() as first:
        authority = await first.enter_async_context(running(TableSource(), docs=docs, bundle=BUNDLE))
        chat = await page.enter_async_context(chatting(authority))
        await expect(chat.bubble("Hello")).to_be_visible()
        await first.aclose()
        port = int(authority.rpartition(":")[2])
        async with running(TableSource(title="Plants again"), docs=docs, bundle=BUNDLE, port=port):
            notice = chat.page.get_by_role("alert").filter(has_text="This conversation has ended")
            await expect(notice).to_be_visible(timeout=60_000)
            await notice.get_by_role("button").click()
            await expect(chat.bubble("Plants again")).to_be_visible()


@pytest.mark.parametrize("genuine", [True, False], ids=["the file that is pinned", "another file"])
async def test_without_the_package_the_cdn_serves_the_pinned_file(docs: Path, genuine: bool) -> None:
    assert BUNDLE.file
    script = BUNDLE.file.read_bytes() + (b"" if genuine else b"//")

    async def cdn(route: Route) -> None:
        await route.fulfill(
            body=script,
            headers={"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript; charset=utf-8"},
        )

    async with running(TableSource(), docs=docs, bundle=Bundle(None)) as authority, chromium() as browser:
        page = await browser.new_page()
        await page.route(CDN, cdn)
        await page.goto(f"http://{authority}/")
        if genuine:
            await expect(page.locator(".webchat__bubble__content").filter(has_text="Hello")).to_be_visible()
        else:
            await expect(page.get_by_role("alert")).to_contain_text("Web Chat could not be loaded")


async def test_what_is_wrong_with_the_model_is_said_until_it_answers(chat: Chat) -> None:
    state = {"model": "m", "model answers": "no: it refuses the key", "model problem": "model_key_refused"}

    async def tell(route: Route) -> None:
        await route.fulfill(json=state)

    await chat.page.route("**/readyz", tell)
    await begin_again(chat)
    status = chat.page.locator("#model")
    await expect(status).to_contain_text("refuses the key")
    assert await chat.axe() == []
    state = {"model": "m", "model answers": "yes"}
    async with chat.page.expect_response("**/readyz"):
        await begin_again(chat)
    await expect(status).to_be_hidden()
    # A key that is refused later is told with the next answer.
    state = {"model": "m", "model answers": "no: it refuses the key", "model problem": "model_key_refused"}
    await chat.ask(WATER)
    await expect(status).to_contain_text("refuses the key")
    await chat.page.unroute("**/readyz")


_LONG_STEP = """async () => {
    const { followStep } = await import("/page/answer.js"), later = setTimeout;
    window.setTimeout = (act, wait) => later(act, wait === 15000 ? 0 : wait);
    followStep({type: "typing", text: "Reading 6 passages …", from: {role: "bot"}, channelData: {streamType: "informative"}});
    window.setTimeout = later;
}"""


async def test_a_step_that_takes_long_says_that_it_goes_on(chat: Chat) -> None:
    await chat.page.evaluate(_LONG_STEP)
    await expect(chat.page.locator("#step")).to_have_text("Reading 6 passages … This takes long; it goes on.")
    await chat.ask(WATER)
    await expect(chat.bubble("twice a week")).to_be_visible()
    await expect(chat.page.locator("#step")).to_have_text("")


async def test_a_page_says_that_it_is_being_opened(chat: Chat) -> None:
    may_begin = asyncio.Event()

    async def hold(route: Route) -> None:
        await may_begin.wait()
        await route.continue_()

    await chat.page.route("**/tokens/generate", hold)
    await begin_again(chat)
    loading = chat.page.get_by_text("Opening the conversation")
    await expect(loading).to_be_visible()
    may_begin.set()
    await expect(chat.bubble("Hello")).to_be_visible()
    await expect(loading).to_be_hidden()
    await chat.page.unroute("**/tokens/generate")
