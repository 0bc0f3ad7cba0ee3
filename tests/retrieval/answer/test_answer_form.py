"""Which sentences can be the number or the date that a question asks for, and which say nothing."""

from __future__ import annotations

import pytest

from bot.retrieval.answer.form import has_form, is_fragment
from bot.retrieval.question.kind import asks_when, classify_question
from bot.retrieval.question.query import SearchQuery
from bot.retrieval.words.stems import split_words

FITS = (
    ("How much is a beer?", "A beer is 3 €."),
    ("How much is paid per km?", "Your own car is paid with 0.35 € per km."),
    ("How long is parental leave?", "Both parents may take up to 36 months."),
    ("How many people fit in?", "The hall has room for sixty."),
    ("Since when is it open?", "It opened in May."),
    ("Wie lange gilt der Ausweis?", "Er gilt zehn Jahre."),
    ("Who may come?", "Members may come."),
)
DOES_NOT_FIT = (
    ("How much is a beer?", "A twelve ounce serving of beer at 5% alcohol by volume,"),
    ("How long is parental leave?", "Both of the 2 parents may take it."),
    ("How many people fit in?", "See section 3 for the size of the hall."),
    ("Since when is it open?", "It is open to all members."),
    ("Wie lange gilt der Ausweis?", "Der Ausweis gilt in 27 Staaten."),
)
FRAGMENTS = ("Fines and parking tickets", "- Ausgaben", "**Getting started**")
SAYS_SOMETHING = (
    "Ask your lead.",
    "“Ask your lead.”",
    "Finance lead: Tomasz Wrona",
    "Weight 186 g",
    "| Berlin | yes |",
    "年假三十天",
    "a longer line that was cut and still has the words that a person looks for",
)


def ask(question: str) -> SearchQuery:
    words, kind = frozenset(split_words(question)), classify_question(question)
    return SearchQuery(question, words, (), asks=kind, asks_when=asks_when(question))


@pytest.mark.parametrize(("question", "sentence"), FITS)
def test_what_can_be_the_answer(question: str, sentence: str) -> None:
    assert has_form(ask(question), sentence)


@pytest.mark.parametrize(("question", "sentence"), DOES_NOT_FIT)
def test_what_cannot_be_the_answer(question: str, sentence: str) -> None:
    assert not has_form(ask(question), sentence)


def test_a_few_words_without_a_verb_a_number_or_a_value_are_a_fragment() -> None:
    assert [text for text in (*FRAGMENTS, *SAYS_SOMETHING) if is_fragment(text)] == [*FRAGMENTS]
