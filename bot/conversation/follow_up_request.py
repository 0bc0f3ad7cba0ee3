"""This module recognises messages that ask for more of the last answer: ``2``, ``source 2``, ``more``."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """The person asks for the passage of the source with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class MoreRequest:
    """The person asks for the part of the answer or its sources that was not shown yet."""


FollowUpRequest = SourceRequest | MoreRequest

_LONGEST: Final = 40
_SHOW: Final = "show|open|read|zeig|zeige|öffne|montre|ouvre|muestra|abre|mostra|apri"
_SOURCE: Final = (
    "source|sources|passage|reference|ref|citation|footnote"
    "|quelle|beleg|fußnote|fussnote|verweis"
    "|référence|citation|fuente|referencia|cita|fonte|riferimento|citazione|referência"
    "|bron|kilde|källa|źródło|kaynak|источник|джерело|مصدر|المصدر|出典|来源|來源|출처"
)
_MORE: Final = frozenset(
    # "More" and "go on" in the languages of the bot's users.
    (
        "more, show more, more please, go on, continue, mehr, weiter, mehr bitte, plus, la suite, suite, "
        "encore, más, mas, más por favor, continúa, seguir, altro, di più, ancora, continua, avanti, mais, "
        "meer, mere, mer, więcej, devamı, ещё, еще, дальше, більше, المزيد, もっと, 更多, 더"
    ).split(", ")
)
_NUMBER_SIGN: Final = r"(?:no|nr|n|num|number|nummer|numéro|número|numero)\b[.o°º]* ?"
_SOURCE_REQUEST: Final = re.compile(
    rf"(?:(?:(?:{_SHOW}) )?(?:{_SOURCE}) ?(?:{_NUMBER_SIGN})?[:#]? ?)?"
    r"[#(\[{（［【]* ?(?P<number>\d{1,2}) ?[)\]}）］】]*[.!?。]?"
)


def read_follow_up(text: str) -> FollowUpRequest | None:
    """Return what ``text`` asks for; None for a new question, as most messages are.

    Digits may be of any script, and brackets of any kind. Case is ignored.
    """
    if len(text) > _LONGEST:
        return None
    request = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    if request.strip(" .!…¡。") in _MORE:
        return MoreRequest()
    match = _SOURCE_REQUEST.fullmatch(request)
    return SourceRequest(int(match["number"])) if match else None
