"""Each attack in two real builds of Web Chat, without the page's own Content-Security-Policy to help."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from bot.sources.folder import FolderSource
from citations import Answer, CitedAnswer, channel, cite, quote, render
from tests.attacks import ATTACKS, FORMULAS, IN_DOCUMENTS, SOURCES, unsanitized, write_documents

from .builds import BUILDS
from .displayed import damages, displayed, opened_passages
from .posted import BADGE, posted, unprotected

WEB_CHAT = channel("webchat")
_SEQUENCE = f"""
    messages => messages.map(message =>
        [...message.querySelectorAll("annotation, {BADGE}")]
            .map(one => one.textContent.split(/\\s+/).filter(Boolean).join(" ")))
"""

every_build = pytest.mark.parametrize("build", BUILDS)


def rendered(cited: CitedAnswer) -> dict[str, Any]:
    return render(cited, WEB_CHAT).to_activity()


def with_passage(text: str, passage: str) -> CitedAnswer:
    """The answer ``text``, whose first source is ``passage``, which its badge opens."""
    handbook, *others = SOURCES
    return cite(Answer(text=text, references=(replace(handbook, url=None, text=passage), *others)))


def quotation(passage: str) -> CitedAnswer:
    """What a person gets who asks for the passage."""
    return quote(with_passage("It says so [1].", passage).citations[0], WEB_CHAT).cited


@every_build
async def test_no_answer_and_no_passage_does_damage(build: str, tmp_path: Path) -> None:
    async with unprotected(build, tmp_path) as chat:
        texts = [attack.text for attack in ATTACKS.values()]
        messages = await posted(chat, [rendered(with_passage(text, text)) for text in texts])
        assert damages((await displayed(messages, BADGE))[1:]) == {}
        assert damages((await opened_passages(messages, BADGE))[1:], badges=0) == {}
        assert chat.foreign == []
        assert chat.complaints == []


@every_build
async def test_no_quotation_does_damage(build: str, tmp_path: Path) -> None:
    async with unprotected(build, tmp_path) as chat:
        quotations = [rendered(quotation(attack.text)) for attack in ATTACKS.values()]
        messages = await posted(chat, quotations)
        assert damages((await displayed(messages, BADGE))[1:], badges=1) == {}
        assert chat.foreign == []
        assert chat.complaints == []


@every_build
async def test_without_care_they_do_what_is_said_of_them(build: str, tmp_path: Path) -> None:
    async with unprotected(build, tmp_path) as chat:
        texts = [attack.written or attack.text for attack in ATTACKS.values()]
        messages = await posted(chat, [unsanitized(text, passage=text) for text in texts])
        expected = {name: done for name, attack in ATTACKS.items() if (done := getattr(attack, build))}
        answers = (await displayed(messages, BADGE))[1:]
        assert damages(answers) == expected
        passages = (await opened_passages(messages, BADGE))[1:]
        assert markup(damages(passages, badges=0)) == markup(expected)
        # A browser asks for an image once, wherever on the page it is.
        assert set(chat.foreign) == {url for one in answers for url in one.images}


def markup(damages: dict[str, str]) -> dict[str, set[str]]:
    """Of these the damage that a passage can do, which has no badges."""
    found = {name: {"html", "image", "link"}.intersection(words.split()) for name, words in damages.items()}
    return {name: words for name, words in found.items() if words}


@every_build
async def test_no_document_does_damage(build: str, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    write_documents(docs)
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache")
    async with unprotected(build, docs, source) as chat:
        messages = chat.page.locator(".webchat__bubble__content").filter(has=chat.page.locator(BADGE))
        for number, topic in enumerate(IN_DOCUMENTS):
            await chat.ask(f"What is the bonus for {topic}?")
            await expect(messages).to_have_count(2 * number + 1)
            await chat.ask("1")
            await expect(messages).to_have_count(2 * number + 2)
        shown = await displayed(messages, BADGE)
        passages = await opened_passages(messages, BADGE)
        for one in [*shown, *passages]:
            assert (one.links, one.images, one.tags) == ([], [], [])
        names = [one.badges[0] for one in shown]
        assert names == [f"1 The bonus for {topic}" for topic in IN_DOCUMENTS for _ in range(2)]
        assert all("bonus is" in one.words or "Hello" in one.words for one in passages)
        assert chat.foreign == []


async def test_badges_are_behind_formulas(tmp_path: Path) -> None:
    cases = FORMULAS.values()
    async with unprotected("main", tmp_path) as chat:
        messages = await posted(chat, [rendered(cite(one.answer)) for one in cases])
        assert (await messages.evaluate_all(_SEQUENCE))[1:] == [list(one.shown) for one in cases]


async def test_without_care_formulas_swallow_their_badges(tmp_path: Path) -> None:
    cases = FORMULAS.values()
    async with unprotected("main", tmp_path) as chat:
        messages = await posted(chat, [unsanitized(one.text) for one in cases])
        assert (await messages.evaluate_all(_SEQUENCE))[1:] == [list(one.unsanitized) for one in cases]


async def test_where_there_are_no_formulas_all_badges_are_there(tmp_path: Path) -> None:
    cases = FORMULAS.values()
    async with unprotected("stable", tmp_path) as chat:
        messages = await posted(chat, [rendered(cite(one.answer)) for one in cases])
        found = (await messages.evaluate_all(_SEQUENCE))[1:]
        assert found == [[one for one in case.shown if one.isdecimal()] for case in cases]
