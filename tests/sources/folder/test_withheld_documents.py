"""What a folder says of documents whose label is above a channel's ceiling, and of rules that reach none."""

from __future__ import annotations

import contextlib
import logging
import unicodedata
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.sources.folder import FolderSource
from bot.sources.permission import EVERYTHING, Permission, place_of
from citations import LabelRanking, RenderingStream, channel
from citations.model import QuestionsSuggested
from tests.bot.person import Person
from tests.bot.running import connecting, running
from tests.retrieval.labelled_documents import ONE, custom, label, word

CATALOGUE = """
default = "general"

[[label]]
id = "general"
name = "General"
priority = 0

[[label]]
id = "confidential"
name = "Confidential"
priority = 1

[ceiling]
sms = "general"

[[rule]]
label = "confidential"
file = "gehälter/*"

[[rule]]
label = "confidential"
file = "bord/*"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a Mac writes it: ``ä`` is two code points."""
    docs = tmp_path / "docs"
    kept = docs / unicodedata.normalize("NFD", "gehälter")
    kept.mkdir(parents=True)
    (docs / "opening.md").write_text(
        "# Opening\n\n## When does the harbour gate open?\n\nThe harbour gate opens at six.\n\n"
        "## What is the password of the harbour gate?\n\nThe password of the harbour gate is swordfish.\n",
        encoding="utf-8",
    )
    (kept / "pay.md").write_text(
        "# Pay\n\n## Why will the xylocanary site be closed in March?\n\n"
        "The Hamburg site will be closed in March 2027 because the lease ends.\n",
        encoding="utf-8",
    )
    return docs


@contextlib.asynccontextmanager
async def opened(docs: Path, tmp_path: Path, catalogue: str = CATALOGUE) -> AsyncIterator[FolderSource]:
    ranking = LabelRanking.from_toml(catalogue)
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache", ranking=ranking)
    await source.open()
    await source.wait_until_read()
    try:
        yield source
    finally:
        await source.close()


async def shown(source: FolderSource, question: str, channel_id: str) -> str:
    stream = RenderingStream(channel(channel_id), ranking=LabelRanking.from_toml(CATALOGUE))
    async for event in source.answer(question):
        stream.feed(event)
    return repr(stream.close())


async def test_a_rule_reaches_a_folder_that_a_mac_has_written(folder: Path, tmp_path: Path) -> None:
    question = "Why will the Hamburg site be closed?"
    async with opened(folder, tmp_path) as source:
        assert "lease ends" not in await shown(source, question, "sms")
        assert "lease ends" in await shown(source, question, "webchat")
        assert "xylocanary" not in await shown(source, question, "sms")
        assert "xylocanary" in await shown(source, question, "webchat")


async def test_nothing_is_suggested_from_what_any_channel_withholds(folder: Path, tmp_path: Path) -> None:
    async with opened(folder, tmp_path) as source:
        assert "xylocanary" not in repr(await source.suggestions())
        for question in ("hello", "Who tamed the zebra of Zanzibar?", "Tell me about the sites in March"):
            events = [event async for event in source.answer(question)]
            suggested = [event for event in events if isinstance(event, QuestionsSuggested)]
            assert "xylocanary" not in repr(suggested)
            assert "“Pay”" not in repr(events)
    async with opened(folder, tmp_path / "2", CATALOGUE.replace('sms = "general"', "")) as source:
        assert "xylocanary" in repr(await source.suggestions())


async def test_a_word_that_only_a_withheld_document_has_is_not_said_beside_an_answer(
    folder: Path, tmp_path: Path
) -> None:
    question = "When does the xylocanery harbour gate open?"
    async with opened(folder, tmp_path) as source:
        assert "Showing “xylocanary”" not in await shown(source, question, "webchat")
        assert "xylocanary" not in await shown(source, question, "sms")
    async with opened(folder, tmp_path / "2", CATALOGUE.replace('sms = "general"', "")) as source:
        assert "Showing “xylocanary”" in await shown(source, question, "webchat")


async def test_a_rule_that_matches_no_document_is_told_with_its_line(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with opened(folder, tmp_path):
            pass
    assert [record.getMessage() for record in caplog.records] == [
        "rule 2 (line 21: file 'bord/*') of the labels file matches no document of the folder"
    ]


@pytest.mark.parametrize("spelt", ["gehälter/", "GEHÄLTER\\", unicodedata.normalize("NFD", "gehälter/")])
async def test_a_policy_that_refuses_by_name(folder: Path, tmp_path: Path, spelt: str) -> None:
    async with opened(folder, tmp_path, CATALOGUE.replace('sms = "general"', "")) as source:
        assert "xylocanary" in repr(await source.suggestions_for(EVERYTHING))
        refusing = Permission(sees=lambda one: not place_of(one).startswith(("x/", spelt)))
        assert "xylocanary" not in repr(await source.suggestions_for(refusing))
        naming = Permission(sees=lambda one: place_of(one) != f"{spelt}Pay.md" and spelt not in place_of(one))
        assert "xylocanary" not in repr(await source.suggestions_for(naming))


COPIES = {
    "a copy": ("zebra.md", "# Zebra\n\nThe vault of the zebra opens at noon.\n"),
    "another format": ("zebra.html", "<h1>Stripes</h1><p>The vault of the zebra opens at noon.</p>"),
    "another title": ("stripes.md", "# Stripes\n\nThe vault of the zebra opens at noon.\n"),
}


@pytest.mark.parametrize(("name", "text"), COPIES.values(), ids=COPIES)
async def test_what_an_open_document_says_too_is_not_withheld(
    name: str, text: str, folder: Path, tmp_path: Path
) -> None:
    (folder / "bord").mkdir()
    (folder / "bord" / "vault zebra.md").write_text(
        "# Vault of the zebra\n\nThe vault of the zebra opens at noon.\n", encoding="utf-8"
    )
    (folder / name).write_text(text, encoding="utf-8")
    async with opened(folder, tmp_path) as source:
        for question in ("When does the vault of the zebra open?", "vault zebra"):
            told = await shown(source, question, "sms")
            assert "noon" in told
            assert "Vault of the zebra" not in told


# What an answer has shown of a document is asked for again, when the document is gone, or has a higher label

GATE = "The password of the harbour gate is swordfish. Nobody may tell the password of the harbour gate."


def remove(file: Path) -> None:
    file.unlink()


def close(file: Path) -> None:
    (file.parent / "bord").mkdir()
    file.rename(file.parent / "bord" / file.name)


def raise_label(file: Path) -> None:
    file.write_bytes(word(GATE, docProps_custom=custom(label(ONE, Enabled="true", Name="Public"))))


@pytest.mark.parametrize("change", [remove, close, raise_label])
async def test_an_answers_passages_are_those_that_may_be_shown_now(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "gate.docx").write_bytes(word(GATE))
    ranking = LabelRanking.from_toml(CATALOGUE.replace("confidential", ONE))
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache", ranking=ranking)
    state = f"sqlite:///{tmp_path / 'state.db'}"
    async with connecting() as connector:
        person = Person(connector, "sms")
        async with running(source, docs=docs, labels=ranking, state=state) as bot:
            assert "swordfish" in await person.write(bot, "What is the password of the harbour gate?")
            assert "swordfish" in await person.write(bot, "1")
            change(docs / "gate.docx")
            await source.look_again()
            for follow_up in ("1", "more", "source 1"):
                reply = await person.write(bot, follow_up)
                assert reply
                assert "swordfish" not in reply
