"""The units behind a number, what multiplies it, and the names of months, in all languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from ..text.languages import LANGUAGES, either

_SIGNS: Final = "% min h km m² m³ m cm mm ft kg g mg l ml kb mb gb tb"
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
_BASES: Final[Mapping[str, Mapping[str, float]]] = {
    "s": {"min": 60, "h": 3600, "d": 86_400, "w": 604_800},
    "mo": {"y": 12},
    "m": {"km": 1000, "cm": 0.01, "mm": 0.001},
    "g": {"kg": 1000, "mg": 0.001, "t": 1e6},
    "l": {"ml": 0.001, "m³": 1000},
    "mb": {"kb": 0.001, "gb": 1000, "tb": 1e6},
    "money": {"cent": 0.01},
}
"""What a unit is worth in another, in which amounts of both are compared."""


class MeasureUnit(NamedTuple):
    """A unit: ``factor`` of it make one of the ``base`` in which amounts are compared."""

    sign: str
    base: str
    factor: float = 1


PERCENT: Final = MeasureUnit("%", "%")
HOUR: Final = MeasureUnit("h", "s", 3600)


@dataclass(frozen=True, slots=True)
class Measures:
    """The words around a number, in lower case.

    ``scales`` are what a word behind digits multiplies by: ``billion`` has two values.
    ``times`` is an expression for a unit of time.
    ``short_scales`` are words that are something else without a currency.
    ``behind`` finds a word or a phrase behind a number, and ``rate`` the unit of time behind *per*, or one of
    ``often``.
    ``rounded`` finds a word before an amount that is not exact, and ``ordinal`` the end of *4th*.
    """

    units: Mapping[str, MeasureUnit]
    scales: Mapping[str, tuple[float, ...]]
    times: str
    short_scales: frozenset[str]
    behind: re.Pattern[str]
    rate: re.Pattern[str]
    rounded: re.Pattern[str]
    timings: Mapping[str, str]
    """The words of units of time, with their signs."""
    often: Mapping[str, str]
    """Words that say *per* and the unit in one: *monthly*."""
    ordinal: re.Pattern[str]
    amounts: Mapping[str, tuple[float, MeasureUnit]]
    """Words that are an amount with its unit."""
    amount: re.Pattern[str]
    """One of them."""
    amount_words: frozenset[str]
    """The last words of them."""
    span: re.Pattern[str]
    """What stands between two numbers that have one unit."""
    rest: re.Pattern[str]
    """What stands between an amount and its cents."""
    joint: re.Pattern[str]
    """What may stand between what multiplies a number and its currency."""
    money: str
    """An expression for a currency."""


@cache
def measures() -> Measures:
    """The words of all languages, read once."""
    signs = _read_signs()
    scales: dict[str, tuple[float, ...]] = {}
    for table in ("scales", "short_scales"):
        for value, words in LANGUAGES.entries_of(table):
            for word in words:
                scales[word] = tuple(dict.fromkeys((*scales.get(word, ()), float(value))))
    kinds = either(LANGUAGES.words_of("dates", "kinds"))
    phrases = either(word for word in (*scales, *signs) if " " in word)
    timings = {word: sign for word, sign in signs.items() if sign in ("h", "d", "w", "mo", "y")}
    timings |= dict.fromkeys(LANGUAGES.words_of("sentences", "quarter"), "quarter")
    often = {word: sign for sign, words in LANGUAGES.entries_of("rates") for word in words}
    amounts = {
        one: (float(value), _unit(sign))
        for amount, words in LANGUAGES.entries_of("amounts")
        for value, sign in [amount.split()]
        for one in words
    }
    of = (*LANGUAGES.words_of("dates", "of"), *LANGUAGES.words_of("numbers", "of_a"))
    times, about = either(timings), LANGUAGES.words_of("sentences", "rounded")
    blank = r"[^\S\n]"
    also, per = either(LANGUAGES.words_of("markers", "and")), either(LANGUAGES.words_of("sentences", "per"))
    return Measures(
        {word: _unit(sign) for word, sign in signs.items()},
        scales,
        times,
        frozenset(word for _, words in LANGUAGES.entries_of("short_scales") for word in words),
        re.compile(rf"[ \u00a0\u202f-]?(?:{kinds}[ ])?({phrases}\b|[^\W\d_]+|[%€$£¥])"),
        re.compile(
            rf"""(?:(?!\s{also}\s)[^.;:,!?\d\n]){{0,40}}?(?:\b(?P<often>{either(often)})
            |(?:\b{per}{blank}|\bl['’]|/{blank}?)(?:(?P<kind>[^\W\d]+){blank})??(?P<time>{times}))\b""",
            re.VERBOSE | re.IGNORECASE,
        ),
        re.compile(rf"\b{either(about)}\s(?:\w+\s)?[€$£]?\Z", re.IGNORECASE),
        timings,
        often,
        re.compile(either(LANGUAGES.words_of("dates", "ordinals"))),
        amounts,
        re.compile(rf"\b{either(amounts)}\b"),
        frozenset(phrase.split()[-1] for phrase in amounts),
        re.compile(rf"\s?[-–×x/]\s?|\s{either(LANGUAGES.words_of('numbers', 'span'))}\s", re.IGNORECASE),
        re.compile(rf"(?:\s{either(LANGUAGES.words_of('numbers', 'cents'))})?\s"),
        re.compile(rf"(?:\.|{blank}{either(of)})?"),
        either(word for word, sign in signs.items() if sign in _CURRENCIES),
    )


def _read_signs() -> dict[str, str]:
    """The sign of the unit that each word, or sign, stands for."""
    signs = {sign: sign for sign in _SIGNS.split()}
    for unit, words in (
        *((one, tuple(all_.split())) for one, all_ in _CURRENCIES.items()),
        *LANGUAGES.entries_of("units"),
    ):
        signs |= dict.fromkeys(words, unit)
    return signs


def _unit(sign: str) -> MeasureUnit:
    for base, others in _BASES.items():
        if sign in others:
            return MeasureUnit(sign, base, others[sign])
    return MeasureUnit(sign, sign)


def units_like(base: str) -> tuple[str, ...]:
    """The bases of which an amount may be meant: a cent is one of any currency."""
    if base == "money":
        return ("money", *_CURRENCIES)
    return (base, "money") if base in _CURRENCIES else (base,)
