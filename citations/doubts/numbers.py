"""The numbers of a text: amounts, percentages, times of day and plain ones, with their units."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from .number_words import find_numbers_in_words, find_parts, number_words
from .text_scan import TextScan
from .units import CURRENCIES, HOUR, PERCENT, MeasureUnit, measures

_NUMBER: Final = re.compile(r"\d+(?:[ \u00a0\u202f]\d{3}(?!\d)|[.,'’]\d+)*")
_CURRENCY_BEFORE: Final = re.compile(rf"(?<!\d)({CURRENCIES})[ \u00a0\u202f]?\Z")
_CURRENCY_ENDS: Final = frozenset(one[-1] for one in CURRENCIES.split("|"))
_GROUPED: Final = re.compile(r"\d{1,3}(?:([ \u00a0\u202f.,'’])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")
_DECIMAL: Final = re.compile(r"\d+(?:[.,]\d+)?")
_MONEY: Final = frozenset(CURRENCIES.split("|"))
_SIGNS: Final = re.compile(r"[ \u00a0\u202f'’]")
_JOINED: Final = re.compile(r"(?:\d.?|-)\Z")
_TIME: Final = re.compile(
    r"""(?<![\d.,:/])(?<!\D-)([01]?\d|2[0-4])(?:
        (?::|\s?h\s?|[.](?=\d\d\s?(?:h\b|uhr|[ap]\.?m\b)))([0-5]\d)(?![\d:%])(?:\s?(?:uhr\b|h\b))?(?:\s?([ap])\.?m\b\.?)?
        |\s?(?:uhr\b|([ap])\.?m\b\.?))""",
    re.VERBOSE | re.IGNORECASE,
)
"""A time of day: ``9:15``, ``9.15 Uhr``, ``9 h 15``, ``9 am``."""
YEARS: Final = frozenset(range(1800, 2200))
_LONGEST: Final = 18
"""Digits of a number that is compared by its value."""
_BESIDE: Final = 12
"""Characters between a number and a half or a quarter that belongs to it."""
_BEFORE: Final = 30
"""Characters before a number that may say that it is rounded, or between two that may be one."""


class Number(NamedTuple):
    """``text[start:end]`` is a number with its unit.

    ``values`` are what its digits may mean: ``1.500`` is 1500 and 1.5. There are none for a version such as
    3.5.2. ``scales`` are what a word such as ``million`` multiplies them by.
    ``vague`` says that it may be a part of a name, an ordinal or no number.
    """

    start: int
    end: int
    values: tuple[float, ...]
    unit: MeasureUnit | None = None
    vague: bool = False
    scales: tuple[float, ...] = ()
    tail: int = 0
    """Where a rate would stand; 0 for what has none."""
    per: str = ""
    """The unit of time behind *per*, where :func:`finish` has read it."""
    rounded: bool = False
    """Whether a word says that it is not exact, where :func:`finish` has read it."""

    @property
    def amounts(self) -> tuple[float, ...]:
        """The values, multiplied by what is written behind them."""
        if not self.scales:
            return self.values
        return tuple(value * scale for value in self.values for scale in self.scales)

    @property
    def is_year(self) -> bool:
        """Whether it may be a year."""
        written_so = not self.unit and self.end - self.start == len("2024")
        return written_so and not YEARS.isdisjoint(self.values)

    @property
    def base(self) -> str:
        """The unit in which it is compared; empty without one."""
        return self.unit.base if self.unit else ""

    @property
    def measured(self) -> tuple[float, ...]:
        """The amounts in that unit."""
        return tuple(value * self.unit.factor for value in self.amounts) if self.unit else self.amounts

    def equals(self, other: Number) -> bool:
        """Whether both may be the same amount."""
        return self.base == other.base and not set(self.measured).isdisjoint(other.measured)


def find_numbers(scan: TextScan) -> tuple[Number, ...]:
    """The numbers of a text in order.

    >>> scan = TextScan("50 days, 1.500,00 € und zwölf Wochen")
    >>> [(one.values, one.unit.sign) for one in find_numbers(scan)]
    [((50.0,), 'd'), ((1500.0,), 'EUR'), ((12.0,), 'w')]
    """
    found = [*_find_in_digits(scan)]
    if words := [*_find_in_words(scan)]:
        taken = {offset for one in found for offset in range(one.start, one.end)}
        found += (one for one in words if one.start not in taken)
        found.sort()
    return tuple(_join(scan.text, _find_amounts(scan, found)))


def _find_amounts(scan: TextScan, numbers: list[Number]) -> list[Number]:
    """The numbers, with words that are an amount: *quinze jours* are 15 days, or two weeks."""
    known = measures()
    if known.amount_words.isdisjoint(scan.words):
        return numbers
    found: list[Number] = []
    starts, done = [one.start for one in numbers], 0
    for match in known.amount.finditer(scan.folded):
        first, last = bisect_left(starts, match.start()), bisect_left(starts, match.end())
        value, unit = known.amounts[" ".join(match[0].split())]
        values = [read for one in numbers[first:last] if one.unit == unit for read in one.values[:1]]
        found += numbers[done:first]
        found.append(Number(*match.span(), tuple(dict.fromkeys((*values, value))), unit, tail=match.end()))
        done = last
    return found + numbers[done:]


def _find_in_digits(scan: TextScan) -> Iterator[Number]:
    end = 0
    for start in scan.digits:
        if start < end:
            continue
        if time := _TIME.match(scan.text, start):
            end = time.end()
            yield _read_time(time)
        elif number := _NUMBER.match(scan.text, start):
            end = number.end()
            yield _read(scan.text, number)


def _read_time(time: re.Match[str]) -> Number:
    hour, half = int(time[1]), (time[3] or time[4] or "").lower()
    if half:
        hour = hour % 12 + 12 * (half == "p")
    return Number(time.start(), time.end(), (hour + int(time[2] or 0) / 60,), HOUR)


def _find_in_words(scan: TextScan) -> Iterator[Number]:
    text = scan.text
    parts = tuple(find_parts(scan))
    counts = {part.start for part in parts}
    for word in find_numbers_in_words(scan):
        # Behind digits, it multiplies them.
        if word.start in counts or _JOINED.search(text, max(0, word.start - 2), word.start):
            continue
        unit, end = _unit_behind(text, word.end)
        # "Two" often sums up what a source lists. "Halb zwölf" and "dos horas y media" are other amounts.
        beside = [
            part.parts / part.value
            for part in parts
            if part.value in (2, 4) and max(part.start - end, word.start - part.end) < _BESIDE
        ]
        vague = bool(beside) or word.value == 1 or (unit is None and (word.vague or word.value == 2))
        values = (float(word.value), *(word.value + share for share in beside))
        yield Number(word.start, end, values, unit, vague, tail=end)
    for part in parts:
        whole = number_words().whole.match(scan.folded, part.end)
        unit, end = _unit_behind(text, whole.end() if whole else part.end)
        if part.value > 2 and not whole:
            # "From the fourth month on" is one month, "the fourth edition" may be a name.
            yield Number(part.start, end, _reached(part.value), unit, unit is None, tail=end)
        share = part.parts / part.value
        yield Number(part.start, part.end, (share,), unit, vague=True)
        percent = (100 * share, *(round(100 * share, places) for places in (0, 1, 2)))
        yield Number(part.start, part.end, percent, PERCENT, vague=True)


def _reached(place: float) -> tuple[float, ...]:
    """A place, and how many are over when it begins: the fifth year begins after four."""
    return float(place), place - 1.0


def _join(text: str, numbers: Sequence[Number]) -> Iterator[Number]:
    """The numbers, with *one in four* as 25 %, *13 euros 50* as one amount, and *3 to 5 days* as two."""
    among = number_words().among
    joined: Number | None = None
    for one, other in pairwise((*numbers, None)):
        if one is None or (joined and one.start < joined.end):
            continue
        if not other or other.start - one.end >= _BEFORE or not (one.values and other.values):
            yield one
            continue
        between = text[one.end : other.start]
        if 0 < one.values[0] < other.values[0] and not one.unit and among.fullmatch(between):
            share = 100 * one.values[0] / other.values[0]
            values = tuple(round(share, places) for places in (0, 1, 2))
            joined = Number(one.start, other.end, values, PERCENT, vague=True)
            yield joined
        elif parts := _find_rest(between, one, other):
            joined = one._replace(end=other.end, values=(one.values[0] + other.values[0] / parts,))
            yield joined
            continue
        yield _give_unit(between, one, other)


def _find_rest(between: str, one: Number, other: Number) -> int:
    """How many of ``other`` make one unit of ``one``, if they are its cents or its minutes, else 0."""
    parts = 100 if one.base in _MONEY else 60 if one.unit == HOUR else 0
    fits = parts and not (one.scales or other.unit) and 1 < other.values[0] < parts
    return parts if fits and measures().rest.fullmatch(between) else 0


def _give_unit(between: str, one: Number, other: Number) -> Number:
    """The first of two numbers that have one unit, which stands behind the other."""
    alone = other.unit and not (one.unit or one.scales or one.vague)
    if not (alone and measures().span.fullmatch(between)):
        return one
    values = one.values
    if other.unit == HOUR:  # "12.40 to 1.25 pm"
        hours = [int(value) + round(value % 1 * 100) / 60 for value in values]
        values = (*values, *hours, *(hour + 12 for hour in hours if hour < 12 <= other.values[0]))
    return one._replace(unit=other.unit, values=tuple(dict.fromkeys(values)))


def _read(text: str, match: re.Match[str]) -> Number:
    known = measures()
    digits, start, end = match[0], match.start(), match.end()
    plain = digits.isdecimal() and len(digits) <= _LONGEST
    values = (float(digits),) if plain else tuple(dict.fromkeys(_values_of(digits)))
    unit: MeasureUnit | None = None
    scales: tuple[float, ...] = ()
    before = text[max(0, start - 2) : start]
    may_have = before.rstrip()[-1:] in _CURRENCY_ENDS
    if may_have and (currency := _CURRENCY_BEFORE.search(text, max(0, start - 4), start)):
        unit, start = known.units[currency[1].lower()], currency.start()
        before = text[max(0, start - 2) : start]
    vague = before[-1:].isalpha() or (before[:1].isalpha() and before[-1:] in "-–_")
    if behind := known.behind.match(text, end):
        word = behind[1].lower()
        joined = behind.start(1) == end
        short = word in known.short_scales
        scale, scaled = known.scales.get(word), behind.end()
        money = _money_behind(text, scaled, short=short) if scale else None
        if scale and (unit or not short or (joined and word in "km") or money):
            found, end = money or _unit_behind(text, scaled)
            unit, scales = unit or found, scale
        elif unit is None:
            # "The 4th month" is one month, "the 4th edition" may be a name.
            place = joined and known.ordinal.match(text, end)
            if place:
                unit, place_end = _unit_behind(text, place.end())
                values = _reached(values[0]) if place[0] and unit and values else values
            else:
                unit, place_end = known.units.get(word), behind.end()
            end = place_end if unit else end
            vague = vague or (joined and unit is None)
    return Number(start, end, values, unit, vague, scales, end)


def read_rate(scan: TextScan, number: Number) -> Number:
    """The number of a text, with what is said around it: its words are those of its rate, too."""
    if not number.tail:
        return number
    known = measures()
    rounded = known.rounded.search(scan.text, max(0, number.start - _BEFORE), number.start)
    rate = known.rate.match(scan.folded, number.tail)
    if rate and number_words().values.get(rate["kind"], 1) > 1:
        rate = None  # "every three months" is no month
    per = (known.often.get(rate["often"]) or known.timings[rate["time"]]) if rate else ""
    return number._replace(end=rate.end() if rate else number.end, per=per, rounded=bool(rounded))


def _money_behind(text: str, end: int, *, short: bool) -> tuple[MeasureUnit, int] | None:
    """The currency behind a scale, and the offset behind it: "3 Mio. Euro", "3 millions d'euros", "3 M€"."""
    joint = measures().joint.match(text, end) if not short else None
    unit, stop = _unit_behind(text, joint.end() if joint else end)
    return (unit, stop) if unit and unit.sign in _MONEY else None


def _unit_behind(text: str, end: int) -> tuple[MeasureUnit | None, int]:
    """The unit behind offset ``end``, and the offset behind it."""
    behind = measures().behind.match(text, end)
    unit = measures().units.get(behind[1].lower()) if behind else None
    return (unit, behind.end()) if behind and unit else (None, end)


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
