"""Numbers of a sentence that none of its passages has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from .arithmetic import COUNTS, MOST_EQUAL, is_computed, is_counted
from .dates import Date, find_dates
from .numbers import YEARS, Number, read_rate
from .source_text import SourceText
from .units import PERCENT, units_like
from .written_number import MAX_NUMBERS, SentenceText, is_to_be_read, stands_in

_FOLLOWS: Final = re.compile(r":(?=\s|\Z)")
_MONTHS: Final = {"y": (12.0,), "mo": (1 / 12,)}
"""What is for a month makes twelve times as much for a year."""
_ENDS: Final = (1, 28, 29, 30, 31)
"""Days that are a beginning or an end of a month."""
_MOST_LISTED: Final = 20
"""A number without a unit up to this may count what the answer itself lists."""


class Figure(NamedTuple):
    """A number or a date of a sentence, as it writes it."""

    words: str
    read: Number | Date
    counts: tuple[float, ...] = ()
    """What else the sentence counts: it may have multiplied with that."""

    def is_in(self, passages: Sequence[SourceText]) -> bool:
        """Whether one of ``passages`` says it, or yields it."""
        return self.is_said_in(passages) or any(self._is_yielded_by(one) for one in passages)

    def is_said_in(self, passages: Sequence[SourceText]) -> bool:
        """Whether one of ``passages`` has it, in whatever form."""
        # Most answers write a number as its source does.
        if any(self.is_written_in(one) for one in passages):
            return True
        if isinstance(self.read, Date):
            return any(_has_date(one, self.read) for one in passages)
        return any(_has_number(one, self.read) for one in passages)

    def is_written_in(self, passage: SourceText) -> bool:
        """Whether a passage writes it so."""
        return not self._is_rate and stands_in(self.words.lower(), passage.folded)

    @property
    def _is_rate(self) -> bool:
        return isinstance(self.read, Number) and bool(self.read.per)

    @property
    def is_small(self) -> bool:
        """Whether it may count what the answer lists, and nothing in a source."""
        if isinstance(self.read, Date) or self.read.unit or self.read.scales:
            return False
        return max(self.read.values, default=0) <= _MOST_LISTED

    def _is_yielded_by(self, passage: SourceText) -> bool:
        """Whether it comes of two numbers of a passage: in its unit, or with one that has none."""
        number = self.read
        if isinstance(number, Date):
            return False
        unit, bases = number.unit, units_like(number.base)
        for value in number.amounts:
            added = _tolerance(value, number) if number.rounded else 0
            if (
                is_computed(passage.amounts, value, ("", *bases) if unit else bases, added)
                # "130 million more" may be euros.
                or (not unit and is_computed(passage.amounts, value, units_like("money"), added))
                or (unit and is_computed(passage.measured, value * unit.factor, bases, added * unit.factor))
                or (unit and is_counted(passage.measured, value * unit.factor, bases, self.counts))
            ):
                return True
        return False

    def find_rivals(self, passages: Sequence[SourceText], stated: Sequence[Figure]) -> tuple[str, ...]:
        """What ``passages`` have of its kind and the sentence does not say, as they write it: two at most.

        Without any, the sentence says all that can be compared, and this was computed, or written in another
        way. ``stated`` are the figures of the sentence.
        """
        others = [one.read for one in stated if one is not self]
        rivals: dict[str, None] = {}
        like = (
            _write_rate(passage, one) if self._is_rate and isinstance(one, Number) else words
            for passage in passages
            for words, one in passage.distinct
            if self._is_like(one) and not any(_is_same(one, other) for other in others)
        )
        for words in like:
            rivals[words] = None
            if len(rivals) > 1:
                break
        return tuple(rivals)

    def _is_like(self, other: Number | Date) -> bool:
        """Whether ``other`` is of the same kind: a date, a year, an amount in such a unit, or a number."""
        read = self.read
        if isinstance(read, Date):
            return isinstance(other, Date)
        if isinstance(other, Date):
            return read.is_year and other.year is not None
        if read.is_year or other.is_year:
            return read.is_year and other.is_year
        if read.unit:
            same_digits = not set(other.values).isdisjoint(read.values)
            if other.unit is None:
                return bool(other.scales)  # "millions d'euros"
            return same_digits or other.unit.base in units_like(read.unit.base)
        # "And 7 at Easter" may be days, but a word such as "three" may count what the source lists.
        return not other.vague and (other.unit is None or bool(other.scales) or self.words[:1].isdigit())


def find_figures(sentence: SentenceText, passages: Sequence[SourceText]) -> tuple[Figure, ...]:
    """The numbers and dates of ``sentence``; none where all stand in ``passages`` as they are written."""
    return tuple(_read_figures(sentence)) if is_to_be_read(sentence, passages) else ()


def _read_figures(sentence: SentenceText) -> Iterator[Figure]:
    scan = sentence.unnumbered
    dates = [one for one in islice(find_dates(scan), MAX_NUMBERS) if one.year or one.readings[0][0]]
    for date in dates:
        yield Figure(scan.words_between(date.start, date.end), date)
    numbers = [
        read_rate(scan, one)
        for one in sentence.numbers[:MAX_NUMBERS]
        if not any(date.start <= one.start < date.end for date in dates)
    ]
    for number in numbers:
        if not number.vague and number.values != (0.0,):
            alone = number.scales or number.unit in (None, PERCENT)
            others = [] if alone else [one for one in numbers if one.base != number.base]
            amounts = [value for one in others if not one.is_year for value in one.amounts]
            months = () if alone else _MONTHS.get(number.per, ())
            counts = (*[value for value in amounts if value in COUNTS], *months)
            figure = Figure(scan.words_between(number.start, number.end), number, counts)
            # "There are three options:"
            if not (figure.is_small and _FOLLOWS.search(scan.text, number.end)):
                yield figure


def _write_rate(passage: SourceText, number: Number) -> str:
    """The words of a number, with the time that it is for."""
    whole = read_rate(passage, number)
    return passage.words_between(whole.start, whole.end)


def _is_same(one: Number | Date, other: Number | Date) -> bool:
    if isinstance(one, Date) and isinstance(other, Date):
        return other.agrees(one) and (None in (one.year, other.year) or one.year == other.year)
    return isinstance(one, Number) and isinstance(other, Number) and one.equals(other)


def _has_date(passage: SourceText, date: Date) -> bool:
    """Whether a passage has the month with its day, and the year."""
    agreeing = [
        one
        for _, one in passage.distinct
        if isinstance(one, Date) and date.agrees(one) and (one.has_day or _has_day(passage, date))
    ]
    if date.year is None or any(one.year == date.year for one in agreeing):
        return bool(agreeing)
    return any(one.year is None for one in agreeing) and _has_year(passage, date.year)


def _has_day(passage: SourceText, date: Date) -> bool:
    """Whether a passage that has the month alone has the day, too: "by the end of May" says the 31st."""
    return any(
        day is None or day in _ENDS or any(True for _ in passage.amounts.find(day))
        for day, _ in date.readings
    )


def _has_year(passage: SourceText, year: float) -> bool:
    return (
        any(True for _ in passage.amounts.find(year))
        or any(one.year == year for one in passage.dates)
        or stands_in(f"{year:.0f}", passage.title)
    )


def _has_number(passage: SourceText, number: Number) -> bool:
    has = _has_amount if number.unit else _has_plain
    return any(has(passage, value, number) for value in number.amounts) or _has_digits(passage, number)


def _has_amount(passage: SourceText, value: float, number: Number) -> bool:
    """Whether a passage has a number with a unit, in that or another one, or without any."""
    unit, tolerance = number.unit or PERCENT, _tolerance(value, number)
    near = passage.measured.find(value * unit.factor, tolerance * unit.factor)
    plain = passage.measured.find(value, tolerance)
    return _fits(passage, near, number, units_like(unit.base)) or _fits(passage, plain, number, ("",))


def _has_plain(passage: SourceText, value: float, number: Number) -> bool:
    """Whether a passage has a number, whatever its unit; or one of its dates, or its title, has the year."""
    near = passage.amounts.find(value, _tolerance(value, number))
    return _fits(passage, near, number) or (value in YEARS and _has_year(passage, value))


def _has_digits(passage: SourceText, number: Number) -> bool:
    """Whether a table has the digits, and its heading may have what multiplies them."""
    return bool(number.scales) and any(
        not one.scales and one.values == number.values and one.unit in (None, number.unit)
        for one in passage.numbers
    )


def _fits(
    passage: SourceText, near: Iterable[Number], number: Number, bases: Sequence[str] | None = None
) -> bool:
    """Whether one of the numbers has such a unit, and is for the same time where both say one."""
    fitting = islice((one for one in near if bases is None or one.base in bases), MOST_EQUAL)
    return any(not number.per or read_rate(passage, one).per in ("", number.per) for one in fitting)


def _tolerance(value: float, number: Number) -> float:
    """How far the source's number may be from an answer's: as far as its last digit, where it is rounded."""
    step = _last_digit(value)
    if value != int(value):
        return step / 2
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
    digits = f"{value:.0f}".rstrip("0")
    return 10 ** (len(f"{value:.0f}") - len(digits)) if digits else 1
