"""A passage as the rules compare it with sentences; its rarer forms are made at their first use."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from html import unescape
from operator import attrgetter
from typing import Final

from ..model.reference import Reference
from .dates import Date, find_dates
from .numbers import Number, find_numbers
from .text_scan import TextScan

_WORDS: Final = re.compile(r"\w+")
_start: Final = attrgetter("start")

MAX_TEXT: Final = 20_000
"""Characters of a source that is compared. Each sentence that cites it is searched for in all of them."""


_STEPS: Final = 16
"""Steps of one on the scale on which amounts are looked up."""
_SLACK: Final = 1e-4
_MANY: Final = 1e5
"""Steps from which on a billionth counts."""
_BESIDE: Final = 120
"""Characters between two numbers of a source that an answer may add up."""
_MOST_TERMS: Final = 300
"""Numbers of a source from which one of an answer may have been computed."""


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
        """The steps of a scale on which the values are, or beside which they are."""
        places = {_STEPS * value for value in self._values}
        keys = {(one - _SLACK) // 1 for one in places}
        keys |= {(one + _SLACK) // 1 for one in places}
        for one in places:
            if one > _MANY:  # an amount that was computed may be further from it
                slack = min(1e-9 * one, _STEPS / 2)
                keys |= {one // 1 + more for more in range(-int(slack) - 1, int(slack) + 2)}
        return frozenset(keys)

    @cached_property
    def _distinct(self) -> dict[float, None]:
        return dict.fromkeys([term for term, _ in self.terms])

    def may_have(self, value: float) -> bool:
        """Whether ``value`` may be among them: this is faster than to find it."""
        return _STEPS * value // 1 in self._keys

    def find_terms(self, value: float, *, is_share: bool) -> list[tuple[float, Number]]:
        """The terms that may make ``value`` with another number: to look for each takes far longer."""
        keys, place = self._keys, _STEPS * value
        whole, rest = 100 * _STEPS, 100 - value
        found = {
            term
            for term in self._distinct
            if (place - _STEPS * term) // 1 in keys
            or (place + _STEPS * term) // 1 in keys
            or place / term // 1 in keys
            or place * term // 1 in keys
            or (share := 100 * place / term) // 1 in keys
            or (whole - share) // 1 in keys
            or (share - whole) // 1 in keys
            or (is_share and (place * term / 100 // 1 in keys or _STEPS * rest * term / 100 // 1 in keys))
        }
        return [term for term in self.terms if term[0] in found] if found else []

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


class SourceText(TextScan):
    """The text of a source, without emphasis, escapes and entities.

    Its title counts as words, not as numbers that its text says.
    """

    def __init__(self, parts: Sequence[Reference]) -> None:
        self.id = parts[0].id
        texts = [part.text for part in parts if part.text]
        self.is_read = bool(texts) and sum(map(len, texts)) <= MAX_TEXT
        """Whether the answer was made with a text of it that is known, and can be compared in short time."""
        self.complete = True
        """Whether the answer was made with no more of the source than this."""
        for part in parts:
            self.is_read = self.is_read and not part.only_named
            self.complete = self.complete and part.complete
        super().__init__(_join(texts) if self.is_read else "")
        self.title = _join([part.name for part in parts if part.name]).lower()
        """The names in lower case."""
        self.known = f"{self.folded}\n{self.title}"
        """All that is known of the source, in lower case."""

    @cached_property
    def spaced(self) -> str:
        """The words of the text and the names in lower case, with one space around each."""
        return f" {' '.join([*_WORDS.findall(self.folded), *_WORDS.findall(self.title)])} "

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the text."""
        return find_numbers(self)

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        """The dates of the text."""
        return tuple(find_dates(self))

    @cached_property
    def undated(self) -> tuple[Number, ...]:
        """The numbers that are no part of a date."""
        dated = {offset for one in self.dates for offset in range(one.start, one.end)}
        return tuple([one for one in self.numbers if one.start not in dated]) if dated else self.numbers

    @cached_property
    def amounts(self) -> Amounts:
        """The numbers without their units, sorted by their values."""
        return Amounts((value, one) for one in self.undated for value in {*one.values, *one.amounts})

    @cached_property
    def measured(self) -> Amounts:
        """The numbers in the bases of their units, sorted by their values."""
        return Amounts((value, one) for one in self.undated for value in one.measured)


def _join(texts: Sequence[str]) -> str:
    text = "\n".join(texts).replace("*", "").replace("\\", "")
    return unescape(text) if "&" in text else text
