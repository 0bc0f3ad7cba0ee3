"""This module tells what kind of answer a question asks for, in English, German, French and Spanish.

A kind is claimed only where the words leave no doubt. ``When do I need a receipt?`` may ask for a
condition, so it is not :attr:`QuestionKind.DATE`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .language import detect


class QuestionKind(StrEnum):
    """What a question asks for."""

    NUMBER = "number"
    """A number or an amount, in digits or in words: ``How many days?``"""
    DATE = "date"
    """A date, a year or a time of day: ``When was it founded?``"""
    YES_NO = "yes-no"
    """Whether something is so: ``May I fly business class?``"""
    COMPARISON = "comparison"
    """How two things differ, or which of them is more: ``Is the train cheaper than the plane?``"""
    OTHER = "other"
    """Anything else, and every question in another language."""


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The patterns of one language, for a question in lower case without the signs around it.

    ``yes_no`` and ``choice`` are matched at the start of the question, behind a connective, and the
    others anywhere. A ``choice`` with a ``comparative`` is a comparison.
    """

    date: re.Pattern[str]
    number: re.Pattern[str]
    comparison: re.Pattern[str]
    choice: re.Pattern[str]
    comparative: re.Pattern[str]
    yes_no: re.Pattern[str]


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})", re.VERBOSE)


_PATTERNS: Final = {
    "english": _Patterns(
        date=_compile(
            r"""when\ (?:did|was|were|had|will)\b|(?:what|which)\ (?:exact\ )?(?:date|day|month|year
            |century|decade)\b
            |(?:at\ )?what\ time\b|(?:since|until|till|by)\ when\b
            |when\ (?:is|are|does|do)\b.*\b(?:begins?|starts?|ends?|opens?|closes?|due|expires?|published
            |held)\b"""
        ),
        number=_compile(
            r"""how\ (?:many|much|often|long|far|old|tall|large|big|heavy|fast|expensive)\b
            |(?:what|which)\ (?:is\ the\ |was\ the\ |are\ the\ )?(?:number|amount|percentage|share|price
            |population)\b
            |at\ what\ age\b|what\ (?:does|do|did)\b.*\bcosts?\b"""
        ),
        comparison=_compile(
            r"""differences?\ between|differs?\ from\b|(?:is|are)\ .*\bdifferent\ from\b|compared?\ (?:to
            |with)\b"""
        ),
        choice=_compile(r"which|who|is|are|was|were|does|do|did|has|have|can"),
        comparative=_compile(
            r"""(?:more|less|fewer)\ (?:\w+\ )?than\ (?!\d|one\b)|\w{3,}er\ than\ (?!\d|one\b)
            |(?:more|less|better|worse|cheaper|longer|shorter|higher|lower|bigger|larger|smaller|faster
            |slower|older
            |younger|newer|later|earlier|heavier|lighter|stronger|weaker|safer|easier|harder)\b.*,.*\bor\b"""
        ),
        yes_no=_compile(
            r"""(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will
            |would
            |isn['’]t|aren['’]t|don['’]t|doesn['’]t|can['’]t)\b"""
        ),
    ),
    "german": _Patterns(
        date=_compile(
            r"""wann\ (?:war|wurden?|hat|hatte|wird|werden)\b|(?:seit|bis|ab)\ wann\b|um\ wie\ ?viel\ uhr\b
            |(?:an\ welche[mn]|welcher|welches|welchen|in\ welche[mr])\ (?:tag|datum|monat|jahr
            |jahrhundert|jahrzehnt)\b
            |wann\b.*\b(?:beginnt|beginnen|endet|enden|öffnet|schließt|fällig|erschien|statt)\b"""
        ),
        number=_compile(
            r"""wie\ ?viele?[nrs]?\b|wie\ (?:oft|lange?|weit|alt|hoch|groß|schwer|schnell|teuer)\b
            |welche[nmr]?\ (?:anzahl|anteil|betrag|preis|prozentsatz)\b|was\ koste[nt]\b
            |wie\ (?:ist|war|lautet)\ (?:die\ (?:anzahl|zahl)|der\ (?:anteil|preis))\b"""
        ),
        comparison=_compile(
            r"unterschiede?\ zwischen\b|unterscheide[nt]\ sich\b|im\ vergleich\ (?:zu|mit)|verglichen\ mit\b"
        ),
        choice=_compile(r"welche[rsn]?|ist|sind|war|waren|hat|haben|kostet|kann|darf"),
        comparative=_compile(
            r"""(?:mehr|weniger)\ (?:\w+\ )?als\ (?!\d)|\w{3,}er\ als\ (?!\d)
            |(?:mehr|weniger|besser|schlechter|billiger|günstiger|teurer|länger|kürzer|höher|niedriger
            |größer|kleiner
            |schneller|langsamer|älter|jünger|neuer|später|früher|schwerer|leichter|stärker|schwächer
            |sicherer)\b.*\boder\b"""
        ),
        yes_no=_compile(
            r"""(?:ist|sind|war|waren|bin|hat|haben|habe|hatte|kann|können|könnte|darf|dürfen|muss|müssen
            |soll|sollen
            |sollte|wird|werden|würde|gibt\ es|gilt|gelten|brauche|brauchen|bekomme|bekommt|bekommen
            |gehört|zählt)\b"""
        ),
    ),
    "french": _Patterns(
        date=_compile(
            r"""quand\b.*\b(?:a-t-|ont-|a\ été|était|fut|furent|sera|commence|finit|ouvre|ferme)
            |(?:depuis|jusqu['’]à|à\ partir\ de)\ quand\b|à\ quelle\ heure\b
            |quelle?s?\ (?:est\ la\ )?(?:date|jour|mois|année|siècle|décennie)\b"""
        ),
        number=_compile(
            r"""combien\b|quel(?:le)?\ (?:est\ (?:le|la)\ |était\ (?:le|la)\ )?(?:nombre|montant
            |pourcentage|prix|âge|durée|part)\b
            |à\ quelle\ fréquence\b"""
        ),
        comparison=_compile(r"différences?\ entre\b|diffère(?:nt)?\ de\b|par\ rapport\ à\b|comparée?s?\ à\b"),
        choice=_compile(r"lequel|laquelle|qui|quel|quelle|est-ce|est|sont|a-t-|y\ a-t-il|\w+\ (?:est|sont)-"),
        comparative=_compile(
            r"""(?:plus|moins)\ (?:\w+\ )?qu(?:e\ |['’])(?!\d)|meilleure?s?\ qu(?:e\b|['’])
            |(?:plus|moins|mieux|meilleure?)\b.*\bou\b"""
        ),
        yes_no=_compile(
            r"""est-ce\ qu|est-il\b|est-elle\b|sont-ils\b|sont-elles\b|y\ a-t-il\b|a-t-on\b|a-t-il\b
            |a-t-elle\b|ai-je\b|dois-je\b
            |puis-je\b|peut-on\b|peux-tu\b|doit-on\b|faut-il\b|suis-je\b|avons-nous\b|pouvons-nous\b
            |devons-nous\b"""
        ),
    ),
    "spanish": _Patterns(
        date=_compile(
            r"""cuándo\ (?:fue|fueron|se\ \w+(?:ó|aron|ieron|rá|rán)|nació|murió|\w+ó|será|empieza
            |comienza|termina|abre|cierra)\b
            |(?:desde|hasta)\ cuándo\b|a\ qué\ hora\b|qué\ (?:día|fecha|mes|año|siglo|década)\b
            |cuál\ (?:es|fue)\ la\ fecha\b"""
        ),
        number=_compile(
            r"""cuánt[oa]s?\b|cada\ cuánto\b|qué\ (?:número|cantidad|porcentaje|precio|edad)\b
            |cuál\ (?:es|era|fue)\ (?:el|la)\ (?:número|cantidad|porcentaje|precio|edad|importe|total
            |población)\b"""
        ),
        comparison=_compile(
            r"""diferencias?\ entre\b|se\ diferencian?\b|en\ comparación\b|comparad[oa]s?\ con\b"""
        ),
        choice=_compile(r"cuál|cuáles|qué|quién|es|son|está|están|fue|tiene|cuesta"),
        comparative=_compile(
            r"""(?:más|menos)\ \w+\ que\ (?:el|la|los|las|un|una|en)\b|(?:mejor|peor|mayor|menor)\ que\ (?!\d)
            |(?:más|menos|mejor|peor|mayor|menor)\b.*,.*\bo\b"""
        ),
        yes_no=_compile(
            r"""(?:es|son|está|están|hay|puedo|puede|pueden|podemos|debo|debe|deben|debemos|tengo\ que
            |tiene|tienen
            |tengo|he|ha|han|fue|fueron|era|eran|será|se\ puede|se\ debe|hace\ falta|necesito|necesita)\b"""
        ),
    ),
}  # fmt: skip
_CONNECTIVE: Final = re.compile(r"(?:(?:and|but|so|und|aber|also|et|mais|y|pero)\b[ ,]*)+")
_LAST_QUESTION: Final = re.compile(r"[^.!?]*\?\s*$")


def classify_question(question: str, language: str | None = None) -> QuestionKind:
    """Return the kind of answer that a question asks for; of several sentences the last question counts.

    ``language`` decides where the question's own words fit several languages, or none.

    >>> str(classify_question("How many days off do I have?"))
    'number'
    >>> str(classify_question("I travel a lot. Is the train cheaper than the plane?"))
    'comparison'
    """
    last = _LAST_QUESTION.search(question)
    asked = " ".join((last[0] if last else question).lower().split()).strip(" ¿?¡!.\"'“”„«»")
    # In a tied vote the first language wins.
    candidates = dict.fromkeys((language, *_PATTERNS) if language in _PATTERNS else _PATTERNS)
    patterns = _PATTERNS.get(detect(asked, filter(None, candidates), quorum=0.2) or language or "")
    if patterns is None:
        return QuestionKind.OTHER
    connective = _CONNECTIVE.match(asked)
    return _match_kind(asked[connective.end() :] if connective else asked, patterns)


def _match_kind(asked: str, patterns: _Patterns) -> QuestionKind:
    if patterns.date.search(asked):
        return QuestionKind.DATE
    if patterns.number.search(asked):
        return QuestionKind.NUMBER
    chooses = patterns.choice.match(asked) and patterns.comparative.search(asked)
    if chooses or patterns.comparison.search(asked):
        return QuestionKind.COMPARISON
    return QuestionKind.YES_NO if patterns.yes_no.match(asked) else QuestionKind.OTHER
