"""The folder as the bot asks it: events, references, greetings, suggestions, changes."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import os
import time
from pathlib import Path

import pytest

from bot.retrieval.index import IndexPart
from bot.sources import AnswerSource
from bot.sources.folder import FolderSource
from citations import (
    Answer,
    AnswerEvent,
    AnswerKind,
    Origin,
    OriginKnown,
    Reference,
    ReferencesFound,
    TextDelta,
    cite,
)
from citations.model import KindKnown, QuestionsSuggested

SAMPLES = Path(__file__).parents[3] / "bot" / "samples"
BASE = "http://localhost:3978/documents/"


def source_of(folder: Path, tmp_path: Path) -> FolderSource:
    return FolderSource(folder, document_base=BASE, cache=tmp_path / "cache")


async def reply(source: AnswerSource, question: str) -> tuple[str, tuple[Reference, ...]]:
    """The text of an answer, with the questions that it suggests, and its references."""
    events: list[AnswerEvent] = [event async for event in source.answer(question)]
    assert [event.origin for event in events if isinstance(event, OriginKnown)] == [
        Origin(slogan="Quoted from your documents", generated=False)
    ]
    text = "".join(text_in(event) for event in events)
    return text, tuple(
        one for event in events if isinstance(event, ReferencesFound) for one in event.references
    )


def text_in(event: AnswerEvent) -> str:
    if isinstance(event, QuestionsSuggested):
        return "".join((f"\n\n{event.title}\n\n", *(f"- {one}\n" for one in event.questions))).rstrip()
    return event.text if isinstance(event, TextDelta) else ""


async def kind_of(source: AnswerSource, question: str) -> AnswerKind | None:
    kinds = [event.kind async for event in source.answer(question) if isinstance(event, KindKnown)]
    assert len(kinds) <= 1
    return next(iter(kinds), None)


async def test_what_waits_for_the_meaning_is_said_below_a_reply_that_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caution = "So far I searched by words"
    source = source_of(SAMPLES, tmp_path)
    await source.open()
    await source.wait_until_read()
    monkeypatch.setattr(IndexPart, "know_meaning", False)
    answered, _ = await reply(source, "What is the hotel limit in London?")
    assert caution not in answered
    nearest, _ = await reply(source, "May I take my laptop to a flight?")
    assert nearest.rpartition("\n\n")[2].startswith(caution)
    nothing, _ = await reply(source, "Who won the world cup in 1998?")
    before, _, questions = nothing.partition("You can ask, for example:")
    assert before.strip().rpartition("\n\n")[2].startswith(caution)
    assert questions.count("\n- ") == 4
    await source.close()


async def test_a_reference_has_all_that_a_reader_needs(folder: Path, tmp_path: Path) -> None:
    name = "Travel mit Platz & [1].md"
    (folder / "sub").mkdir()
    file = folder / "sub" / name
    file.write_text("# Travel\n## Hotels\nThe **limit** is 150 €.\n", encoding="utf-8")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    source = source_of(folder, tmp_path)
    await source.open()
    await source.wait_until_read()
    text, references = await reply(source, "What is the limit for hotels?")
    assert text == "*Travel › Hotels* [1]\n\n> **The limit is 150 €.**"
    digest = hashlib.sha256("The **limit** is 150 €.".encode()).hexdigest()[:8]
    assert references == (
        Reference(
            id="1",
            name="Travel › Hotels",
            text="**The limit is 150 €.**",
            media_type="text/markdown",
            modified=dt.datetime.fromtimestamp(1_700_000_000, dt.UTC).isoformat(),
            document_name="Travel",
            document_url=f"{BASE}sub/Travel%20mit%20Platz%20%26%20%5B1%5D.md?view=19-42-{digest}",
            complete=True,
            ordinal=True,
            aliases=(f"sub/{name}", name),
        ),
    )
    assert source.title == "handbook"
    assert await source.facts() == {"source": "folder", "documents": 1, "passages": 1, "skipped": 0}
    await source.close()


async def test_a_pdf_opens_at_its_page(tmp_path: Path) -> None:
    source = source_of(SAMPLES, tmp_path)
    await source.open()
    await source.wait_until_read()
    _, references = await reply(source, "How do I reset to factory settings?")
    assert (references[0].page, references[0].media_type) == (3, "application/pdf")
    path, _, opened_at = (references[0].document_url or "").partition("?view=")
    assert path == f"{BASE}aurora-user-guide.pdf"
    assert opened_at.endswith("#page=3")
    await source.close()


@pytest.mark.parametrize(
    "sentence",
    ["The limit [1] is 5.", "The limit is [x](https://evil.example) 5.", "The limit ![i](https://e.example/i.png) is 5.", "The limit <b onclick=x>is</b> 5.", "The limit is 5 [1]: https://evil.example"],
)  # fmt: skip
@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
async def test_a_document_can_not_cite_or_link_by_itself(
    sentence: str, suffix: str, folder: Path, tmp_path: Path
) -> None:
    (folder / f"a{suffix}").write_text(sentence, encoding="utf-8")
    source = source_of(folder, tmp_path)
    await source.open()
    await source.wait_until_read()
    text, references = await reply(source, "What is the yearly limit of travel?")
    cited = cite(Answer(text=text, references=references))
    assert len(cited.uses) == len(cited.citations) == 1
    assert text.count("[") == text.count("]") == 1
    assert "<" not in text
    await source.close()


async def test_smalltalk_and_what_is_not_there_get_an_honest_word_and_a_hint(tmp_path: Path) -> None:
    source = source_of(SAMPLES, tmp_path)
    await source.open()
    await source.wait_until_read()
    suggestions = await source.suggestions()
    hint = "\n\nYou can ask, for example:\n\n" + "\n".join(f"- {one}" for one in suggestions)
    assert await reply(source, "Hello!") == (
        "I answer questions from your documents, in their own words, and show where each sentence stands."
        + hint,
        (),
    )
    welcome = "You are welcome. Ask me whenever you want to know something else from your documents."
    assert await reply(source, "Thanks!") == (welcome, ())
    assert await reply(source, "Who won the world cup?") == (
        "Your documents seem not to say this. Not in any document: “world”, “cup”." + hint,
        (),
    )
    await source.close()


GUIDE = """# Guide

## Linux

### Setup

Run the installer and copy the licence file into the home folder.

## Windows

### Setup

Run the installer as an administrator, and choose the licence file in the second dialog.

### Setup of a proxy

The installer asks for the licence file again.
"""


async def test_sections_of_one_name_are_told_apart_by_the_section_above(tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text(GUIDE, encoding="utf-8")
    text, references = await reply(
        source_of(tmp_path, tmp_path), "Where does the installer have its licence file?"
    )
    assert {one.name for one in references} == {
        "Guide › Linux › Setup", "Guide › Windows › Setup", "Guide › Setup of a proxy"
    }  # fmt: skip
    assert {line.rpartition(" ")[0] for line in text.split("\n") if line.startswith("*")} == {
        f"*{one.name}*" for one in references[:3]
    }


async def test_the_same_in_other_words_gets_the_passage(tmp_path: Path) -> None:
    source = source_of(SAMPLES, tmp_path)
    await source.open()
    await source.wait_until_read()
    text, references = await reply(source, "How many days of annual holiday do I get?")
    assert references[0].name == "Leave and holidays › How many days of holiday do I have?"
    assert "**Full-time employees have 30 days of paid holiday a year.**" in text
    await source.close()


async def test_a_folder_of_one_sentence_answers(tmp_path: Path) -> None:
    (tmp_path / "fern").mkdir()
    (tmp_path / "fern" / "fern.txt").write_text("Water a fern twice a week.", encoding="utf-8")
    source = source_of(tmp_path / "fern", tmp_path)
    await source.open()
    await source.wait_until_read()
    text, references = await reply(source, "How often a week should I water a fern?")
    assert text == "*fern.txt* [1]\n\n> **Water a fern twice a week.**"
    assert [one.name for one in references] == ["fern.txt"]
    await source.close()


@pytest.mark.parametrize("question", ["Who wrote Hamlet?", "What does Madagascar measure?"])
async def test_a_name_that_no_document_knows_is_not_answered(question: str, tmp_path: Path) -> None:
    source = source_of(SAMPLES, tmp_path)
    await source.open()
    await source.wait_until_read()
    assert await kind_of(source, question) in {AnswerKind.UNSURE, AnswerKind.NOTHING}
    await source.close()


async def test_every_suggestion_is_answered(tmp_path: Path) -> None:
    source = source_of(SAMPLES, tmp_path)
    await source.open()
    await source.wait_until_read()
    suggestions = await source.suggestions()
    assert 3 <= len(suggestions) <= 4
    for question in suggestions:
        assert await kind_of(source, question) is AnswerKind.ANSWERED
    await source.close()


async def test_an_empty_folder_answers_honestly(folder: Path, tmp_path: Path) -> None:
    source = source_of(folder, tmp_path)
    await source.open()
    await source.wait_until_read()
    assert await source.suggestions() == ()
    assert await reply(source, "What is the yearly limit of travel?") == (
        "There are no documents here that I can read.",
        (),
    )
    await source.close()


async def test_a_file_that_comes_while_it_runs_is_found(folder: Path, tmp_path: Path) -> None:
    source = source_of(folder, tmp_path)
    await source.open()
    await source.wait_until_read()
    for text, answer in (
        ("The yearly limit of travel is 7.", "*new.md* [1]\n\n> **The yearly limit of travel is 7.**"),
        (
            "The yearly limit of travel is now 12.",
            "*new.md* [1]\n\n> **The yearly limit of travel is now 12.**",
        ),
    ):
        (folder / "new.md").write_text(text, encoding="utf-8")
        source._index.progress.interval = 0.0  # as if it had been a while
        assert (await reply(source, "What is the yearly limit of travel?"))[0] == answer
    (folder / "new.md").unlink()
    source._index.progress.interval = 0.0
    assert (await reply(source, "What is the yearly limit of travel?"))[1] == ()
    await source.close()


async def test_the_folder_is_not_looked_at_with_every_question(folder: Path, tmp_path: Path) -> None:
    source = source_of(folder, tmp_path)
    await source.open()
    await source.wait_until_read()
    (folder / "new.md").write_text("The limit is 7.", encoding="utf-8")
    assert (await reply(source, "What is the yearly limit of travel?"))[1] == ()
    await source.close()


async def test_questions_may_come_together(tmp_path: Path) -> None:
    source = source_of(SAMPLES, tmp_path)
    await source.open()
    await source.wait_until_read()
    questions = ["What is the hotel limit in Zurich?", "Who is the finance lead?", "hello"] * 5
    replies = await asyncio.gather(*(reply(source, question) for question in questions))
    assert replies == replies[:3] * 5
    await source.close()


async def test_a_folder_that_is_not_there_can_not_be_opened(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError):
        await source_of(tmp_path / "none", tmp_path).open()


async def test_it_names_what_is_indexed_and_what_is_not(folder: Path, tmp_path: Path) -> None:
    (folder / "train.md").write_text("# Travel by train\nBook it in the portal.", encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"no PDF")
    source = source_of(folder, tmp_path)
    await source.open()
    await source.wait_until_read()
    ((file, reference),) = await source.list_documents()
    assert (file.path, file.size, file.passages) == ("train.md", 40, 1)
    assert (reference.name, reference.label) == ("Travel by train", None)
    assert -1 < time.time() - file.indexed < 300
    assert [(one.path, one.reason) for one in source.report.skipped] == [("broken.pdf", "it is damaged")]
    await source.close()
