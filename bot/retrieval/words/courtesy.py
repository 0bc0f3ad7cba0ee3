"""Tells messages that are courtesy alone, such as a greeting, and in which language they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from citations.text.languages import either

from ...languages import LANGUAGES
from .language import words_by_language

_MARKS: Final = re.compile(r"[^\w\s'-]+")
_LONGEST: Final = 80
"""A longer message is no courtesy alone."""


def _only(phrases: Iterable[str]) -> re.Pattern[str]:
    """What matches messages of such phrases alone."""
    return re.compile(rf"(?:{either(phrases)}(?: |$))*+")


_PHRASES: Final = tuple(LANGUAGES.words_of("words", "thanks"))
_THANKS: Final = re.compile(rf"\b{either(_PHRASES)}(?!\w)")
_ONLY: Final = _only((*LANGUAGES.words_of("words", "smalltalk"), *_PHRASES))
_THANKS_IN: Final = words_by_language("words", "thanks")
_ONLY_IN: Final = {
    language: _only(phrases | _THANKS_IN.get(language, frozenset()))
    for language, phrases in words_by_language("words", "smalltalk").items()
}


def is_smalltalk(question: str) -> bool:
    """Whether a message is empty or consists of phrases of courtesy only."""
    return len(question) <= _LONGEST and bool(_ONLY.fullmatch(_read_words(question)))


def is_thanks(question: str) -> bool:
    """Whether a message says thanks, and asks for nothing."""
    return is_smalltalk(question) and bool(_THANKS.search(_read_words(question)))


def find_smalltalk_language(question: str) -> str | None:
    """The one language that has all phrases of such a message, by its name; None for any other message."""
    words = _read_words(question)
    found = (
        [name for name, only in _ONLY_IN.items() if only.fullmatch(words)] if is_smalltalk(question) else []
    )
    return found[0] if len(found) == 1 else None


def _read_words(question: str) -> str:
    return " ".join(_MARKS.sub(" ", question.lower().replace("’", "'")).split())
