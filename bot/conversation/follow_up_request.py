"""Recognises messages that ask for more of the last answer: ``2``, ``source``, ``more``."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from citations.text.languages import either

from ..languages import LANGUAGES


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """The person asks for the passage of the source with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class MoreRequest:
    """The person asks for the part of the answer or its sources that was not shown yet."""


FollowUpRequest = SourceRequest | MoreRequest

_LONGEST: Final = 40
_SHOW, _SOURCE, _NUMBER_SIGN = (
    either(word.casefold() for word in LANGUAGES.words_of("words", name))
    for name in ("show", "source", "number")
)
_MORE: Final = frozenset(phrase.casefold() for phrase in LANGUAGES.words_of("words", "more"))
_WHERE: Final = frozenset(phrase.casefold() for phrase in LANGUAGES.words_of("words", "where"))
_MARKS: Final = " .!?…¿¡。？"
_SOURCE_REQUEST: Final = re.compile(
    rf"(?:(?:{_SHOW} )?{_SOURCE} ?(?:{_NUMBER_SIGN}\b[.o°º]* ?)?[:#]? ?)?"
    r"[#(\[{（［【]* ?(?P<number>\d{1,2}) ?[)\]}）］】]*[.!?。]?"
)


def read_follow_up(text: str) -> FollowUpRequest | None:
    """What ``text`` asks for; None for a new question, as most messages are.

    Digits may be of any script, and brackets of any kind. Case is ignored.
    """
    if len(text) > _LONGEST:
        return None
    request = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    words = request.replace("’", "'").strip(_MARKS)
    if words in _MORE:
        return MoreRequest()
    if words in _WHERE:
        return SourceRequest(1)
    match = _SOURCE_REQUEST.fullmatch(request)
    return SourceRequest(int(match["number"])) if match else None
