"""The numbers of a text: amounts, percentages, dates and plain ones, with their units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .number_words import find_numbers_in_words
from .units import CURRENCIES, measures

_NUMBER: Final = re.compile(r"\d+(?:[ \u00a0\u202f]\d{3}(?!\d)|[.,'’]\d+)*")
_CURRENCY_BEFORE: Final = re.compile(rf"(?<!\d)({CURRENCIES})[ \u00a0\u202f]?\Z")
_GROUPED: Final = re.compile(r"\d{1,3}(?:([ \u00a0\u202f.,'’])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")
_DECIMAL: Final = re.compile(r"\d+(?:[.,]\d+)?")
_SIGNS: Final = re.compile(r"[ \u00a0\u202f'’]")
_DATE: Final = re.compile(
    r"(?<![\w.,/-])(?:(\d{4})([./-])(\d\d?)\2(\d\d?)|(\d\d?)([./-])(\d\d?)\6(\d{4}|\d\d))(?![\w/-])"
)
_DIGIT_BEFORE: Final = re.compile(r"\d.?\Z")
_LONGEST: Final = 18
"""Digits of a number that is compared by its value."""


class Number(NamedTuple):
    """``text[start:end]`` is a number with its unit.

    ``values`` are what it may mean: ``1.500`` is 1500 and 1.5. There are none for a version such as 3.5.2.
    ``digits`` is the number as it was written.
    ``vague`` says that it may be a part of a name, an ordinal or no number.
    """

    start: int
    end: int
    digits: str
    values: tuple[float, ...]
    unit: str | None = None
    vague: bool = False
    scaled: bool = False
    """Whether a word such as ``million`` multiplies it."""


def find_numbers(text: str) -> Iterator[Number]:
    """The numbers of ``text``, those in digits first.

    >>> [(one.values, one.unit) for one in find_numbers("50 days, 1.500,00 € und zwölf Wochen")]
    [((50.0,), 'd'), ((1500.0,), 'EUR'), ((12.0,), 'w')]
    """
    for match in _NUMBER.finditer(text):
        yield from _read(text, match)
    folded = text.lower()
    if len(folded) != len(text):
        return
    for word in find_numbers_in_words(folded):
        if word.start and folded[word.start - 1] == "-":
            continue
        unit, end = _unit_behind(text, word.end)
        if _DIGIT_BEFORE.search(folded, max(0, word.start - 2), word.start):
            continue  # it multiplies those digits
        value = float(word.value)
        # "Two" often sums up what a source lists.
        vague = word.vague or (word.value == 2 and unit is None)
        yield Number(word.start, end, text[word.start : word.end], (value,), unit, vague)


def _read(text: str, match: re.Match[str]) -> Iterator[Number]:
    digits, start, end = match[0], match.start(), match.end()
    currency = _CURRENCY_BEFORE.search(text, max(0, start - 4), start)
    if currency:
        start = currency.start()
    if _DATE.fullmatch(digits):
        yield from (Number(start, end, digits, (float(one),)) for one in digits.split("."))
        return
    values = tuple(dict.fromkeys(_values_of(digits)))
    before = text[max(0, start - 2) : start]
    vague = before[-1:].isalpha() or (before[:1].isalpha() and before[-1:] in "-–_")
    known = measures()
    unit = known.units[currency[1].lower()] if currency else None
    scaled = False
    if behind := known.behind.match(text, end):
        word = behind[1].lower()
        joined = behind.start(1) == end
        short = word in known.short_scales
        if (scale := known.scales.get(word)) and (unit or not short or (joined and word == "k")):
            values = tuple(value * one for value in values for one in scale)
            end, scaled = behind.end(), True
            found, end = _unit_behind(text, end)
            unit = unit or found
        elif unit is None:
            unit, end = _unit_behind(text, end)
            vague = vague or (joined and unit is None)
    yield Number(start, end, digits, values, unit, vague, scaled)


def _unit_behind(text: str, end: int) -> tuple[str | None, int]:
    """The unit behind offset ``end``, and the offset behind it."""
    known = measures()
    behind = known.behind.match(text, end)
    if behind is None:
        return None, end
    word = behind[1].lower()
    if word in known.per:
        percent = known.per_cent.match(text, behind.end())
        return ("%", percent.end()) if percent else (None, end)
    unit = known.units.get(word)
    return (unit, behind.end()) if unit else (None, end)


def _values_of(digits: str) -> Iterator[float]:
    """What the digits may mean, with any country's separators."""
    if len(digits) > _LONGEST:
        return
    plain = _SIGNS.sub("", digits)
    if _GROUPED.fullmatch(digits) and not digits.startswith("0"):
        whole, mark, rest = _cut_decimals(plain)
        yield float(re.sub(r"[.,]", "", whole) + (f".{rest}" if mark else ""))
    if _DECIMAL.fullmatch(plain):
        yield float(plain.replace(",", "."))


def _cut_decimals(digits: str) -> tuple[str, str, str]:
    """The digits before and behind the decimal mark: the last mark, if it differs from the others."""
    marks = [one for one in digits if one in ".,"]
    if len(marks) > 1 and marks[-1] != marks[0] and marks.count(marks[-1]) == 1:
        return digits.rpartition(marks[-1])
    if len(marks) == 1 and len(digits.rpartition(marks[0])[2]) != 3:
        return digits.rpartition(marks[0])
    return digits, "", ""


_MONTH_IN_DIGITS: Final = re.compile(
    r"\b(\d{1,4})[./-](\d{1,2})[./-](?:\d{1,4})\b|\b\d{4}-(\d\d)\b|\b(\d\d?)/\d{4}\b"
)
_LETTERS: Final = re.compile(r"[^\W\d_]+")


class DateInDigits(NamedTuple):
    """``text[start:end]`` is a date. One of ``parts`` is the day and the other the month."""

    start: int
    end: int
    year: int
    parts: tuple[int, int]


def find_dates_in_digits(text: str) -> Iterator[DateInDigits]:
    """The dates of ``text`` that are all digits."""
    for match in _DATE.finditer(text):
        year, _, first, second, third, _, fourth, last = match.groups()
        parts = (first, second) if year else (third, fourth)
        yield DateInDigits(match.start(), match.end(), int(year or last), (int(parts[0]), int(parts[1])))


def find_dated_months(text: str) -> Iterator[tuple[str, int]]:
    """The months of dates that name their month, as words of the text and as numbers."""
    months = measures().months
    if months.keys().isdisjoint(_LETTERS.findall(text.lower())):
        return
    for match in measures().dated_month.finditer(text):
        yield match[0], months[(match["behind"] or match["before"]).lower()]


def months_of(text: str) -> frozenset[int]:
    """The months that ``text`` names, and the numbers of its dates that may be months."""
    months = measures().months
    named = {months[word] for word in months.keys() & set(_LETTERS.findall(text.lower()))}
    numbered = {int(one) for match in _MONTH_IN_DIGITS.finditer(text) for one in match.groups() if one}
    return frozenset(named | numbered)
