"""Amounts of a passage, and what an answer may have computed of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import Final

from .numbers import Number
from .units import PERCENT

COUNTS: Final = frozenset(range(2, 1000))
"""How often a sentence may take an amount."""
MOST_EQUAL: Final = 100
"""Equal numbers of a passage that are compared."""
_FEW: Final = 20
_STEPS: Final = 16
"""Steps of one on the scale on which amounts are looked up."""
_BESIDE: Final = 120
"""Characters between two numbers of a passage that an answer may add up."""
_MOST_TERMS: Final = 300
"""Numbers of a passage from which one of an answer may have been computed."""
_start: Final = attrgetter("start")


class Amounts:
    """Numbers by what they may be worth, each in its unit or in the base of that."""

    def __init__(self, amounts: Iterable[tuple[float, Number]]) -> None:
        self._numbers: dict[float, list[Number]] = {}
        for value, one in amounts:
            self._numbers.setdefault(value, []).append(one)
        self._values = sorted(self._numbers)
        self._terms: dict[Sequence[str], dict[float, list[Number]]] = {}

    def terms(self, bases: Sequence[str]) -> Mapping[float, Sequence[Number]]:
        """Those in these units that may be terms of a calculation; without units, all of them."""
        found = self._terms.get(bases)
        if found is None:
            found = self._terms[bases] = {}
            able = ((value, one) for value, numbers in self._numbers.items() for one in numbers if value > 0)
            for value, one in islice((pair for pair in able if _is_term(pair[1], bases)), _MOST_TERMS):
                found.setdefault(value, []).append(one)
        return found

    @cached_property
    def _keys(self) -> frozenset[float]:
        """The steps of a scale at which the values are, or close to which they are."""
        # Less than a step, so that the step of the value itself is one of the two.
        near = [(_STEPS * value, min(1e-4 + 1e-9 * _STEPS * value, 0.5)) for value in self._values]
        return frozenset((place + off) // 1 for place, slack in near for off in (-slack, slack))

    def may_have(self, values: Iterable[float]) -> bool:
        """Whether one of ``values`` may be among them: this is faster than to find each."""
        return not self._keys.isdisjoint([_STEPS * value // 1 for value in values])

    def find(self, value: float, tolerance: float = 0, beside: Number | None = None) -> Iterator[Number]:
        """The numbers that are near enough to ``value``; with ``beside``, those beside it."""
        tolerance += 1e-9 * value
        first = bisect_left(self._values, value - tolerance)
        for near in self._values[first : bisect_right(self._values, value + tolerance, first)]:
            numbers = self._numbers[near]
            if beside:
                begin = bisect_right(numbers, beside.start - _BESIDE, key=_start)
                end = bisect_left(numbers, beside.start + _BESIDE, begin, key=_start)
                numbers = [one for one in numbers[begin:end] if one.start != beside.start]
            yield from numbers


def is_computed(amounts: Amounts, value: float, bases: Sequence[str], tolerance: float = 0) -> bool:
    """Whether ``value`` comes of two numbers that stand together, or is what is left of 100 %.

    It may be their sum, difference, product or quotient, or one of them with or without a share. One of the
    two has a unit of these ``bases``. A share may be one of any two numbers.
    """
    if bases == (PERCENT.base,):
        if any(one.unit == PERCENT for one in amounts.find(100 - value)):
            return True
        for term, numbers in amounts.terms(()).items():
            parts = (value * term / 100, (100 - value) * term / 100)
            if amounts.may_have(parts) and any(
                True for one in numbers for part in parts for _ in amounts.find(part, 0, one)
            ):
                return True
    for term, numbers in amounts.terms(bases).items():
        share = 100 * value / term
        # Nothing is one times itself.
        factor = 0 if term in (1, value) else value / term
        divisor = 0 if value == 0 or term in (value, value * value) else term / value
        others = (value - term, value + term, factor, divisor, share, 100 - share, share - 100)
        if (tolerance or amounts.may_have(others)) and any(
            True for one in numbers for _ in _find_others(amounts, others, tolerance, one, bases)
        ):
            return True
    return False


def _find_others(
    amounts: Amounts, others: Sequence[float], tolerance: float, one: Number, bases: Sequence[str]
) -> Iterator[Number]:
    """The numbers beside ``one`` with which it makes the value: these ``others``, where their units fit."""
    less, more, factor, divisor, *shares = others
    is_plain = bases == ("",)
    for other in (*amounts.find(less, tolerance, one), *amounts.find(more, tolerance, one)):
        if _is_term(other, bases) and (is_plain or one.unit or other.unit):
            yield other
    for count in filter(None, (factor, divisor)):
        for other in amounts.find(count, 0, one):
            # An article is no number of anything, and two amounts of one unit make none by multiplication.
            counts = not other.vague or (is_plain and other.unit is None and count >= 2)
            if counts and not (one.unit and one.base == other.base):
                yield other
    for percent in shares if is_plain or one.unit else ():
        yield from (other for other in amounts.find(percent, 0, one) if percent > 0 and other.unit == PERCENT)


def is_counted(amounts: Amounts, value: float, bases: Sequence[str], counts: Sequence[float]) -> bool:
    """Whether ``value`` is an amount as often as the sentence ``counts``: "38 euros for 100 km".

    With few of them, there may be another amount beside: "a night with two dogs comes to".
    """
    if any(_is_term(one, bases) for count in counts for one in amounts.find(value / count)):
        return True
    few = [count for count in counts if 1 < count <= _FEW]
    for term, numbers in amounts.terms(bases).items() if few else ():
        others = (
            other
            for one in numbers
            for count in few
            for other in amounts.find(abs(value - count * term), 0, one)
        )
        if any(_is_term(other, bases) for other in others):
            return True
    return False


def _is_term(number: Number, bases: Sequence[str]) -> bool:
    """Whether a number may be added to another: it has such a unit, and is no year or a part."""
    return not (number.vague or (bases and number.base not in bases) or number.is_year)
