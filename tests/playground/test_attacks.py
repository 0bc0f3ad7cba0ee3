"""Each attack where the Playground looks like Teams: nothing is asked of others, and nothing leads to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Locator, expect

from bot.sources.folder import FolderSource
from citations import Answer, channel, cite, quote, render
from tests.attacks import ATTACKS, FORMULAS, IN_DOCUMENTS, SOURCES, unsanitized, write_documents
from tests.bot.running import running_app
from tests.browser.displayed import Displayed, damages, displayed
from tests.tasks import all_ended

from .page import TeamsPage, opened
from .playground import Playground, playing

TEAMS = channel("msteams")


@dataclass(frozen=True, slots=True)
class Chat:
    """The personal chat, and the images that its page asked other hosts for."""

    playground: Playground
    teams: TeamsPage
    foreign: list[str] = field(default_factory=list)

    async def empty(self) -> None:
        """Load the page again, which then has no message; it draws all messages again for each."""
        await self.teams.page.reload()
        await self.teams.listens()
        await expect(self.messages()).to_have_count(0, timeout=60_000)

    def messages(self) -> Locator:
        return self.teams.page.locator(".fai-OutputCard")

    async def posted(self, activities: Sequence[dict[str, Any]]) -> list[Displayed]:
        """What is displayed of each of these, once they are all there."""
        await self.empty()
        for activity in activities:
            assert await self.playground.post(activity) == 201
        await expect(self.messages()).to_have_count(len(activities), timeout=60_000)
        return await displayed(self.messages(), ".fai-Citation")


@pytest.fixture(scope="module", autouse=True)
async def nothing_goes_on() -> AsyncIterator[None]:
    """What serves the page that the tests share ends with the last of them."""
    async with all_ended():
        yield


@pytest.fixture(scope="module")
async def opened_chat(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Chat]:
    """One start of the Playground for all tests, with a bot that answers from hostile documents."""
    docs, cache = tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("cache")
    write_documents(docs)
    async with (
        running_app(FolderSource(docs, document_base="", cache=cache)) as (bot, _),
        playing("msteams", bot) as playground,
        opened(playground) as teams,
    ):
        chat = Chat(playground, teams)

        def note(url: str) -> None:
            # The page itself wants Microsoft's fonts and animations.
            host = urlsplit(url).hostname or ""
            if not (url.startswith(playground.origin) or host.endswith("office.net")):
                chat.foreign.append(url)

        teams.page.context.on("request", lambda request: note(request.url))
        yield chat


@pytest.fixture
def chat(opened_chat: Chat) -> Chat:
    opened_chat.foreign.clear()
    return opened_chat


def rendered(answer: Answer) -> dict[str, Any]:
    return render(cite(answer), TEAMS).to_activity()


def quoted(passage: str) -> dict[str, Any]:
    """What a person gets who asks for the passage."""
    source = replace(SOURCES[0], text=passage)
    citation = cite(Answer(text="It says so [1].", references=(source,))).citations[0]
    return render(quote(citation, TEAMS).cited, TEAMS).to_activity()


async def test_no_document_does_damage(chat: Chat) -> None:
    await chat.empty()
    messages = chat.messages().filter(has=chat.teams.badges())
    for number, topic in enumerate(IN_DOCUMENTS):
        await chat.playground.ask(f"What is the bonus for {topic}?")
        await chat.playground.ask("1")
        await expect(messages).to_have_count(2 * number + 2, timeout=60_000)
    for one in await displayed(messages, ".fai-Citation"):
        assert (one.links, one.images, one.tags) == ([], [], [])
    assert chat.foreign == []


async def test_no_answer_and_no_quotation_does_damage(chat: Chat) -> None:
    answers = await chat.posted([rendered(attack.answer) for attack in ATTACKS.values()])
    assert damages(answers) == {}
    quotations = await chat.posted([quoted(attack.text) for attack in ATTACKS.values()])
    assert damages(quotations, badges=1) == {}
    formulas = await chat.posted([rendered(one.answer) for one in FORMULAS.values()])
    assert [len(one.badges) for one in formulas] == [3] * len(FORMULAS)
    assert chat.foreign == []


async def test_without_care_they_do_what_is_said_of_them(chat: Chat) -> None:
    """This one is the last, since an image that is in Chromium's cache is not asked for again."""
    texts = [attack.written or attack.text for attack in ATTACKS.values()]
    answers = await chat.posted([unsanitized(text, definitions=False) for text in texts])
    expected = {name: attack.playground for name, attack in ATTACKS.items() if attack.playground}
    assert damages(answers) == expected
    assert set(chat.foreign) == {url for one in answers for url in one.images}
