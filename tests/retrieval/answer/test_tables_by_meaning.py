"""A question that names a row of a table, or a code, gets it, however alike all rows are to the models."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import search
from bot.retrieval.index.folder_index import FolderIndex
from citations import AnswerKind

SAMPLES = Path(__file__).parents[3] / "bot" / "samples"

NAMED = {
    "How much can I spend on a hotel in Berlin?": "| Berlin | 140 €",
    "What may a hotel cost in Lyon?": "| Lyon | 125 €",
    "How much is the meal allowance in Zurich?": "| Zurich | 220 CHF",
    "hotel limit London": "| London | 190 £",
    "What is the hotel limit in Berlin?": "| Berlin | 140 €",
    "How many special leave days for a wedding?": "| Your own wedding | 2",
    "How many days off do I get when I move house?": "| Moving house | 1",
    "What does E12 mean?": "E12 Battery below 5 %",
}


@pytest.mark.parametrize(("question", "row"), NAMED.items(), ids=NAMED)
def test_a_question_that_names_a_row_gets_it(question: str, row: str, embedded_samples: FolderIndex) -> None:
    result = search(question, embedded_samples.whole, Scope(embedded_samples.whole.listing))
    assert result.kind is AnswerKind.ANSWERED
    assert result.best
    assert result.best.text.startswith(row)


@pytest.mark.parametrize(
    "question",
    [
        "What is the weather in Lyon?",  # names neither a column nor the table
        "What does the light blinking red mean?",  # the table has red, and blinking blue
        "What does E99 mean?",
    ],
)
def test_a_row_that_has_not_all_of_it_is_no_answer(question: str, embedded_samples: FolderIndex) -> None:
    result = search(question, embedded_samples.whole, Scope(embedded_samples.whole.listing))
    assert result.kind is not AnswerKind.ANSWERED
