"""Tells what a message is: a question for a number, a date or the like, or a task.

A kind is claimed only where the words leave no doubt. ``When do I need a receipt?`` may ask for a
condition, so it is not :attr:`QuestionKind.DATE`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from ...languages import LANGUAGES


class QuestionKind(StrEnum):
    """What a question asks for."""

    DATE = "date"
    """A date, a year or a time of day: ``When was it founded?``"""
    NUMBER = "number"
    """A number or an amount, in digits or in words: ``How many days?``"""
    YES_NO = "yes_no"
    """Whether something is so: ``Can I bring my dog?``"""
    OTHER = "other"
    """Anything else, and every question in another language."""


_PATTERNS: Final = {
    kind: re.compile(rf"(?:\b|\A)(?:{'|'.join(LANGUAGES.words_of('questions', kind)) or '(?!)'})")
    for kind in (QuestionKind.DATE, QuestionKind.NUMBER, QuestionKind.YES_NO)
}
_WHEN: Final = re.compile("|".join(LANGUAGES.words_of("questions", "when")))
_LAST_QUESTION: Final = re.compile(r"(?<![^.!?])[^.!?]*+\?\s*\Z")


def classify_question(question: str) -> QuestionKind:
    """The kind of answer that a question asks for; of several sentences the last question counts.

    >>> str(classify_question("How many days off do I have?"))
    'number'
    >>> str(classify_question("I travel a lot. When was the firm founded?"))
    'date'
    """
    asked = _find_asked(question)
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(asked)), QuestionKind.OTHER)


def asks_when(question: str) -> bool:
    """Whether a question asks when something is so, which a condition answers as a date does."""
    return bool(_WHEN.match(_find_asked(question)))


def _find_asked(question: str) -> str:
    last = _LAST_QUESTION.search(question)
    return " ".join((last[0] if last else question).lower().split())


class Task(StrEnum):
    """What only a language model can word; the documents still have what it is about."""

    SUMMARY = "summary"
    """``Summarize the travel policy``: the headings of the document."""
    COMPARISON = "comparison"
    """``Compare the limits of Berlin and New York``: the rows of both."""
    LIST = "list"
    """``List all benefits``: the items of a list."""
    TEXT = "text"
    """``Translate the policy`` or ``Write an email about it``: the passages alone."""


_TASKS: Final = {
    task: re.compile(rf"(?:{'|'.join(LANGUAGES.words_of('tasks', task)) or '(?!)'})") for task in Task
}


def find_task(message: str) -> Task | None:
    """The task that a message sets; None for a question.

    >>> str(find_task("Please summarize the travel policy")), find_task("Who writes the summary?")
    ('summary', None)
    """
    words = " ".join(message.lower().split())
    return next((task for task, pattern in _TASKS.items() if pattern.search(words)), None)
