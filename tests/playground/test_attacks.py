"""Each attack where the Playground looks like Teams: nothing is asked of others, and nothing leads to them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import expect

from bot.sources import AnswerSource
from bot.sources.folder import FolderSource
from citations import Answer, channel, cite, quote, render
from tests.attacks import ATTACKS, FORMULAS, IN_DOCUMENTS, SOURCES, unsanitized, write_documents
from tests.bot.running import running_app
from tests.bot.told_source import ToldSource
from tests.browser.displayed import Displayed, damages, displayed

from .page import TeamsPage, opened
from .playground import Playground, playing

TEAMS = channel("msteams")


@dataclass(frozen=True, slots=True)
class Chat:
    """The personal chat, and the images that its page asked other hosts for."""

    playground: Playground
    teams: TeamsPage
    foreign: list[str] = field(default_factory=list)

    async def posted(self, activities: Sequence[dict[str, Any]]) -> list[Displayed]:
        """What is displayed of each of these, once they are all there."""
        messages = self.teams.page.locator(".fai-OutputCard")
        before = await messages.count()
        for activity in activities:
            assert await self.playground.post(activity) == 201
        await expect(messages).to_have_count(before + len(activities), timeout=60_000)
        return (await displayed(messages, ".fai-Citation"))[before:]


@contextlib.asynccontextmanager
async def chatting(source: AnswerSource | None = None) -> AsyncIterator[Chat]:
    async with (
        running_app(source or ToldSource()) as (bot, _),
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


def rendered(answer: Answer) -> dict[str, Any]:
    return render(cite(answer), TEAMS).to_activity()


def quoted(passage: str) -> dict[str, Any]:
    """What a person gets who asks for the passage."""
    source = replace(SOURCES[0], text=passage)
    citation = cite(Answer(text="It says so [1].", references=(source,))).citations[0]
    return render(quote(citation, TEAMS).cited, TEAMS).to_activity()


async def test_no_answer_and_no_quotation_does_damage() -> None:
    async with chatting() as chat:
        answers = await chat.posted([rendered(attack.answer) for attack in ATTACKS.values()])
        assert damages(answers) == {}
        quotations = await chat.posted([quoted(attack.text) for attack in ATTACKS.values()])
        assert damages(quotations, badges=1) == {}
        formulas = await chat.posted([rendered(one.answer) for one in FORMULAS.values()])
        assert [len(one.badges) for one in formulas] == [3] * len(FORMULAS)
        assert chat.foreign == []


async def test_without_care_they_do_what_is_said_of_them() -> None:
    async with chatting() as chat:
        texts = [attack.written or attack.text for attack in ATTACKS.values()]
        answers = await chat.posted([unsanitized(text, definitions=False) for text in texts])
        expected = {name: attack.playground for name, attack in ATTACKS.items() if attack.playground}
        assert damages(answers) == expected
        assert set(chat.foreign) == {url for one in answers for url in one.images}


async def test_no_document_does_damage(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    write_documents(docs)
    async with chatting(FolderSource(docs, document_base="", cache=tmp_path / "cache")) as chat:
        messages = chat.teams.page.locator(".fai-OutputCard").filter(has=chat.teams.badges())
        for number, topic in enumerate(IN_DOCUMENTS):
            await chat.playground.ask(f"What is the bonus for {topic}?")
            await chat.playground.ask("1")
            await expect(messages).to_have_count(2 * number + 2, timeout=60_000)
        for one in await displayed(messages, ".fai-Citation"):
            assert (one.links, one.images, one.tags) == ([], [], [])
        assert chat.foreign == []
