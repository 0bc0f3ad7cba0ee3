"""This module tells whether a question asks for a number or a date, in English, German, French and Spanish.

A kind is claimed only where the words leave no doubt. ``When do I need a receipt?`` may ask for a
condition, so it is not :attr:`QuestionKind.DATE`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final


class QuestionKind(StrEnum):
    """What a question asks for."""

    DATE = "date"
    """A date, a year or a time of day: ``When was it founded?``"""
    NUMBER = "number"
    """A number or an amount, in digits or in words: ``How many days?``"""
    OTHER = "other"
    """Anything else, and every question in another language."""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})", re.VERBOSE)


_PATTERNS: Final = {
    QuestionKind.DATE: _compile(
        r"""when\ (?:did|was|were|had|will)\b|(?:what|which)\ (?:exact\ )?(?:date|day|month|year
        |century|decade)\b|what\ time\b|(?:since|until|till|by)\ when\b
        |when\ (?:is|are|does|do)\b.*\b(?:begins?|starts?|ends?|opens?|closes?|due|expires?|published|held)\b
        |wann\ (?:war|wurden?|hat|hatte|wird|werden)\b|(?:seit|bis|ab)\ wann\b|um\ wie\ ?viel\ uhr\b
        |(?:an\ welche[mn]|welcher|welches|welchen|in\ welche[mr])\ (?:tag|datum|monat|jahr
        |jahrhundert|jahrzehnt)\b
        |wann\b.*\b(?:beginnt|beginnen|endet|enden|öffnet|schließt|fällig|erschien|statt)\b
        |quand\b.*\b(?:a-t-|ont-|a\ été|était|fut|furent|sera|commence|finit|ouvre|ferme)
        |(?:depuis|jusqu['’]à|à\ partir\ de)\ quand\b|à\ quelle\ heure\b
        |quelle?s?\ (?:est\ la\ )?(?:date|jour|mois|année|siècle|décennie)\b
        |cuándo\ (?:fue|fueron|se\ \w+(?:ó|aron|ieron|rá|rán)|nació|murió|\w+ó|será|empieza|comienza|termina
        |abre|cierra)\b
        |(?:desde|hasta)\ cuándo\b|a\ qué\ hora\b|qué\ (?:día|fecha|mes|año|siglo|década)\b
        |cuál\ (?:es|fue)\ la\ fecha\b"""
    ),
    QuestionKind.NUMBER: _compile(
        r"""how\ (?:many|much|often|long|far|old|tall|large|big|heavy|fast|expensive)\b
        |(?:what|which)\ (?:is\ the\ |was\ the\ |are\ the\ )?(?:number|amount|percentage|share|price
        |population)\b|at\ what\ age\b|what\ (?:does|do|did)\b.*\bcosts?\b
        |wie\ ?viele?[nrs]?\b|wie\ (?:oft|lange?|weit|alt|hoch|groß|schwer|schnell|teuer)\b
        |welche[nmr]?\ (?:anzahl|anteil|betrag|preis|prozentsatz)\b|was\ koste[nt]\b
        |wie\ (?:ist|war|lautet)\ (?:die\ (?:anzahl|zahl)|der\ (?:anteil|preis))\b
        |combien\b|quel(?:le)?\ (?:est\ (?:le|la)\ |était\ (?:le|la)\ )?(?:nombre|montant|pourcentage|prix
        |âge|durée|part)\b|à\ quelle\ fréquence\b
        |cuánt[oa]s?\b|cada\ cuánto\b|qué\ (?:número|cantidad|porcentaje|precio|edad)\b
        |cuál\ (?:es|era|fue)\ (?:el|la)\ (?:número|cantidad|porcentaje|precio|edad|importe|total
        |población)\b"""
    ),
}
_LAST_QUESTION: Final = re.compile(r"[^.!?]*\?\s*$")


def classify_question(question: str) -> QuestionKind:
    """Return the kind of answer that a question asks for; of several sentences the last question counts.

    >>> str(classify_question("How many days off do I have?"))
    'number'
    >>> str(classify_question("I travel a lot. When was the firm founded?"))
    'date'
    """
    last = _LAST_QUESTION.search(question)
    asked = " ".join((last[0] if last else question).lower().split())
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(asked)), QuestionKind.OTHER)
