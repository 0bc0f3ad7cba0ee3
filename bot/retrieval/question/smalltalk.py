"""Recognises greetings, thanks and the like, which no passage answers."""

from __future__ import annotations

import re
from typing import Final

from citations.text.languages import either

from ...languages import LANGUAGES

_MARKS: Final = re.compile(r"[^\w\s'-]+")
_LONGEST: Final = 80
_PHRASES: Final = tuple(LANGUAGES.words_of("words", "thanks"))
_THANKS: Final = re.compile(rf"\b{either(_PHRASES)}(?!\w)")
_ONLY: Final = re.compile(rf"(?:{either((*LANGUAGES.words_of('words', 'smalltalk'), *_PHRASES))}(?: |$))*")


def is_smalltalk(question: str) -> bool:
    """Whether a message is empty or consists of phrases of courtesy only."""
    return len(question) <= _LONGEST and bool(_ONLY.fullmatch(_read_words(question)))


def is_thanks(question: str) -> bool:
    """Whether a message says thanks, and asks for nothing."""
    return is_smalltalk(question) and bool(_THANKS.search(_read_words(question)))


def _read_words(question: str) -> str:
    return " ".join(_MARKS.sub(" ", question.lower().replace("’", "'")).split())
