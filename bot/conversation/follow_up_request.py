"""What a person writes who wants to know more about the last answer: ``2``, ``source 2``, ``more``."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AskedForSource:
    """The passage of the source with this number is wanted."""

    number: int


@dataclass(frozen=True, slots=True)
class AskedForMore:
    """Whatever has not been shown yet is wanted."""


Followup = AskedForSource | AskedForMore

_LONGEST: Final = 40
_SHOW: Final = "show|open|read|zeig|zeige|öffne|montre|ouvre|muestra|abre|mostra|apri"
_SOURCE: Final = (
    "source|sources|passage|reference|ref|citation|footnote"
    "|quelle|beleg|fußnote|fussnote|verweis"
    "|référence|citation|fuente|referencia|cita|fonte|riferimento|citazione|referência"
    "|bron|kilde|källa|źródło|kaynak|источник|джерело|مصدر|المصدر|出典|来源|來源|출처"
)
_MORE: Final = frozenset(
    # "More" and "go on", as one says them to somebody who has stopped.
    (
        "more, show more, more please, go on, continue, mehr, weiter, mehr bitte, plus, la suite, suite, "
        "encore, más, mas, más por favor, continúa, seguir, altro, di più, ancora, continua, avanti, mais, "
        "meer, mere, mer, więcej, devamı, ещё, еще, дальше, більше, المزيد, もっと, 更多, 더"
    ).split(", ")
)
_NUMBER_SIGN: Final = r"(?:no|nr|n|num|number|nummer|numéro|número|numero)\b[.o°º]* ?"
_ASKED: Final = re.compile(
    rf"(?:(?:(?:{_SHOW}) )?(?:{_SOURCE}) ?(?:{_NUMBER_SIGN})?[:#]? ?)?"
    r"[#(\[{（［【]* ?(?P<number>\d{1,2}) ?[)\]}）］】]*[.!?。]?"
)


def read_followup(text: str) -> Followup | None:
    """What ``text`` asks for; None for a question of its own, as nearly all are.

    The digits of any script count, and any brackets; case doesn't matter.
    """
    if len(text) > _LONGEST:
        return None
    asked = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    if asked.strip(" .!…¡。") in _MORE:
        return AskedForMore()
    match = _ASKED.fullmatch(asked)
    return AskedForSource(int(match["number"])) if match else None
