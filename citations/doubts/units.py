"""The units behind a number, what multiplies it, and the names of months, in all languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..languages import LANGUAGES, either
from .number_words import percent_words

_SIGNS: Final = "% min h km m cm mm ft kg g mg l ml kb mb gb tb"
"""Units that are written alike everywhere."""
_CURRENCIES: Final = {
    "EUR": "€ eur",
    "USD": "$ us$ usd",
    "GBP": "£ gbp",
    "CHF": "chf",
    "JPY": "¥ jpy",
}
CURRENCIES: Final = r"US\$|\$|€|£|¥|USD|EUR|GBP|CHF|JPY"
"""The form of a currency in front of a number."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The words around a number, in lower case.

    ``scales`` are what a word behind digits multiplies by: ``billion`` has two values.
    ``short_scales`` are words that are something else without a currency.
    ``behind`` finds a word behind a number, and ``per_cent`` its second word.
    """

    units: Mapping[str, str]
    scales: Mapping[str, tuple[float, ...]]
    short_scales: frozenset[str]
    months: Mapping[str, int]
    behind: re.Pattern[str]
    per: frozenset[str]
    per_cent: re.Pattern[str]
    dated_month: re.Pattern[str]


@cache
def measures() -> Measures:
    """The words of all languages, read once."""
    units = {sign: sign for sign in _SIGNS.split()}
    for unit, words in (
        *((one, tuple(all_.split())) for one, all_ in _CURRENCIES.items()),
        *LANGUAGES.entries_of("units"),
    ):
        units |= dict.fromkeys(words, unit)
    scales: dict[str, tuple[float, ...]] = {}
    for table in ("scales", "short_scales"):
        for value, words in LANGUAGES.entries_of(table):
            for word in words:
                scales[word] = tuple(dict.fromkeys((*scales.get(word, ()), float(value))))
    months = {
        name: number
        for language in LANGUAGES.tables.values()
        for number, names in enumerate(language.get("dates", {}).get("months", ()), 1)
        for name in names.split()
    }
    phrases = either(word for word in scales if " " in word)
    return Measures(
        units,
        scales,
        frozenset(word for _, words in LANGUAGES.entries_of("short_scales") for word in words),
        months,
        re.compile(rf"[ \u00a0\u202f-]?({phrases}|[^\W\d_]+|[%€$£¥])"),
        frozenset(percent_words()),
        re.compile(rf"[ \u00a0\u202f]{either(['100', *percent_words().values()])}\b"),
        _find_dated_month(either(months)),
    )


def _find_dated_month(month: str) -> re.Pattern[str]:
    """A month with the day or the year beside it."""
    ordinal, of = either(LANGUAGES.words_of("dates", "ordinals")), either(LANGUAGES.words_of("dates", "of"))
    year = either(LANGUAGES.words_of("dates", "year"))
    return re.compile(
        rf"""\b\d{{1,2}}(?:{ordinal})?[ \u00a0](?:{of}[ ])?(?P<behind>{month})\b
        |\b(?P<before>{month})\b\.?,?[ \u00a0](?:{year}[ ])?\d{{1,4}}\b""",
        re.VERBOSE | re.IGNORECASE,
    )
