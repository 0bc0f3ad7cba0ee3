"""The own-words questions are complete, and what is shown is compared by its letters and digits."""

from __future__ import annotations

from benchmarks.retrieval.folder import ShownAnswer
from benchmarks.retrieval.own_words import GRADE_NAMES, GRADES, QUESTIONS, read_grades, read_questions

MORE = QUESTIONS.with_name("more_questions.json")

SHOWN = ShownAnswer("answered", "Open from **9** [1] to 5 [1].", ("[1] Hours\nClosed on\nSundays.",), 0.0)


def test_the_questions_are_a_set_in_two_languages_of_which_many_have_no_answer() -> None:
    documents, questions = read_questions(QUESTIONS)
    assert {one.folder for one in questions} == {one.name for one in documents}
    assert len({one.id for one in questions}) == len(questions) >= 100
    assert sum(not one.gold for one in questions) >= 30
    assert {one.language for one in questions} == {"de", "en"}


def test_further_questions_are_about_other_documents() -> None:
    documents, questions = read_questions(MORE)
    assert {one.folder for one in questions} == {one.name for one in documents}
    assert not {one.repository for one in documents} & {
        one.repository for one in read_questions(QUESTIONS)[0]
    }
    assert sum(not one.gold for one in questions) >= 20
    assert {one.language for one in questions} == {"de", "en", "fr"}


def test_every_grade_belongs_to_a_question() -> None:
    grades = read_grades(GRADES)
    known = {one.id for file in (QUESTIONS, MORE) for one in read_questions(file)[1]}
    assert grades.keys() <= known
    assert {grade for given in grades.values() for grade in given.values()} <= set(GRADE_NAMES)


def test_markup_and_markers_hide_no_words() -> None:
    assert SHOWN.says(["open from 9 to 5"])
    assert not SHOWN.says(["closed on Sundays"])
    assert SHOWN.shows(["closed on Sundays"])
    assert not SHOWN.shows(["open on Sundays"])
