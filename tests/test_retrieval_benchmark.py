"""The own-words questions are complete, and what is shown is compared by its letters and digits."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.retrieval.folder import ShownAnswer
from benchmarks.retrieval.own_words import GRADE_NAMES, GRADES, QUESTIONS, read_grades, read_questions

MORE = QUESTIONS.with_name("more_questions.json")
DEVELOPMENT = QUESTIONS.with_name("development_questions.json")
HELD_OUT = QUESTIONS.with_name("held_out_questions.json")
EVERYDAY = QUESTIONS.with_name("everyday_questions.json")
ONCE = QUESTIONS.with_name("once_questions.json")
LATER = QUESTIONS.with_name("later_questions.json")
OUTSIDER = QUESTIONS.with_name("outsider_questions.json")
LAST = QUESTIONS.with_name("last_questions.json")
FILES = (QUESTIONS, MORE, DEVELOPMENT, HELD_OUT)

SHOWN = ShownAnswer("answered", "Open from **9** [1] to 5 [1].", ("[1] Hours\nClosed on\nSundays.",), 0.0)


def test_the_questions_are_a_set_in_two_languages_of_which_many_have_no_answer() -> None:
    documents, questions = read_questions(QUESTIONS)
    assert {one.folder for one in questions} == {one.name for one in documents}
    assert len({one.id for one in questions}) == len(questions) >= 100
    assert sum(not one.gold for one in questions) >= 30
    assert {one.language for one in questions} == {"de", "en"}


@pytest.mark.parametrize(
    "file", [MORE, DEVELOPMENT, HELD_OUT, EVERYDAY, LATER, OUTSIDER, LAST], ids=lambda file: file.stem
)
def test_further_questions_are_in_three_languages_and_many_have_no_answer(file: Path) -> None:
    documents, questions = read_questions(file)
    assert {one.folder for one in questions} == {one.name for one in documents}
    assert sum(not one.gold for one in questions) >= 20
    assert {one.language for one in questions} == {"de", "en", "fr"}


def test_each_file_of_questions_is_about_documents_of_its_own() -> None:
    asked = [read_questions(file) for file in FILES]
    repositories = [one.repository for documents, _ in asked for one in documents]
    identifiers = [one.id for _, questions in asked for one in questions]
    assert len(set(repositories)) == len(repositories)
    assert len(set(identifiers)) == len(identifiers)


def test_half_of_the_folders_of_each_language_are_held_out() -> None:
    development, held_out = (read_questions(EVERYDAY, half) for half in ("development", "held-out"))
    assert len(development[0]) == len(held_out[0])
    assert len(development[1]) + len(held_out[1]) == len(read_questions(EVERYDAY)[1])
    assert {one.language for one in held_out[1]} == {one.language for one in development[1]}


def test_every_grade_belongs_to_a_question() -> None:
    grades = read_grades(GRADES)
    known = {one.id for file in (*FILES, ONCE) for one in read_questions(file)[1]}
    assert grades.keys() <= known
    assert {grade for given in grades.values() for grade in given.values()} <= set(GRADE_NAMES)


def test_markup_and_markers_hide_no_words() -> None:
    assert SHOWN.says(["open from 9 to 5"])
    assert not SHOWN.says(["closed on Sundays"])
    assert SHOWN.shows(["closed on Sundays"])
    assert not SHOWN.shows(["open on Sundays"])
