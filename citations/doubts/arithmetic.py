"""Amounts of a passage, and what an answer may have computed of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
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
        self._given = list(amounts)
        self._numbers: dict[float, list[Number]] = {}
        for value, one in self._given:
            self._numbers.setdefault(value, []).append(one)
        self._values = sorted(self._numbers)

    @cached_property
    def terms(self) -> list[tuple[float, Number]]:
        """Those that may be terms of a calculation, in the order of the text."""
        return [one for one in self._given if one[0] > 0 and not one[1].is_year][:_MOST_TERMS]

    @cached_property
    def _keys(self) -> frozenset[float]:
        """The steps of a scale at which the values are, or close to which they are."""
        near = [(_STEPS * value, 1e-4 + 1e-9 * _STEPS * value) for value in self._values]
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

    It may be their sum, difference, product or quotient, or one of them with or without a share.
    """
    is_share = bases == (PERCENT.base,)
    if is_share and any(one.unit == PERCENT for one in amounts.find(100 - value)):
        return True
    for term, one in amounts.terms:
        counts = bases == ("",) and one.unit is None and term >= 2
        if one.vague and not counts:
            continue
        share = 100 * value / term
        others = [value - term, value + term, value / term, value * term, share, 100 - share, share - 100]
        if is_share:
            others += (value * term / 100, (100 - value) * term / 100)
        if (tolerance or amounts.may_have(others)) and any(
            True for _ in _find_others(amounts, others, tolerance, one, bases)
        ):
            return True
    return False


def _find_others(
    amounts: Amounts, others: Sequence[float], tolerance: float, one: Number, bases: Sequence[str]
) -> Iterator[Number]:
    """The numbers beside ``one`` with which it makes the value: these ``others``, where their units fit."""
    less, more, factor, dividend, part, rest, extra, *wholes = others
    is_added, with_unit = _is_added(one, bases), one.unit or bases == ("",)
    if is_added:
        added = (*amounts.find(less, tolerance, one), *amounts.find(more, tolerance, one))
        yield from (other for other in added if _is_added(other, bases) and (with_unit or other.unit))
    if factor not in (1, dividend):
        factors = (other for other in amounts.find(factor, 0, one) if is_added or _is_added(other, bases))
        # An article is no number of anything, and two amounts of one unit have no product.
        yield from (other for other in factors if not (other.vague or (one.unit and one.base == other.base)))
        yield from (other for other in amounts.find(dividend, 0, one) if _is_added(other, bases))
    if is_added and with_unit:
        shares = (amounts.find(percent, 0, one) for percent in (part, rest, extra) if percent > 0)
        yield from (other for found in shares for other in found if other.unit == PERCENT)
    for whole in wholes:
        yield from amounts.find(whole, 0, one)


def is_counted(amounts: Amounts, value: float, bases: Sequence[str], counts: Sequence[float]) -> bool:
    """Whether ``value`` is an amount as often as the sentence ``counts``: "38 euros for 100 km".

    With few of them, there may be another amount beside: "a night with two dogs comes to".
    """
    if any(_is_added(one, bases) for count in counts for one in amounts.find(value / count)):
        return True
    few = [count for count in counts if count <= _FEW]
    for term, one in amounts.terms if few else ():
        if _is_added(one, bases):
            rests = (abs(value - count * term) for count in few)
            others = (other for rest in rests for other in amounts.find(rest, 0, one))
            if any(_is_added(other, bases) for other in others):
                return True
    return False


def _is_added(number: Number, bases: Sequence[str]) -> bool:
    """Whether a number may be added to another: it has such a unit, and is no year or a part."""
    return number.base in bases and not number.vague and not number.is_year
