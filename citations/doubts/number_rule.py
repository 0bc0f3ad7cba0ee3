"""Numbers of a sentence that none of its passages has."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import Final

from ..languages import LANGUAGES, either
from .number_words import number_words
from .numbers import DateInDigits, Number, find_dated_months, find_dates_in_digits, find_numbers
from .source_text import SourceText
from .units import CURRENCIES, measures

_DIGITS: Final = r"\d+(?:[.,'’]\d+)*"
_BEHIND: Final = r"([ \u00a0\u202f-]?([^\W\d_]+|[%€$£¥])|)"
_WRITTEN: Final = re.compile(f"({_DIGITS}){_BEHIND}")
"""A number in digits, and the word behind it."""
_PAID: Final = re.compile(f"((?:(?:{CURRENCIES.lower()}) ?)?{_DIGITS}){_BEHIND}")
"""The same with the currency before it, which takes several times as long."""
_CURRENCY: Final = re.compile(rf"(?:{CURRENCIES.lower()}) ?\d")
_ITEM: Final = re.compile(r"\A\W*\d{1,3}[.)](?=\s|\Z)")
"""The number of an item, which a source may leave out."""
_PUNCTUATION: Final = " .,;:!?)\"'”’»"
_BEFORE: Final = 30
"""Characters before a number that may say that it is rounded."""
MAX_NUMBERS: Final = 20
"""Numbers of a sentence that are compared."""
_TRIES: Final = 20
"""Places in a passage at which a number is looked for as it is written, before its value is."""


@cache
def _telling_words() -> tuple[frozenset[str], frozenset[str]]:
    """The words behind a number that belong to it, and those that are one."""
    known = measures()
    months = known.months.keys()
    return frozenset(known.units.keys() | known.scales.keys() | months), number_words().telling | months


@cache
def _rounded() -> re.Pattern[str]:
    """What says before a number that it is not exact."""
    words = either(LANGUAGES.words_of("sentences", "rounded"))
    return re.compile(rf"\b{words}\s(?:\w+\s)?[€$£]?\Z", re.IGNORECASE)


def find_doubtful_numbers(sentence: str, passages: Sequence[SourceText]) -> Iterator[str]:
    """The numbers and dates of ``sentence``, as it writes them, that none of ``passages`` has."""
    sentence = _ITEM.sub("", sentence)
    dates = tuple(islice(find_dates_in_digits(sentence), MAX_NUMBERS))
    for date in dates:
        if not any(_has_date(one, date) for one in passages):
            yield sentence[date.start : date.end]
    for number in islice(find_numbers(sentence), MAX_NUMBERS):
        if any(date.start <= number.start < date.end for date in dates):
            continue
        if not number.vague and number.values != (0.0,) and not _is_known(sentence, number, passages):
            yield sentence[number.start : number.end]
    for words_of_date, month in find_dated_months(sentence):
        if not stand_in([words_of_date.lower()], passages) and not any(
            month in one.months for one in passages
        ):
            yield words_of_date


def _has_date(passage: SourceText, date: DateInDigits) -> bool:
    """Whether a passage has the year, the day and the month of a date, in whatever form."""
    values = {value for value, _ in passage.values}
    first, second = date.parts
    has_day = (first in values and second in passage.months) or (second in values and first in passage.months)
    return has_day and (date.year in values or date.year + 1900 in values or date.year + 2000 in values)


def write_numbers(folded: str, words: Sequence[str]) -> list[str]:
    """The numbers of a sentence, in digits and in words, and its months, each with its unit.

    ``words`` are those of the sentence, which is in lower case.
    """
    numbers = _WRITTEN.findall(folded)
    if numbers and _CURRENCY.search(folded):
        numbers = _PAID.findall(folded)
    measured, spelled_words = _telling_words()
    found = [number + (behind if word in measured else "") for number, behind, word in numbers]
    if spelled := spelled_words.intersection(words):
        for word, behind in pairwise((*words, "")):
            if word in spelled:
                unit = behind.strip(_PUNCTUATION)
                found.append(f"{word} {unit}" if unit in measured or unit.isdigit() else word)
    return found


def _is_known(sentence: str, number: Number, passages: Sequence[SourceText]) -> bool:
    if stand_in([sentence[number.start : number.end].lower()], passages):
        return True
    unit = number.unit or ""
    if any(not {(number.digits, ""), (number.digits, unit)}.isdisjoint(one.digits) for one in passages):
        return True
    before = sentence[max(0, number.start - _BEFORE) : number.start]
    rounded = number.scaled or bool(_rounded().search(before))
    return any(
        _has_value(passage.values, value, _tolerance(value, rounded=rounded), number.unit)
        for passage in passages
        for value in number.values
    )


def _has_value(values: Sequence[tuple[float, str]], value: float, tolerance: float, unit: str | None) -> bool:
    """Whether one of the sorted ``values`` is near enough, and does not have another unit."""
    tolerance += 1e-9 * value
    first = bisect_left(values, (value - tolerance,))
    for other, its_unit in islice(values, first, None):
        if other > value + tolerance:
            return False
        if unit is None or its_unit in ("", unit):
            return True
    return False


def _tolerance(value: float, *, rounded: bool) -> float:
    """How far the source's number may be from an answer's: as far as its last digit, where it is rounded."""
    step = _last_digit(value)
    if value != int(value):
        return step
    if rounded:
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


def stand_in(written: Sequence[str], passages: Sequence[SourceText]) -> bool:
    """Whether each of the first :data:`MAX_NUMBERS` words stands in one of ``passages``."""
    for one in written[:MAX_NUMBERS]:
        for passage in passages:
            if f" {one} " in passage.folded or _stands_in(one, passage.folded):
                break
        else:
            return False
    return True


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
