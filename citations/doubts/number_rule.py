"""Numbers of a sentence that none of its passages has."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from .dates import Date, find_dates
from .number_words import number_words
from .numbers import Number, find_numbers
from .source_text import Amount, SourceText
from .units import PERCENT, units_like

_NUMERIC: Final = re.compile(r"\d")
_ITEM: Final = re.compile(r"\A\W*\d{1,3}[.)](?=\s|\Z)")
"""The number of an item, which a source may leave out."""
_NEAR: Final = 120
"""Characters between two numbers of a passage whose sum an answer may have."""
MAX_NUMBERS: Final = 20
"""Numbers of a sentence that are compared."""
_TRIES: Final = 20
"""Places in a passage at which a number is looked for as it is written, before its value is."""
_YEARS: Final = range(1800, 2200)


class Figure(NamedTuple):
    """A number or a date of a sentence, as it writes it."""

    words: str
    read: Number | Date
    written: str
    """The words in lower case, with the time that an amount is for."""

    def is_in(self, passages: Sequence[SourceText]) -> bool:
        """Whether one of ``passages`` has it, in whatever form."""
        # Most answers write a number as its source does.
        if any(_stands_in(self.written, one.folded) for one in passages):
            return True
        if isinstance(self.read, Date):
            return any(_has_date(one, self.read) for one in passages)
        return any(_has_number(one, self.read) for one in passages)

    def in_its_place(self, passages: Sequence[SourceText]) -> str:
        """The only number of ``passages`` with its unit, as it is written there; empty if there are more."""
        unit = None if isinstance(self.read, Date) else self.read.unit
        found = [
            one.text[number.start : number.end]
            for one in passages
            for number in one.numbers
            if unit and number.unit and number.unit.base in units_like(unit.base)
        ]
        return found[0] if len(found) == 1 else ""


@cache
def _telling() -> frozenset[str]:
    return number_words().telling


def find_figures(sentence: str, folded_words: Sequence[str]) -> Iterator[Figure]:
    """The numbers and dates of ``sentence`` that its sources should have. The words are in lower case."""
    if not _NUMERIC.search(sentence) and _telling().isdisjoint(folded_words):
        return
    sentence = _ITEM.sub(lambda match: " " * len(match[0]), sentence)
    dates = tuple(
        islice((one for one in find_dates(sentence) if one.year or one.readings[0][0]), MAX_NUMBERS)
    )
    for date in dates:
        words = sentence[date.start : date.end].strip()
        yield Figure(words, date, words.lower())
    for number in islice(find_numbers(sentence), MAX_NUMBERS):
        inside = any(date.start <= number.start < date.end for date in dates)
        if not inside and not number.vague and number.values != (0.0,):
            written = sentence[number.start : number.rate_end or number.end]
            yield Figure(sentence[number.start : number.end], number, written.lower())


def _has_date(passage: SourceText, date: Date) -> bool:
    """Whether a passage has the month with its day, and the year."""
    agreeing = [one for one in passage.dates if date.agrees(one)]
    if date.year is None or any(one.year == date.year for one in agreeing):
        return bool(agreeing)
    return any(one.year is None for one in agreeing) and _has_year(passage, date.year)


def _has_year(passage: SourceText, year: float) -> bool:
    return bool(_find(passage.amounts, year, 0)) or any(one.year == year for one in passage.dates)


def _has_number(passage: SourceText, number: Number) -> bool:
    has = _has_amount if number.unit else _has_plain
    return any(has(passage, value, number) for value in number.amounts) or _has_heading(passage, number)


def _has_amount(passage: SourceText, value: float, number: Number) -> bool:
    """Whether a passage has a number with a unit, in that or another one, or without any."""
    unit = number.unit or PERCENT
    bases, tolerance = units_like(unit.base), _tolerance(value, number)
    near = _find(passage.measured, value * unit.factor, tolerance * unit.factor)
    plain = _find(passage.measured, value, tolerance)
    return (
        _fits(near, number, bases)
        or _fits(plain, number, ("",))
        or _is_computed(passage.measured, value * unit.factor, bases)
        or _is_computed(passage.amounts, value, ("", *bases))
    )


def _has_plain(passage: SourceText, value: float, number: Number) -> bool:
    """Whether a passage has a number, whatever its unit; or its title has, or one of its dates."""
    return (
        _fits(_find(passage.amounts, value, _tolerance(value, number)), number)
        or value in passage.named
        or (value in _YEARS and _has_year(passage, value))
        or _is_computed(passage.amounts, value, ("",))
    )


def _has_heading(passage: SourceText, number: Number) -> bool:
    """Whether a table has the digits, and its heading what multiplies them."""
    if passage.scales.isdisjoint(number.scales):
        return False
    return any(
        not one.scales and one.values == number.values and (one.unit is None or one.unit == number.unit)
        for one in passage.numbers
    )


def _fits(near: Sequence[Amount], number: Number, bases: Sequence[str] | None = None) -> bool:
    """Whether one of the amounts has such a unit, and is for the same time where both say one."""
    fitting = (one for one in near if bases is None or one.base in bases)
    return any(not number.per or one.per in ("", number.per) for one in fitting)


def _find(amounts: Sequence[Amount], value: float, tolerance: float) -> Sequence[Amount]:
    """Those of the sorted ``amounts`` that are near enough."""
    tolerance += 1e-9 * value
    first = bisect_left(amounts, (value - tolerance,))
    last = bisect_left(amounts, (value + tolerance, "\U0010ffff"), first)
    return amounts[first:last]


def _is_computed(amounts: Sequence[Amount], value: float, bases: Sequence[str]) -> bool:
    """Whether ``value`` is the sum or the difference of two numbers that stand together."""
    for one in amounts:
        if not _counts(one, bases):
            continue
        for other in (*_find(amounts, value - one.value, 0), *_find(amounts, value + one.value, 0)):
            near = 0 < abs(other.start - one.start) < _NEAR
            if near and _counts(other, bases) and (one.base or other.base or bases == ("",)):
                return True
    return False


def _counts(amount: Amount, bases: Sequence[str]) -> bool:
    """Whether an amount may be added to another: it has such a unit, and is no year or a part."""
    year = not amount.base and amount.value in _YEARS
    return amount.base in bases and not amount.vague and not year and amount.value > 0


def _tolerance(value: float, number: Number) -> float:
    """How far the source's number may be from an answer's: as far as its last digit, where it is rounded."""
    step = _last_digit(value)
    if value != int(value):
        return step
    if number.rounded or number.scales:
        return step / 2 if step > 1 else 0
    # Other numbers below this may be years, prices and counts, which are exact.
    return step / 2 if value >= 10_000 else 0


def _last_digit(value: float) -> float:
    """The value of the last digit that is not zero.

    >>> [_last_digit(value) for value in (0.0, 5.0, 1500.0, 2.25)]
    [1, 1, 100, 0.01]
    """
    if value != int(value):
        return 10.0 ** -len(repr(value).partition(".")[2])
    step = 1
    while value and value % (step * 10) == 0:
        step *= 10
    return step


def _stands_in(written: str, folded: str) -> bool:
    """Whether the words stand in the text, and not as a part of a longer number."""
    place = -1
    for _ in range(_TRIES):
        place = folded.find(written, place + 1)
        if place < 0:
            return False
        end = place + len(written)
        before, behind = folded[max(0, place - 2) : place], folded[end : end + 2]
        if (
            not before[-1:].isalnum()
            and not (before[:1].isdigit() and before[1:] in (".", ","))
            and not (behind[:1].isalnum() or (behind[:1] in (".", ",") and behind[1:].isdigit()))
        ):
            return True
    return False
