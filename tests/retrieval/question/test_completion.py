"""Questions that leave something out, after those that have it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.retrieval.question.completion import complete_question
from tests.sources.folder.dialogues import LEANS, STANDS_ALONE


@pytest.mark.parametrize("dialogue", LEANS, ids=str)
def test_a_question_that_leaves_something_out_stands_behind_those_before_it(
    dialogue: tuple[str, ...],
) -> None:
    *earlier, question = dialogue
    assert complete_question(question, earlier).text == " ".join(dialogue)


def test_small_talk_is_passed_over() -> None:
    dialogue = ["Do I get parental leave?", "thanks"]
    assert complete_question("For how long?", dialogue).text == "Do I get parental leave? For how long?"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Thanks, and in Berlin?", "and in Berlin?"),
        ("Merci beaucoup, et pour les stagiaires ?", "et pour les stagiaires ?"),
        ("Vielen Dank! Und was ist mit Praktikanten?", "Und was ist mit Praktikanten?"),
        ("gracias, ¿y en Berlín?", "¿y en Berlín?"),
    ],
)
def test_thanks_before_a_question_are_passed_over(question: str, asked: str) -> None:
    before = "What is the hotel limit in Zurich?"
    assert complete_question(question, [before]).text == f"{before} {asked}"
    assert complete_question(question, ["thanks"]).text == question
    assert complete_question("And in Lyon?", [question]).text == f"{asked} And in Lyon?"


@pytest.mark.parametrize("question", ["Help and support", "Super und Diesel?", "Test or production?"])
def test_a_word_of_courtesy_may_be_what_is_asked(question: str) -> None:
    assert complete_question(question, ["What is the hotel limit in Zurich?"]).text == question


def test_courtesy_without_end_is_read_at_once() -> None:
    courtesy = "hello there " * 300
    assert complete_question(f"{courtesy}x", ["Hotel limit in Zurich?"]).text == f"{courtesy}x"


@pytest.mark.parametrize("dialogue", STANDS_ALONE, ids=str)
def test_a_question_that_can_be_understood_alone_stays_as_it_is(dialogue: tuple[str, ...]) -> None:
    *earlier, question = dialogue
    complete = complete_question(question, earlier)
    assert (complete.text, complete.taken_up) == (question, frozenset())


def test_the_words_that_are_not_asked_about_are_known() -> None:
    complete = complete_question("And in Berlin?", ["Hotel limit in Zurich?"])
    assert complete.taken_up == {"hotel", "limit", "zurich", "and"}
    complete = complete_question("Wie sieht es mit dem Tisch aus?", ["Zuschuss für Stühle?"])
    assert complete.taken_up == {"zuschuss", "für", "stühle", "wie", "sieht", "es", "aus"}


QUESTIONS = st.lists(
    st.sampled_from(
        "And and in for Berlin Zurich it how long Wie lange das ¿y para ? “x” 7 limit \ud800".split()
    ),
    max_size=6,
).map(" ".join)


@given(QUESTIONS, st.lists(QUESTIONS, max_size=3))
def test_the_person_s_own_words_stay(question: str, earlier: list[str]) -> None:
    complete = complete_question(question, earlier)
    assert complete.text == question or earlier
    assert complete.taken_up.isdisjoint(set(question.lower().split()) - {"and", "y"}), "these lead"
