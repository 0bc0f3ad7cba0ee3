"""Numbers that an answer computed from those of a passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from .numbers import Number
from .source_text import Amounts
from .units import PERCENT

COUNTS: Final = frozenset(range(2, 1000))
"""How often a sentence may take an amount."""
_FEW: Final = 20


def is_computed(amounts: Amounts, value: float, bases: Sequence[str], tolerance: float = 0) -> bool:
    """Whether ``value`` comes of two numbers that stand together, or is what is left of 100 %.

    It may be their sum, difference, product or quotient, or one of them with or without a share.
    """
    is_share = bases == (PERCENT.base,)
    if is_share and any(one.unit == PERCENT for one in amounts.find(100 - value)):
        return True
    for term, one in amounts.terms if tolerance else amounts.find_terms(value, is_share=is_share):
        counts = bases == ("",) and one.unit is None and term >= 2
        if one.vague and not counts:
            continue
        share = 100 * value / term
        others = [value - term, value + term, value / term, value * term, share, 100 - share, share - 100]
        if is_share:
            others += (value * term / 100, (100 - value) * term / 100)
        if any(True for _ in _find_others(amounts, others, tolerance, one, bases)):
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
        rests = [rest for count in few if amounts.may_have(rest := abs(value - count * term))]
        if rests and _is_added(one, bases):
            others = (other for rest in rests for other in amounts.find(rest, 0, one))
            if any(_is_added(other, bases) for other in others):
                return True
    return False


def _is_added(number: Number, bases: Sequence[str]) -> bool:
    """Whether a number may be added to another: it has such a unit, and is no year or a part."""
    return number.base in bases and not number.vague and not number.is_year
