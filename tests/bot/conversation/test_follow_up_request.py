"""What asks for more about the last answer, and what is a question of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.follow_up import MoreRequest, SourceRequest, read_follow_up

SOURCES = [
    ("2", 2),
    (" 2. ", 2),
    ("2)", 2),
    ("[2]", 2),
    ("(2)", 2),
    ("#2", 2),
    ("【2】", 2),
    ("（２）", 2),
    ("２", 2),
    ("٢", 2),
    ("0", 0),
    ("12", 12),
    ("source 2", 2),
    ("Source 2.", 2),
    ("SOURCE  2", 2),
    ("source2", 2),
    ("source [2]", 2),
    ("source #2", 2),
    ("source: 2", 2),
    ("source no. 2", 2),
    ("show source 2", 2),
    ("Quelle 2", 2),
    ("Quelle Nr. 2", 2),
    ("zeige Quelle 2", 2),
    ("source n° 2", 2),
    ("Référence 2", 2),
    ("fuente 2", 2),
    ("fuente n.º 2", 2),
    ("Fonte 2", 2),
    ("źródło 2", 2),
    ("источник 2", 2),
    ("المصدر ٢", 2),
    ("来源2", 2),
    ("出典２", 2),
]
MORE = ["more", "More.", "MORE!", "more…", "show more", "mehr", "Mehr", "plus", "más", "MÁS", "mas", "altro"]
MORE += ["mehr?", "di più", "di piu\u0300", "weiter", "la suite", "更多", "もっと", "ещё"]
MORE += ["Say more", "tell me more", "Sag mehr", "Mehr dazu?", "Dis-m’en plus", "Dime más."]
QUESTIONS = [
    "",
    "?",
    "2 + 2",
    "2024",
    "123",
    "-2",
    "2.5",
    "1, 2",
    "2 ferns",
    "ferns 2",
    "more ferns",
    "plus 2",
]
QUESTIONS += [
    "how many sources",
    "source code",
    "Belege?",
    "Cita",
    "reference",
    "source two",
    "resource 2",
    "2 2",
    "[]",
    "[2](x)",
    "²³",
    "½",
    "2\u2075",
]
QUESTIONS += [
    "page 2",
    "no 2",
    "is source 2 right?",
    "morel",
    "no more",
    "2" * 1000,
    "source " + " " * 99 + "2",
]


@pytest.mark.parametrize(("text", "number"), SOURCES)
def test_a_source_is_asked_for(text: str, number: int) -> None:
    assert read_follow_up(text) == SourceRequest(number)


@pytest.mark.parametrize("text", MORE)
def test_more_is_asked_for(text: str) -> None:
    assert read_follow_up(text) == MoreRequest()


@pytest.mark.parametrize(
    "text",
    [
        *("source", "Sources?", "Quelle", "Quellen?", "show source", "出典？", "¿Cuál es la fuente?"),
        *("Where does it say that?", "Wo steht das?", "quelle est la source ?", "C’est écrit où ?"),
    ],
)
def test_without_a_number_the_first_source_is_meant(text: str) -> None:
    assert read_follow_up(text) == SourceRequest(1)


@pytest.mark.parametrize("text", QUESTIONS)
def test_all_else_is_a_question(text: str) -> None:
    assert read_follow_up(text) is None


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    read_follow_up(text)
