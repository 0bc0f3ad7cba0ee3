"""Tells what a message wants done with the documents, where it is no question: a summary, a comparison."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from ...languages import LANGUAGES


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


_PATTERNS: Final = {
    task: re.compile(rf"(?:{'|'.join(LANGUAGES.words_of('tasks', task)) or '(?!)'})") for task in Task
}


def find_task(message: str) -> Task | None:
    """The task that a message sets; None for a question.

    >>> str(find_task("Please summarize the travel policy")), find_task("Who writes the summary?")
    ('summary', None)
    """
    words = " ".join(message.lower().split())
    return next((task for task, pattern in _PATTERNS.items() if pattern.search(words)), None)
