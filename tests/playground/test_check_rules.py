"""The damage that rules of ``check`` name for Teams, seen in the Playground, and the mended message beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from markdown_it.utils import read_fixture_file
from playwright.async_api import expect

from citations import check
from tests.bot.running import running_app
from tests.bot.table_source import TableSource
from tests.check_corpus import CORPUS, TEAMS, changed
from tests.tasks import all_ended

from .page import TeamsPage, opened
from .playground import Playground, playing

CASES = {title: (changes, shown) for _, title, changes, shown in read_fixture_file(CORPUS / "playground.md")}
MENDED = "Set a proxy {badge 1}, or none {badge 2}. The handbook says where {badge 3}."
_READ = """
    messages => messages.map(message => {
        const said = node => {
            if (node.nodeType === Node.TEXT_NODE) return node.data;
            if (node.localName === "img") return `{image ${node.src}}`;
            const inner = [...node.childNodes].map(said).join("");
            if (node.matches(".fai-Citation")) return `{badge ${inner}}`;
            return node.localName === "a" ? `{link ${inner} to ${node.getAttribute("href")}}` : inner;
        };
        return said(message).replace(/\\s+/g, " ").trim();
    })
"""


@pytest.fixture(scope="module", autouse=True)
async def nothing_goes_on() -> AsyncIterator[None]:
    """What serves the page that the tests share ends with the last of them."""
    async with all_ended():
        yield


@pytest.fixture(scope="module")
async def opened_chat() -> AsyncIterator[tuple[Playground, TeamsPage]]:
    """One start of the Playground for all tests."""
    async with (
        running_app(TableSource()) as (bot, _),
        playing("msteams", bot) as playground,
        opened(playground) as teams,
    ):
        yield playground, teams


async def test_what_each_rule_names_is_done(opened_chat: tuple[Playground, TeamsPage]) -> None:
    playground, teams = opened_chat
    activities = {title: changed(changes, TEAMS) for title, (changes, _) in CASES.items()}
    for title, activity in activities.items():
        assert title.split(":")[0] in {problem.code for problem in check(activity, channel_id="msteams")}, (
            title
        )
    messages = teams.page.locator(".fai-OutputCard")
    greetings = await messages.count()
    statuses = {title: await playground.post(one) for title, one in activities.items()}
    assert set(statuses.values()) == {201, 400}
    assert await playground.post(TEAMS) == 201
    accepted = [title for title, status in statuses.items() if status == 201]
    await expect(messages).to_have_count(greetings + len(accepted) + 1, timeout=60_000)
    *shown, mended = (await messages.evaluate_all(_READ))[greetings:]
    assert mended == MENDED
    found = dict.fromkeys(CASES, "refused") | dict(zip(accepted, shown, strict=True))
    assert found == {title: expected.strip() for title, (_, expected) in CASES.items()}


@pytest.mark.parametrize("url", ["javascript:alert(1)", "/handbook", "file:///C:/handbook.pdf"])
async def test_an_address_is_linked_as_it_is(url: str, opened_chat: tuple[Playground, TeamsPage]) -> None:
    """``citation-address``"""
    playground, teams = opened_chat
    activity = changed(f'message.citation[1].appearance.url = "{url}"', TEAMS)
    assert [problem.code for problem in check(activity, channel_id="msteams")] == ["citation-address"]
    headers = await teams.headers().count()
    assert await playground.post(activity) == 201
    await expect(teams.headers()).to_have_count(headers + 1, timeout=60_000)
    card = await teams.card(2)
    links = await card.evaluate("card => [...card.querySelectorAll('a')].map(a => a.getAttribute('href'))")
    assert url in links
