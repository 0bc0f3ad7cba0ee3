"""Nothing above a channel's ceiling leaves, in any byte: the words of a document are looked for in all of them.

What may stay is in docs/labels.md: the document's title and the name of its file, where an answer was made
with it. A heading, a cell and the name of a sheet are content.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from urllib.parse import quote

import aiohttp
import pytest

from bot.config.timeouts import Timeouts
from bot.sources import AnswerSource
from bot.sources.errors import SourceBrokeOff
from bot.sources.folder import FolderSource
from citations import (
    AnswerEvent,
    LabelRanking,
    OriginKnown,
    QueryKnown,
    Reference,
    ReferencesFound,
    SourceCode,
    SpanFound,
    TextDelta,
    TextReplaced,
)
from citations.channels import channel_ids
from citations.model import Origin, QuestionsSuggested

from ..retrieval.labelled_documents import ONE, custom, label, word
from ..retrieval.office_files import workbook
from .running import connecting, logged, message, running, send
from .table_source import TableSource

CONTENT = ("xylopassage", "xyloheading", "xyloquestion", "xylocell", "xylosheet", "xylorow")
NAMES = ("xylotitle", "xylofile")

CATALOGUE = """
default = "general"
[[label]]
id = "general"
name = "General"
priority = 0
[[label]]
id = "board"
name = "Board"
priority = 1
[[rule]]
label = "board"
file = "board/*"
"""
OPEN = LabelRanking.from_toml(CATALOGUE)
CEILED = LabelRanking.from_toml(f'{CATALOGUE}[ceiling]\n"*" = "general"\n')
QUICK = Timeouts(
    budget=0.3, typing_after=0.02, typing_every=0.05, pause=0.02, farewell=0.5, extended_every=0.05
)

BESIDE = ("hello", "Who tamed the zebra of Zanzibar?", "more")
"""What is answered without a citation. No name of a document above the ceiling is in it either."""
QUESTIONS = (
    *BESIDE, "What is the password of the vault?", "1", "source 1", "2", "more", "more",
    "Why will the site be closed in March?", "1", "more", "Which pay band has a crane driver?", "1",
    "When does the harbour gate open?", "And the vault?", "Where is the xylopasage kept?", "more",
    "Which row of the sheet has the anchor?", "2", "vault", "Wie lautet das Passwort?", "stop",
)  # fmt: skip


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    board = tmp_path / "docs" / "board"
    board.mkdir(parents=True)
    (board / "xylofile.md").write_text(
        "# Xylotitle\n\n## How to open the xyloheading\n\nThe password of the vault is xylopassage. "
        "Nobody may tell the password of the vault.\n\n## Why will the xyloquestion site be closed in March?\n\n"
        "The site will be closed in March because the lease of the xylopassage ends.\n\n## Pay bands\n\n"
        "| band | who | crane |\n|---|---|---|\n| A | crane driver | xylocell |\n| B | sailor | xylocell |\n",
        encoding="utf-8",
    )
    rows = [["item", "kept"], ["anchor", "in row xylorow"], ["rope", "in row two"]]
    (board / "plan.xlsx").write_bytes(workbook(xylosheet=rows, other=rows))
    (tmp_path / "docs" / "opening.md").write_text(
        "# Opening\n\n## What opens at six?\n\nThe harbour gate opens at six. The password of the harbour gate "
        "is swordfish.\n",
        encoding="utf-8",
    )
    return tmp_path / "docs"


def folder_of(docs: Path, ranking: LabelRanking) -> FolderSource:
    """Opened and closed by the application that serves it."""
    base = "http://127.0.0.1:3978/documents/"
    return FolderSource(docs, document_base=base, cache=docs.parent / "cache", ranking=ranking, may_add=True)


async def talk(authority: str, service_url: str, channel_id: str, questions: tuple[str, ...]) -> bytes:
    """Greet the bot on a channel and ask it everything; the bytes of all responses."""
    heard = b""
    on_channel = {"channelId": channel_id, "conversation": {"id": channel_id, "conversationType": "personal"}}
    added = message(service_url, "", id=f"{channel_id}|greeting", **on_channel)
    added |= {"type": "conversationUpdate", "membersAdded": [{"id": "u1"}]}
    asked = [
        message(service_url, question, id=f"{channel_id}|{question}|{number}", **on_channel)
        for number, question in enumerate(questions)
    ]
    async with aiohttp.ClientSession() as session:
        for body in (added, *asked):
            async with session.post(f"http://{authority}/api/messages", json=body) as response:
                heard += await response.read()
    return heard


async def hear(
    source: AnswerSource, ranking: LabelRanking, channels: tuple[str, ...], questions: tuple[str, ...]
) -> list[bytes]:
    """What the connector and the callers get, in bytes: one for each request and each caller."""
    async with connecting() as connector:
        async with running(source, labels=ranking, timeouts=QUICK) as authority:
            talks = [talk(authority, connector.service_url, one, questions) for one in channels]
            responses = await asyncio.gather(*talks)
        # The application has ended, so that the proactive answers have come, too.
        return [*responses, *(connector.received.get_nowait()[2] for _ in range(connector.received.qsize()))]


def found(words: tuple[str, ...], bodies: list[bytes]) -> dict[str, list[bytes]]:
    """The bodies in which each of the words is, in any case."""
    return {
        word: heard for word in words if (heard := [body for body in bodies if word.encode() in body.lower()])
    }


async def test_no_word_of_a_folders_document_leaves_on_any_channel(docs: Path) -> None:
    bodies = await hear(folder_of(docs, CEILED), CEILED, channel_ids(), QUESTIONS)
    assert found(CONTENT, bodies) == {}
    assert len([one for one in bodies if b"not shown here" in one]) > 3 * len(channel_ids())
    assert len([one for one in bodies if b"opens at six" in one]) >= len(channel_ids())


async def test_what_is_said_without_a_citation_names_no_document_above_the_ceiling(docs: Path) -> None:
    bodies = await hear(folder_of(docs, CEILED), CEILED, channel_ids(), BESIDE)
    assert found(CONTENT + NAMES, bodies) == {}
    assert len([one for one in bodies if b"seem not to say" in one]) >= len(channel_ids())


async def test_each_of_the_words_is_said_where_it_may_be(docs: Path) -> None:
    """Only because they are said here does their silence mean something."""
    bodies = await hear(folder_of(docs, OPEN), OPEN, ("webchat", "sms"), QUESTIONS)
    assert found(CONTENT + NAMES, bodies).keys() == {*CONTENT, *NAMES}


# What an engine says: every event that it may have, in any order

BOARD = Reference(
    id="1",
    name="Xylotitle › xyloheading",
    document_name="Xylotitle",
    url="https://example.com/minutes#xyloheading",
    document_url="https://example.com/minutes.pdf#page=3&search=xylopassage",
    text="The password is xylopassage.\n\n| xylocell |\n|---|",
    aliases=("board/minutes",),
)
SAID = "The password is xylopassage, says xyloheading [1]."
FOUND = ReferencesFound((BOARD,), complete=True)
ANSWERS: Mapping[str, tuple[AnswerEvent | Exception | float, ...]] = {
    "first": (FOUND, TextDelta(SAID)),
    "last": (TextDelta(SAID), FOUND),
    "replaced": (FOUND, TextDelta(SAID), TextReplaced(SAID + SAID)),
    "slow": (FOUND, TextDelta("The password"), 0.5, TextDelta(" is xylopassage [1].")),
    "spans": (TextDelta(SAID), SpanFound(0, 10, ("1",)), FOUND),
    "query": (QueryKnown(SourceCode("SELECT xylocell")), FOUND, TextDelta("So [1].")),
    "suggests": (FOUND, TextDelta("So [1]."), QuestionsSuggested("xyloheading:", ("xyloquestion?",))),
    "breaks off": (FOUND, TextDelta("The password is xylopassage"), SourceBrokeOff("xylopassage")),
    "breaks off unread": (TextDelta("The password is xylopassage"), SourceBrokeOff("xylopassage")),
    "crashes": (FOUND, TextDelta("The password is"), ValueError("xylopassage")),
    "fails": (ValueError("xylopassage"),),
    "cites nothing": (OriginKnown(Origin(generated=True)), TextDelta("It is xylopassage."), FOUND),
}


class Engine(AnswerSource):
    """An engine that says what its question asks for."""

    title = "Engine"

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        for step in ANSWERS.get(question, (FOUND, TextDelta(SAID))):
            if isinstance(step, Exception):
                raise step
            if isinstance(step, float):
                await asyncio.sleep(step)
            else:
                yield step


FOLLOWED = tuple(one for question in ANSWERS for one in (question, "1", "more"))


async def test_no_word_of_an_engine_leaves_on_any_channel() -> None:
    bodies = await hear(Engine(), CEILED, channel_ids(), FOLLOWED)
    assert found(CONTENT, bodies) == {}
    assert len([one for one in bodies if b"not shown here" in one]) > len(ANSWERS) * len(channel_ids()) / 2


async def test_an_engine_says_them_where_it_may() -> None:
    bodies = await hear(Engine(), OPEN, ("webchat", "sms"), FOLLOWED)
    assert found(CONTENT, bodies).keys() == {"xylopassage", "xyloheading", "xylocell", "xyloquestion"}


# The local page

PATHS = (
    "/", "/local/documents", "/health", "/healthz", "/readyz", "/documents/board/xylofile.md",
    "/documents/board/xylofile.md?view=", "/documents/board/xylofile.md?view=0-20-0123abcd&words=",
    "/documents/board/plan.xlsx", "/documents/board/plan.xlsx?view=", "/documents/board/absent.md",
    "/documents/opening.md", "/documents/opening.md?view=",
)  # fmt: skip


async def fetch_all(docs: Path, ranking: LabelRanking) -> dict[str, tuple[int, bytes]]:
    answers: dict[str, tuple[int, bytes]] = {}
    async with (
        running(folder_of(docs, ranking), docs=docs, labels=ranking) as authority,
        aiohttp.ClientSession() as session,
    ):
        for path in PATHS:
            async with session.get(f"http://{authority}{path}", allow_redirects=False) as response:
                answers[path] = (response.status, await response.read())
    return answers


async def test_no_word_of_it_is_on_the_local_page(docs: Path) -> None:
    answers = await fetch_all(docs, CEILED)
    assert found(CONTENT, [body for _, body in answers.values()]) == {}
    refused = {path for path, (status, _) in answers.items() if status == 403}
    assert answers["/documents/board/xylofile.md"][1].decode() == (
        "This document is not shown here, because its sensitivity label is Board. "
        "Its file can be opened where it is kept: board/xylofile.md"
    )
    assert refused == {path for path in PATHS if "/board/" in path and "absent" not in path}
    assert answers["/documents/opening.md"][0] == 200
    assert b"swordfish" in answers["/documents/opening.md?view="][1]
    listed = json.loads(answers["/local/documents"][1])
    assert {one["title"]: one["label"]["name"] for one in listed["documents"]}[
        "Xylotitle (xylofile.md)"
    ] == "Board"


async def test_below_its_ceiling_the_page_has_all_of_it(docs: Path) -> None:
    answers = await fetch_all(docs, OPEN)
    assert b"xyloquestion" in answers["/local/documents"][1]
    assert b"xylopassage" in answers["/documents/board/xylofile.md?view="][1]
    assert b"xylopassage" in answers["/documents/board/xylofile.md"][1]
    assert answers["/documents/board/plan.xlsx"][0] == 200


async def test_a_document_whose_own_label_is_not_read_yet_is_not_served(docs: Path) -> None:
    async with (
        running(folder_of(docs, CEILED), docs=docs, labels=CEILED) as authority,
        aiohttp.ClientSession() as session,
    ):
        (docs / "new.md").write_text("# New\n\nxylopassage\n", encoding="utf-8")
        async with session.get(f"http://{authority}/documents/new.md") as response:
            assert (response.status, b"xylopassage" in await response.read()) == (403, False)


LOW = LabelRanking.from_toml(
    f'unknown = "general"\n{CATALOGUE}[ceiling]\n"*" = "general"\n'.replace('"board"', f'"{ONE}"')
)
"""Where what is unknown counts as open."""


async def read_statuses(authority: str, *paths: str) -> list[int]:
    async with aiohttp.ClientSession() as session:
        return [(await session.get(f"http://{authority}/documents/{path}")).status for path in paths]


async def test_a_link_has_the_label_of_its_target(docs: Path) -> None:
    (docs / "link.md").symlink_to(docs / "board" / "xylofile.md")
    (docs / "also").symlink_to(docs / "board")
    (docs / "open.md").symlink_to(docs / "opening.md")
    async with running(folder_of(docs, LOW), docs=docs, labels=LOW) as authority:
        paths = ("link.md", "link.md?view=", "also/xylofile.md", "open.md", "open.md?view=")
        assert await read_statuses(authority, *paths) == [403, 403, 403, 200, 200]


async def test_a_higher_label_in_a_file_counts_although_nobody_asks_a_question(docs: Path) -> None:
    (docs / "gate.docx").write_bytes(word("xylopassage"))
    source = folder_of(docs, LOW)
    async with running(source, docs=docs, labels=LOW) as authority:
        assert await read_statuses(authority, "gate.docx") == [200]
        higher = custom(label(ONE, Enabled="true", Name="Public"))
        (docs / "gate.docx").write_bytes(word("xylopassage", docProps_custom=higher))
        source.progress.interval = 0.0  # as long as the last listing counts
        assert await read_statuses(authority, "gate.docx", "gate.docx?view=") == [403, 403]


NAMED = LabelRanking.from_toml(
    f"""{CATALOGUE}[ceiling]
"*" = "general"
[[rule]]
label = "board"
file = "hr%20docs/*"
[[rule]]
label = "board"
file = "[pay]/*"
[[rule]]
label = "board"
file = "SIRLI/*"
"""
)


async def test_a_rule_that_is_written_as_the_folder_is_called_withholds_it_everywhere(tmp_path: Path) -> None:
    docs = tmp_path / "named"
    kept = ("hr%20docs", "[pay]", "sırlı")
    for name in kept:
        (docs / name).mkdir(parents=True)
        (docs / name / "gate.md").write_text("# Gate\n\nThe code of the gate is xylopassage.\n", "utf-8")
    (docs / "opening.md").write_text("# Gate\n\nThe gate opens at six.\n", "utf-8")
    bodies = await hear(folder_of(docs, NAMED), NAMED, channel_ids(), ("What is the code of the gate?",))
    assert found(("xylopassage",), bodies) == {}
    async with running(folder_of(docs, NAMED), docs=docs, labels=NAMED) as authority:
        paths = [f"{quote(name)}/gate.md{view}" for name in kept for view in ("", "?view=")]
        assert await read_statuses(authority, *paths, "opening.md") == [*[403] * 6, 200]


async def test_a_rule_that_matches_no_source_is_named_at_the_first_answer_and_once() -> None:
    with logged() as log:
        async with connecting() as connector, running(TableSource(), labels=OPEN) as authority:
            for number, question in enumerate(("nonsense", "a fern", "a fern", "ferns")):
                await send(authority, message(connector.service_url, question, id=f"q{number}"))
                await connector.next()
    said = [line for line in log.getvalue().splitlines() if "matches no source" in line]
    assert len(said) == 1
    assert "file 'board/*'" in said[0]
