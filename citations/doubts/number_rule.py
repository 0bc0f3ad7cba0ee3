"""Numbers of a sentence that none of its passages has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from .number_words import NUMBER_WORDS
from .numbers import Number, find_dated_months, find_numbers
from .passage import Passage
from .units import CURRENCIES, MONTHS, SCALES, UNITS

_WRITTEN: Final = re.compile(
    rf"((?:(?:{CURRENCIES.lower()}) ?)?\d+(?:[.,'’]\d+)*)([ \u00a0\u202f-]?([^\W\d_]+|[%€$£¥])|)"
)
"""A number in digits with the currency before it, and the word behind it."""
_MEASURES: Final = UNITS.keys() | SCALES.keys() | MONTHS.keys()
_DIGIT: Final = re.compile(r"\d")
_SPELLED: Final = NUMBER_WORDS | MONTHS.keys()
_PUNCTUATION: Final = " .,;:!?)\"'”’»"
_ROUNDED: Final = re.compile(
    r"""\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|than|under|up\sto|least|most|some|close\sto
    |ca\.?|circa|rund|etwa|ungefähr|knapp|fast|gut|über|unter|als|bis\szu|mindestens|höchstens
    |environ|près\sde|presque|quelque|plus\sde|moins\sde|jusqu['’]à|moins|plus
    |unos|unas|cerca\sde|casi|más\sde|menos\sde|alrededor\sde|aproximadamente|hasta|menos)\s(?:\w+\s)?[€$£]?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE: Final = 30


def find_doubtful_numbers(sentence: str, words: Sequence[str], passages: Sequence[Passage]) -> Iterator[str]:
    """The numbers and dates of ``sentence``, as it writes them, that none of ``passages`` has.

    ``words`` are those of the sentence in lower case.
    """
    # Most answers write a number as its source does.
    if all(_stands_in_any(one, passages) for one in _written(sentence, words)):
        return
    for number in find_numbers(sentence):
        if not number.vague and number.values != (0.0,) and not _is_known(sentence, number, passages):
            yield sentence[number.start : number.end]
    for date, month in find_dated_months(sentence):
        if not _stands_in_any(date.lower(), passages) and not any(month in one.months for one in passages):
            yield date


def _written(sentence: str, words: Sequence[str]) -> list[str]:
    """The numbers of ``sentence``, in digits and in words, and its months, each with its unit."""
    found: list[str] = []
    if _DIGIT.search(sentence):
        numbers = _WRITTEN.findall(sentence.lower())
        found += [number + (behind if word in _MEASURES else "") for number, behind, word in numbers]
    if spelled := _SPELLED.intersection(words):
        for word, behind in pairwise((*words, "")):
            if word in spelled:
                unit = behind.strip(_PUNCTUATION)
                found.append(f"{word} {unit}" if unit in _MEASURES or unit.isdigit() else word)
    return found


def _is_known(sentence: str, number: Number, passages: Sequence[Passage]) -> bool:
    if _stands_in_any(sentence[number.start : number.end].lower(), passages):
        return True
    rounded = number.scaled or bool(_ROUNDED.search(sentence, max(0, number.start - _BEFORE), number.start))
    ranges = [(value, _tolerance(value, rounded=rounded)) for value in number.values]
    units: set[str | None] = set()
    for passage in passages:
        for one in passage.numbers:
            if one.digits == number.digits or _is_near(one, ranges):
                if one.unit == number.unit or None in (one.unit, number.unit):
                    return True
                units.add(one.unit)
    return False


def _is_near(number: Number, ranges: Sequence[tuple[float, float]]) -> bool:
    return any(
        abs(value - theirs) <= tolerance + 1e-9 * value
        for value, tolerance in ranges
        for theirs in number.values
    )


def _tolerance(value: float, *, rounded: bool) -> float:
    """How far the source's number may be from an answer's: as far as its last digit, where it is rounded."""
    step = _last_digit(value)
    if value != int(value):
        return step
    if rounded:
        return step if step > 1 else 0
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


def _stands_in_any(written: str, passages: Sequence[Passage]) -> bool:
    return any(_stands_in(written, passage.folded) for passage in passages)


def _stands_in(written: str, folded: str) -> bool:
    """Whether the words stand in the text, and not as a part of a longer number."""
    place = folded.find(written)
    while place >= 0:
        end = place + len(written)
        before, behind = folded[max(0, place - 2) : place], folded[end : end + 2]
        if (
            not before[-1:].isalnum()
            and not (before[:1].isdigit() and before[1:] in (".", ","))
            and not (behind[:1].isalnum() or (behind[:1] in (".", ",") and behind[1:].isdigit()))
        ):
            return True
        place = folded.find(written, place + 1)
    return False
