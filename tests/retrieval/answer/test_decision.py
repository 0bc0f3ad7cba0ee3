"""A question that names a field gets it; what says nothing as it stands is no answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.retrieval.answer.search_result import SearchResult, search
from bot.retrieval.index.folder_index import FolderIndex
from bot.sources.folder.documents import Documents
from bot.sources.folder.labels import FolderLabels
from citations import AnswerKind

HANDBOOK = """\
# Travel

| City | Hotel limit | Breakfast |
|---|---|---|
| Berlin | 140 € | included |
| Zurich | 220 CHF | extra |

# Office

- **Chair**: Ada Byron
- **Bank**: First Bank of the Harbour

# Grants

To be accepted, a project must:

- be about birds
- end before winter

# Birdhouses

The birdhouses of the town are counted here, and the projects that a jury accepted:

# Tower

The tower of Madrid has five clocks and a red roof.

# Shop

The printer cannot open its tray

# How to join the choir

Come to the hall on Monday. Bring a friend.

# Why join the choir?

Singing is healthy.
"""


@pytest.fixture
def ask(folder: Path, indexed: Callable[[], FolderIndex]) -> Callable[[str], SearchResult]:
    (folder / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    part, scope = Documents("", FolderLabels(None)).select(indexed())
    return lambda question: search(question, part, scope)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the hotel limit in Zurich?", "220 CHF"),
        ("What about breakfast in Berlin?", "included"),
        ("Who is the chair?", "Ada Byron"),
        ("Which bank?", "First Bank of the Harbour"),
        ("How do I join your choir?", "Come to the hall on Monday."),
    ],
)
def test_a_question_that_names_a_field_gets_it(
    question: str, value: str, ask: Callable[[str], SearchResult]
) -> None:
    result = ask(question)
    assert result.kind is AnswerKind.ANSWERED
    assert result.best
    assert value in result.best.text


@pytest.mark.parametrize(
    "question",
    [
        "Is the hotel limit in Zurich fair?",
        "Did a jury count the birdhouses?",
        "What does it mean that the printer cannot open its tray?",
    ],
)
def test_a_row_is_no_yes_an_introduction_no_list_and_an_echo_no_answer(
    question: str, ask: Callable[[str], SearchResult]
) -> None:
    assert ask(question).kind is not AnswerKind.ANSWERED


def test_the_same_text_in_two_formats_is_shown_once(folder: Path, indexed: Callable[[], FolderIndex]) -> None:
    (folder / "gate.md").write_text("The gate's key is with the porter.", encoding="utf-8")
    (folder / "gate.html").write_text("<p>The gate’s <b>key</b> is with the porter.</p>", encoding="utf-8")
    part, scope = Documents("", FolderLabels(None)).select(indexed())
    assert len(search("Who has the key of the gate?", part, scope).ranked) == 1


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the hotel limit in Madrid?", ["madrid"]),
        ("Is there an app for the iPhone?", ["iphone"]),
        ("It rained. Madrid was warm, is Berlin?", ["berlin"]),
        ("Gibt es hier einen Parkplatz mit WLAN?", ["wlan"]),
        ("Hotel Limit In Madrid", []),
        ("HOW HIGH IS THE LIMIT IN MADRID", []),
        ("how high is the limit in madrid", []),
    ],
)
def test_a_name_is_known_by_its_capitals(
    question: str, names: list[str], ask: Callable[[str], SearchResult]
) -> None:
    query = ask(question).query
    assert sorted(query.terms[index].spellings[-1] for index in query.names) == names


@pytest.mark.parametrize(("city", "kind"), [("Madrid", AnswerKind.ANSWERED), ("Lisbon", AnswerKind.UNSURE)])
def test_what_lacks_the_name_is_no_answer(
    city: str, kind: AnswerKind, ask: Callable[[str], SearchResult]
) -> None:
    assert ask(f"Has the tower of {city} five clocks and a red roof?").kind is kind
