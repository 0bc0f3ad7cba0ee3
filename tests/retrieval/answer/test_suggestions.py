"""The questions that are suggested: headings that ask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.retrieval.answer.search_result import suggest
from bot.retrieval.index.folder_index import FolderIndex
from bot.sources.folder.documents import Documents
from bot.sources.folder.labels import FolderLabels

LIBRARY = """# Library

## 2. Where is the reading room?

The reading room is a quiet hall behind the stairs. The annual pass costs 84 pounds.

## May I bring food?

Only water in a bottle may be taken to the shelves.

## Free entry?

The entry is free.

## Is it open?

It is open on all days but Sunday.

## Lost and found
"""


def test_headings_that_ask_are_suggested_and_no_statement(
    folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    (folder / "library.md").write_text(LIBRARY, encoding="utf-8")
    _, scope = Documents("", FolderLabels(None)).select(indexed())
    assert suggest(scope) == ("Where is the reading room?", "May I bring food?")


def test_a_question_of_two_documents_is_suggested_once(
    folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    (folder / "library.md").write_text(LIBRARY, encoding="utf-8")
    (folder / "copy.md").write_text(LIBRARY, encoding="utf-8")
    _, scope = Documents("", FolderLabels(None)).select(indexed())
    assert suggest(scope).count("May I bring food?") == 1
