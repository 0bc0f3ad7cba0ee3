"""Which label a folder's documents have, and what that lets be quoted, named and given to a model."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from bot.retrieval.passages.known_file import UNREADABLE
from bot.sources.folder import FolderSource
from bot.sources.folder.labels import DocumentLabel, FolderLabels
from bot.sources.folder.references import describe_document
from bot.sources.open_ai import OpenAIWriter
from bot.sources.permission import EVERYTHING, Permission, place_of
from citations import LabelRanking, Reference, ReferencesFound, TextDelta
from citations.labels import LabelRule
from tests.concept_embedder import ConceptEmbedder, wait_until_embedded
from tests.model_server import model_server
from tests.retrieval.labelled_documents import ONE, TWO, custom, label, word

RANKING = LabelRanking.from_toml(
    f"""
    default = "general"
    [[label]]
    id = "general"
    name = "General"
    priority = 0
    [[label]]
    id = "{ONE}"
    name = "Internal"
    priority = 1
    [[label]]
    id = "hr"
    name = "HR"
    priority = 2
    [[label]]
    id = "sealed"
    name = "Sealed"
    priority = 3
    encrypted = true
    [[rule]]
    file = "hr/*"
    label = "hr"
    [[rule]]
    file = "*-sealed.md"
    label = "sealed"
    """
)
LABELS: list[tuple[str, tuple[str, ...], DocumentLabel]] = [
    ("a.md", (), DocumentLabel("general")),
    ("a.docx", (ONE,), DocumentLabel(ONE)),
    ("hr/pay.md", (), DocumentLabel("hr")),
    ("HR/2024/pay.md", (), DocumentLabel("hr")),
    ("hr/pay.docx", (ONE,), DocumentLabel("hr")),
    ("a-sealed.md", (), DocumentLabel("sealed", encrypts=True, is_withheld=True)),
    ("threat/a.md", (), DocumentLabel("general")),
    # What the catalogue doesn't know counts as its highest, and keeps its id for the report.
    ("a.docx", (TWO,), DocumentLabel(TWO, encrypts=True, is_withheld=True)),
    ("a.docx", (ONE, TWO), DocumentLabel(TWO, encrypts=True, is_withheld=True)),
    ("a.docx", (UNREADABLE,), DocumentLabel(UNREADABLE, encrypts=True, is_withheld=True)),
]


@pytest.mark.parametrize("base", ["", "http://127.0.0.1:3978/documents/"])
@pytest.mark.parametrize(("path", "own", "found"), LABELS)
def test_the_highest_label_of_rules_and_metadata(
    path: str, own: tuple[str, ...], found: DocumentLabel, base: str
) -> None:
    assert FolderLabels(RANKING).find(describe_document(path, base, None), own) == found


def test_a_guid_is_the_same_in_either_case() -> None:
    upper = LabelRanking.from_toml(f'[[label]]\nid = "{ONE.upper()}"\nname = "A"\npriority = 0')
    assert FolderLabels(upper).find(describe_document("a.docx", "", None), (ONE,)) == DocumentLabel(
        ONE.upper()
    )


def test_without_a_catalogue_a_label_is_its_id() -> None:
    assert FolderLabels(None).find(describe_document("a.docx", "", None), (ONE, TWO)) == DocumentLabel(
        f"{ONE}, {TWO}"
    )
    assert FolderLabels(None).find(describe_document("a.docx", "", None), ()) == DocumentLabel()


@pytest.mark.parametrize("is_elsewhere", [True, False])
async def test_what_a_label_encrypts_is_embedded_on_this_machine_only(
    is_elsewhere: bool, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "open.md").write_text("# Garden\n\nThe garden has a pond.\n", "utf-8")
    (docs / "vault-sealed.md").write_text(
        "# How does the vault open?\n\nThe vault opens with a violin.\n", "utf-8"
    )
    embedder = ConceptEmbedder(is_elsewhere=is_elsewhere)
    source = FolderSource(
        docs, document_base="", cache=tmp_path / "cache", ranking=RANKING, embedder=embedder
    )
    await source.open()
    try:
        await source.wait_until_read()
        await asyncio.to_thread(wait_until_embedded, source._index)
        assert ("violin" in " ".join(embedder.embedded)) is not is_elsewhere
        assert "pond" in " ".join(embedder.embedded)
        assert source.knows_meaning
        text, references = await answered(source, "How does the vault open?")
        assert "violin" not in text
        assert [one.name for one in references] == ["vault-sealed.md"]
    finally:
        await source.close()


async def answered(
    source: FolderSource, question: str, permission: Permission = EVERYTHING
) -> tuple[str, list[Reference]]:
    events = [event async for event in source.answer_for(question, permission)]
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    return text, [one for event in events if isinstance(event, ReferencesFound) for one in event.references]


async def opened(folder: Path, tmp_path: Path, writer: OpenAIWriter | None = None) -> FolderSource:
    source = FolderSource(
        folder,
        document_base="http://127.0.0.1:3978/documents/",
        cache=tmp_path / "cache",
        ranking=RANKING,
        writer=writer,
    )
    await source.open()
    await source.wait_until_read()
    return source


async def test_a_change_of_the_label_alone_is_noticed(folder: Path, tmp_path: Path) -> None:
    """Some tools put the time back, and one label's id is as long as another's."""
    file = folder / "a.docx"
    file.write_bytes(word(docProps_custom=custom(label(ONE, Enabled="true"))))
    written = file.stat()
    source = await opened(folder, tmp_path)
    assert (await answered(source, "What is the yearly limit of travel?"))[1][0].label == ONE
    file.write_bytes(word(docProps_custom=custom(label(TWO, Enabled="true"))))
    assert file.stat().st_size == written.st_size
    os.utime(file, ns=(written.st_atime_ns, written.st_mtime_ns))
    await asyncio.to_thread(source._index.update)
    assert (await answered(source, "What is the yearly limit of travel?"))[1][0].label == TWO
    await source.close()


async def test_no_rule_means_the_number_of_a_passage(folder: Path, tmp_path: Path) -> None:
    (folder / "pay.md").write_text("The salary is paid on the last day.\n", encoding="utf-8")
    (folder / "pay-sealed.md").write_text("The salary band of plovers is nine.\n", encoding="utf-8")
    source = await opened(folder, tmp_path)
    by_number = LabelRanking(labels=RANKING.labels, rules=(LabelRule(label="hr", id="1"),))
    for question, rule in (("When is the salary paid?", "general"), ("Which band have plovers?", "sealed")):
        (reference, *_) = (await answered(source, question))[1]
        assert (reference.id, reference.label) == ("1", rule)
        assert [given.asked for given in by_number.labels_given(reference)] == [rule]
    await source.close()


async def test_what_a_label_encrypts_is_named_and_not_quoted(folder: Path, tmp_path: Path) -> None:
    (folder / "pay-sealed.md").write_text(
        "# Bands\n\nThe salary band of plovers is nine.\n", encoding="utf-8"
    )
    (folder / "pay.md").write_text("# Days\n\nThe salary is paid on the last day.\n", encoding="utf-8")
    source = await opened(folder, tmp_path)
    text, (reference,) = await answered(source, "What is the salary band of plovers?")
    assert text == (
        "I may not quote what answers this, because its sensitivity label encrypts it. Look here:\n\n- pay-sealed.md [1]"
    )
    assert reference.document_url == "http://127.0.0.1:3978/documents/pay-sealed.md"
    assert reference.url == f"{reference.document_url}?view="
    assert (reference.label, reference.text, reference.page) == ("sealed", None, None)
    assert (reference.only_named, reference.extract) == (True, False)
    assert "plovers" not in str(reference)
    assert all("Bands" not in one for one in await source.suggestions())

    text, references = await answered(source, "Is the salary paid on the last day, and what is its band?")
    assert references[0].label == "general"
    assert text.startswith("*Days* [1]\n\n> **The salary is paid on the last day.**")
    assert "nine" not in text

    proven = Permission(extracts=lambda one: place_of(one) == "pay-sealed.md")
    text, references = await answered(source, "What is the salary band of plovers?", proven)
    assert text == "*Bands (pay-sealed.md)* [1]\n\n> **The salary band of plovers is nine.**"
    assert [(one.label, one.extract) for one in references] == [("sealed", True)]
    await source.close()


async def test_a_model_is_not_given_what_a_label_encrypts(folder: Path, tmp_path: Path) -> None:
    (folder / "pay-sealed.md").write_text(
        "# Bands\n\nThe yearly salary of young plovers is nine euros.\n", encoding="utf-8"
    )
    (folder / "pay.md").write_text(
        "# Days\n\nThe yearly salary of young plovers is paid late.\n", encoding="utf-8"
    )
    question = "What is the yearly salary of young plovers?"
    async with model_server() as model:
        source = await opened(folder, tmp_path, model.writer())
        _, references = await answered(source, question)
        assert "paid late" in str(model.bodies)
        assert "nine" not in str(model.bodies)
        assert [one.only_named for one in references] == [False, True]
        await answered(source, question, Permission(extracts=lambda _: True))
        assert "nine" in str(model.bodies)
        await source.close()
