"""Tells whether a sentence can be what a question asks for: a number, a duration, a date.

The words are those of :mod:`bot.languages`. Digits mean the same in all languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from citations.text.languages import either

from ...languages import LANGUAGES
from ..document import LOST
from ..question import QuestionKind, SearchQuery
from ..words import is_unsegmented


def _write_any(table: str, name: str) -> str:
    """The regular expressions that all languages have under ``name``, as one."""
    return "|".join(LANGUAGES.words_of(table, name)) or "(?!)"


_REFERENCE: Final = re.compile(
    # The numbers of list items, sections and notes are no amounts.
    rf"""\A\s*(?:[-*+•]\s*)?\(?\d+(?:\.\d+)*+[.)](?=\s)|\(\d{{1,2}}\)
    |(?:§§?|\b(?:{_write_any("answers", "references")}))\s*+\d++(?:[.,]\d++)*+
    (?:\s*(?:,|-|–|{_write_any("answers", "joints")})\s*+\d++(?:\.\d++)*+)*+""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    rf"\d|[一二三四五六七八九十百千万两半]|[½¼¾]|\b(?:{_write_any('answers', 'numbers')})\b", re.IGNORECASE
)
_UNIT: Final = rf"\b(?:{_write_any('answers', 'durations')})\b|[年月日天时小分周週]"
_DURATION: Final = re.compile(_UNIT, re.IGNORECASE)
_PERIOD: Final = re.compile(
    rf"(?:(?<!\d)\d++|[一二三四五六七八九十百千万两半½¼¾]|\b(?:{_write_any('answers', 'numbers')})\b)"
    rf"\W{{0,3}}(?:\w{{1,20}}\W{{1,3}}){{0,2}}?(?:{_UNIT})",
    re.IGNORECASE,
)
"""A number of units of time, as in ``within three weeks``; ``two receipts a year`` is none."""
_MONEY: Final = re.compile(
    rf"[$€£¥₹]|\b(?:usd|eur|chf|gbp|cad|aud|{_write_any('answers', 'money')})\b|元|円", re.IGNORECASE
)
_DATE: Final = re.compile(
    rf"\b\d{{4}}s?\b|\b\d{{1,2}}[./:-]\d{{1,2}}|\b(?:{_write_any('answers', 'dates')})\b|年|月|日|世纪",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    rf"\b{either(LANGUAGES.words_of('answers', 'conditions'))}(?!\w)", re.IGNORECASE
)
_LENGTH: Final = re.compile(r"\d\s?(?:[mck]?m|in|ft|yd|mi|[\"″′])(?!\w)")
"""A distance, which answers ``How long is the hedge?``"""
_TEMPLATE: Final = re.compile(
    rf"""\{{\{{?[^\S ]*+[\w.\- ]++\}}|<[a-z][\w -]*>(?!.*</)
    |\[(?:{_write_any("answers", "placeholders")})\b[^\]\n]*\](?!\()
    |_{{3,}}|\.{{5,}}|{LOST}|\bX{{3,}}\b|\bTODO\b|\blorem\ ipsum""",
    re.VERBOSE | re.IGNORECASE,
)
_FRAGMENT: Final = 60
"""A unit of fewer characters that ends as no sentence does may be a fragment."""
_SAYS: Final = re.compile(r"[\d:：|]|(?<![\W_])(?=[\W_]+\Z)[\W_]*?[.!?…。！？।॥؟۔]")
"""What tells a short unit from a fragment: a number, a pair of name and value, the end of a sentence."""
_LENGTHS: Final = frozenset(LANGUAGES.words_of("questions", "length"))
"""Words of a question about a number that ask for a duration. ``How long is the cable?`` is rarer."""
_PRICES: Final = frozenset(LANGUAGES.words_of("questions", "price"))
"""Words of a question about a number that ask for an amount of money."""
_PRICE: Final = re.compile(r"\bhow much (?:is|are) ", re.IGNORECASE)
"""``How much is a beer?`` asks for one, too."""


def asks_for_form(query: SearchQuery) -> bool:
    """Whether a question asks for a number or a date."""
    return query.asks in (QuestionKind.DATE, QuestionKind.NUMBER)


def answers_when(query: SearchQuery, text: str) -> bool:
    """Whether a question asks when something is so, and a text has a condition or a date."""
    return query.asks_when and bool(_CONDITION.search(text) or _DATE.search(text))


def lacks_time(query: SearchQuery, text: str) -> bool:
    """Whether a question asks when something is so, and a text has no condition, date or duration."""
    times = (_CONDITION, _DATE, _DURATION)
    return query.asks_when and not any(pattern.search(text) for pattern in times)


def lacks_amount(query: SearchQuery, texts: Iterable[str]) -> bool:
    """Whether a question asks for a duration or an amount of money, and no text has any."""
    needed = _find_unit(query)
    return needed is not None and not any(needed.search(text) or _LENGTH.search(text) for text in texts)


def _find_unit(query: SearchQuery) -> re.Pattern[str] | None:
    """What an amount has that a question asks for: a unit of time, or a currency; None for any other."""
    if query.asks is not QuestionKind.NUMBER:
        return None
    is_price = bool(_PRICES & query.words) or bool(_PRICE.search(query.text))
    return _DURATION if _LENGTHS & query.words else _MONEY if is_price else None


def has_form(query: SearchQuery, text: str) -> bool:
    """Whether a text can be the number, the date or the time that a question asks for; True for others."""
    if not asks_for_form(query):
        return not lacks_time(query, text)
    amounts = _REFERENCE.sub(" ", text)
    if query.asks is QuestionKind.NUMBER:
        needed = _find_unit(query)
        return bool(_NUMBER.search(amounts)) and (needed is None or bool(needed.search(amounts)))
    # ``Until when?`` is answered by ``within three weeks`` too, and ``When?`` by a condition.
    is_time = bool(_DATE.search(amounts) or _PERIOD.search(amounts))
    return is_time or answers_when(query, text)


def is_template(text: str) -> bool:
    """Whether a text has placeholders that are to be filled in, or lacks what could not be read."""
    return bool(_TEMPLATE.search(text))


def is_fragment(text: str) -> bool:
    """Whether a text is a few words that say nothing, such as ``Fines and parking tickets``."""
    return len(text) < _FRAGMENT and not _SAYS.search(text) and not is_unsegmented(text)
