"""Tells what a question asks for: a number, a date, or yes or no, in each known language.

A kind is claimed only where the words leave no doubt. ``When do I need a receipt?`` may ask for a
condition, so it is no :attr:`QuestionKind.DATE`, but a :attr:`QuestionKind.CONDITION`.
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
    CONDITION = "condition"
    """A date, or when something is so: ``When do I need a receipt?``"""
    OTHER = "other"
    """Anything else, and every question in another language."""


_PATTERNS: Final = {
    kind: re.compile(rf"(?:\b|\A)(?:{'|'.join(LANGUAGES.words_of('questions', kind)) or '(?!)'})")
    for kind in (QuestionKind.DATE, QuestionKind.NUMBER, QuestionKind.YES_NO, QuestionKind.CONDITION)
}
_LAST_QUESTION: Final = re.compile(r"[^.!?]*\?\s*$")


def classify_question(question: str) -> QuestionKind:
    """The kind of answer that a question asks for; of several sentences the last question counts.

    >>> str(classify_question("How many days off do I have?"))
    'number'
    >>> str(classify_question("I travel a lot. When was the firm founded?"))
    'date'
    """
    last = _LAST_QUESTION.search(question)
    asked = " ".join((last[0] if last else question).lower().split())
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(asked)), QuestionKind.OTHER)
