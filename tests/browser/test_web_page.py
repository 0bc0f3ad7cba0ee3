"""``examples/web-page`` in Chromium, with tokens of the bot's own route and our own Direct Line service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import FrameLocator, Page, Route, expect

from bot.app.application import DELIVERY
from bot.config.web_chat import WebChatOptions
from bot.direct_line.bundle import CDN, SCRIPT_INTEGRITY, find_bundle
from citations import ReferencesFound
from examples.channels import ANSWER, LABELS, QUESTION
from tests.bot.running import running_app
from tests.bot.scripted_source import ScriptedSource
from tests.ports import free_port
from tests.tasks import all_ended

from .axe import find_faults
from .browser import PATIENCE, chromium, send

FOLDER = Path(__file__).parents[2] / "examples" / "web-page"
ASK = {
    "en": ("Ask a question", "Hello! I answer"),
    "de": ("Stellen Sie eine Frage", "Guten Tag!"),
    "fr": ("Posez une question", "Bonjour"),
    "es": ("Haga una pregunta", "¡Hola!"),
}


@pytest.fixture(scope="module", autouse=True)
async def nothing_goes_on() -> AsyncIterator[None]:
    """The connections of the page that the tests share end with the last of them."""
    async with all_ended():
        yield


@pytest.fixture(scope="module")
async def url() -> AsyncIterator[str]:
    """The bot's own host."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    options = WebChatOptions(secret="the-secret", origins=(url,), direct_line=url)
    source = ScriptedSource(title="Company handbook")
    async with running_app(source, port=port, web_chat=options) as (_, app):
        app[DELIVERY].ranking = LABELS
        for _ in range(2):
            source.tell(QUESTION, ReferencesFound(ANSWER.references), ANSWER.text, None)
        yield url


@pytest.fixture
async def page(url: str) -> AsyncIterator[Page]:
    """An empty page of that host, which has the files of the example at ``/chat/``."""
    bundle = find_bundle().file
    assert bundle, "this test needs the bundle from npm"

    async def serve(route: Route) -> None:
        name = route.request.url.partition("/chat/")[2].partition("?")[0]
        await route.fulfill(path=FOLDER / name, content_type="text/html")

    async def serve_script(route: Route) -> None:
        allowed = {"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript"}
        await route.fulfill(path=bundle, headers=allowed)

    async with chromium() as browser:
        context = await browser.new_context(
            base_url=url, locale="en-US", permissions=["local-network-access"]
        )
        await context.route(f"{url}/chat/*", serve)
        await context.route(CDN, serve_script)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page


async def ask(page: Page | FrameLocator) -> None:
    """Ask the sample question, and see what Web Chat shows of the answer."""
    box = page.get_by_placeholder("Ask a question")
    await box.fill(QUESTION)
    await send(box)
    badges = page.locator(".webchat__bubble__content .webchat__render-markdown__pure-identifier")
    await expect(badges).to_have_text(["1", "1", "2", "3"])
    # Web Chat's style puts brackets around them, and the page's own takes these away.
    await expect(badges.first).to_have_css("content", "none", pseudo="before")
    labels = page.locator(".webchat__link-definitions")
    await expect(labels).to_contain_text("Confidential")


async def test_by_script(page: Page) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for language, (placeholder, words) in ASK.items():
        await page.goto(f"/chat/index.html?lang={language}")
        if language != "en":
            await page.get_by_role("banner").get_by_role("button").click()
        await expect(page.get_by_placeholder(placeholder)).to_be_visible()
        await expect(page.locator(".webchat__bubble__content").first).to_contain_text(words)
        assert await page.evaluate("document.documentElement.lang") == language
    await page.goto("/chat/index.html?lang=en")
    greeting = page.locator(".webchat__bubble__content").first
    # The former conversation stays on the page until the new one is there.
    await greeting.evaluate("element => element.dataset.former = ''")
    await page.get_by_role("button", name="New conversation").click()
    await expect(page.locator("[data-former]")).to_have_count(0)
    await expect(greeting).to_be_visible()
    await ask(page)
    assert await find_faults(page) == []
    await page.reload()
    await expect(page.locator(".webchat__bubble__content").filter(has_text=QUESTION)).to_be_visible()
    passage = page.locator("dialog[open]")
    await page.locator(".webchat__bubble__content button").get_by_text("3").first.click()
    await expect(passage).to_contain_text("Theft is covered if")
    # What the page's buttons look like is nothing for Web Chat's own.
    await expect(passage.get_by_role("button").first).not_to_have_css("padding", "6px 12px")
    assert complaints == []


async def test_in_a_frame(page: Page) -> None:
    await page.goto("/chat/frame.html")
    await ask(page.frame_locator("iframe"))


async def test_a_route_of_ones_own_gives_a_new_conversation_at_each_reload(page: Page) -> None:
    """docs/web-page.md § "With your site's own sign-in": that route renews no token."""

    async def without_authorization(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "authorization"}
        await route.continue_(headers=headers)

    await page.route("**/webchat/token", without_authorization)
    for _ in range(2):
        await page.goto("/chat/index.html?lang=en")
        await expect(page.locator(".webchat__bubble__content").first).to_contain_text(ASK["en"][1])
        await expect(page.get_by_role("alert").filter(has_text="ended")).to_be_hidden()


async def test_where_there_is_no_token(page: Page) -> None:
    await page.route("**/webchat/token", lambda route: route.fulfill(status=502, body="{}"))
    await page.goto("/chat/index.html?lang=de")
    notice = page.get_by_role("alert").filter(has_text="Der Chat ist gerade nicht erreichbar.")
    await expect(notice).to_be_visible()
    await page.unroute("**/webchat/token")
    await notice.get_by_role("button", name="Noch einmal versuchen").click()
    await expect(page.get_by_placeholder(ASK["de"][0])).to_be_visible()
    await expect(notice).to_be_hidden()


def test_the_script_is_pinned() -> None:
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    assert CDN in text
    assert SCRIPT_INTEGRITY in text
