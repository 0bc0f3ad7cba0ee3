"""This module tells whether a sentence can be what a question asks for: a number, a duration, a date.

It knows the words of English, German, French and Spanish. Digits mean the same in all languages.
"""

from __future__ import annotations

import re
from typing import Final

from .query import SearchQuery
from .question_kind import QuestionKind
from .words import is_unsegmented

_REFERENCE: Final = re.compile(
    # The numbers of list items, sections and notes are no amounts.
    r"""\A\s*(?:[-*+•]\s*)?\(?\d+(?:\.\d+)*[.)](?=\s)|\(\d{1,2}\)
    |(?:§§?|\b(?:art(?:ikel|icles?|ículos?|\.)?|abs(?:atz|atzes|\.)?|satz(?:es)?|nr\.|nummer|sections?|chapters?
    |kapitel|chapitres?|capítulos?|steps?|schritt|figures?|fig\.|tab(?:le|elle|\.)|pages?|seite|bylaws?|version
    |punkt|p\.|s\.))\s*\d+(?:[.,]\d+)*(?:\s*(?:,|-|–|and|und|bis|to|or|oder|et|y|o)\s*\d+(?:\.\d+)*)*""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"""\d|[一二三四五六七八九十百千万两半]|[½¼¾]|\b(?:
    two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty
    |thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|half|halves|once|twice|double
    |dozen|unlimited|zero
    |zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w{3,5}zehn|zwanzig|\w{3,5}ßig|\w{4,6}zig
    |hundert|tausend|halb\w*|einmal|zweimal|dreimal|doppelt\w*|dutzend|unbegrenzt\w*|einen?\ (?:tag|monat)
    |eine\ (?:woche|stunde|minute)|ein\ jahr|one\ (?:day|week|month|year|hour|minute)|an\ hour|an?\ (?:day
    |week|month|year)|null
    |deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|soixante|cent
    |mille|demie?|une\ fois|illimité\w*|un\ (?:jour|mois|an)|une\ (?:semaine|heure|minute|année)
    |dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|cuarenta|cincuenta|cien
    |ciento|mil|medi[oa]|una\ vez|ilimitad\w*|un\ (?:día|mes|año)|una\ (?:semana|hora))\b""",
    re.VERBOSE | re.IGNORECASE,
)
_DURATION: Final = re.compile(
    r"""\b(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|semesters?|quarters?|years?|decades?
    |centur(?:y|ies)|sekunden?|minuten?|stunden?|stündig\w*|tagen?|tages?|\w*tage[ns]?|nächten?|wochen?|\w*wochen
    |monat\w*|\w*monaten?|jahr\w*|jahrzehnten?|secondes?|heures?|jours?|semaines?|mois|années?|ans?|segundos?
    |minutos?|horas?|días?|semanas?|mes(?:es)?|años?)\b|[年月日天时小分周週]""",
    re.VERBOSE | re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"""[$€£¥₹]|\b(?:usd|eur|chf|gbp|cad|aud|dollars?|euros?|pounds?|cents?|francs?|franken|rappen|yen|pesos?
    |free|gratis|kostenlos\w*|kostenfrei\w*|gratuite?s?|gratuit[oa]s?)\b|元|円""",
    re.VERBOSE | re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"""\b\d{4}(?:s|er)?\b|\b\d{1,2}[./:-]\d{1,2}|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}\s?(?:[ap]\.?m\b|uhr|h\b|o['’]clock)
    |\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|aug|sept?
    |oct|nov|dec|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet
    |août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre
    |octubre|noviembre|diciembre|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?
    |mittwochs?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado
    |domingo|spring|summer|autumn|winter|frühling|sommer|herbst|printemps|été|automne|hiver|primavera|verano|otoño
    |invierno|noon|midnight|mittags?|mitternacht|midi|minuit|century|jahrhundert|siècle|siglo)\b|年|月|日|世纪""",
    re.VERBOSE | re.IGNORECASE,
)
_TEMPLATE: Final = re.compile(
    r"""\{\{?\s*[\w.\- ]+\}|<[a-z][\w -]*>(?!.*</)|\[(?:your|insert|enter|name|date|ihr|datum|votre|nom|su
    |nombre)\b[^\]\n]*\](?!\()|_{3,}|\.{5,}|\bX{3,}\b|\bTODO\b|\blorem\ ipsum""",
    re.VERBOSE | re.IGNORECASE,
)
_FRAGMENT: Final = 60
"""A unit of fewer characters that ends as no sentence does may be a fragment."""
_SAYS: Final = re.compile(r"[\d:：|]|[.!?…。！？।॥؟۔][\W_]*\Z")
"""What tells a short unit from a fragment: a number, a pair of name and value, the end of a sentence."""
_LENGTHS: Final = frozenset({"long", "lange", "lang", "temps", "tiempo"})
"""Words of a question about a number that ask for a duration. ``How long is the cable?`` is rarer."""

_PRICES: Final = frozenset(
    "cost costs price prices expensive kostet kosten teuer preis coûte prix cuesta cuestan precio".split()
)
"""Words of a question about a number that ask for an amount of money."""
_PRICE: Final = re.compile(r"\bhow much (?:is|are) ", re.IGNORECASE)
"""``How much is a beer?`` asks for one, too."""


def asks_for_form(query: SearchQuery) -> bool:
    """Return whether a question asks for a number or a date."""
    return query.asks is not QuestionKind.OTHER


def has_form(query: SearchQuery, text: str) -> bool:
    """Return whether a text can be the number or the date that a question asks for; True for others."""
    if not asks_for_form(query):
        return True
    amounts = _REFERENCE.sub(" ", text)
    is_amount = bool(_NUMBER.search(amounts))
    if query.asks is QuestionKind.NUMBER:
        is_price = bool(_PRICES & query.words) or bool(_PRICE.search(query.text))
        needed = _DURATION if _LENGTHS & query.words else _MONEY if is_price else None
        return is_amount and (needed is None or bool(needed.search(amounts)))
    # ``Until when?`` is answered by ``within three weeks`` too.
    return bool(_DATE.search(amounts)) or (is_amount and bool(_DURATION.search(amounts)))


def is_template(text: str) -> bool:
    """Return whether a text has placeholders that are to be filled in."""
    return bool(_TEMPLATE.search(text))


def is_fragment(text: str) -> bool:
    """Return whether a text is a few words that say nothing, such as ``Fines and parking tickets``."""
    return len(text) < _FRAGMENT and not _SAYS.search(text) and not is_unsegmented(text)
