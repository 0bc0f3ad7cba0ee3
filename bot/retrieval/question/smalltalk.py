"""Recognises greetings, thanks and the like, which no passage answers."""

from __future__ import annotations

import re
from typing import Final

from citations.text.languages import either

from ...languages import LANGUAGES

_MARKS: Final = re.compile(r"[^\w\s'-]+")
_LONGEST: Final = 80


_ONLY: Final = re.compile(rf"(?:{either(LANGUAGES.words_of('words', 'smalltalk'))}(?: |$))*")


def is_smalltalk(question: str) -> bool:
    """Whether a message is empty or consists of phrases of courtesy only."""
    if len(question) > _LONGEST:
        return False
    words = _MARKS.sub(" ", question.lower().replace("’", "'"))
    return bool(_ONLY.fullmatch(" ".join(words.split())))
