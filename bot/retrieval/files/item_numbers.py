"""Counts the numbered items and headings of a document, and writes their numbers as they are shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_PLACE: Final = re.compile(r"%(\d)")
_DEEPEST: Final = 9
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST: Final = 5000
"""A larger number is never written in letters."""


class ListLevel(NamedTuple):
    """A level of a list: the lists that are counted together, and how its numbers are shown."""

    counter: str
    number_format: str
    label: str
    """It has ``%2`` for the number of the second level."""
    start: int = 1
    begins_anew: bool = False
    """Whether the first item of this list has the first number, whatever is counted with it."""


class ItemNumbers:
    """The numbers of a document's items, which are taken in their order."""

    def __init__(self, levels: Mapping[tuple[str, int], ListLevel]) -> None:
        """``levels`` has the level for each list and each depth, which counts from 0."""
        self._levels = levels
        self._counts: dict[tuple[str, int], int] = {}
        self._begun: set[tuple[str, int]] = set()

    def restart(self, name: str, depth: int) -> None:
        """Let the next item of a list have the first number."""
        self._begun.discard((name, depth))
        if level := self._levels.get((name, depth)):
            self._counts.pop((level.counter, depth), None)

    def take(self, name: str, depth: int, number: int | None = None) -> str:
        """The label of the next item of a list, such as ``(a)``; empty without one. It may say its number.

        >>> shapes = {("", 0): ListLevel("", "decimal", "%1."), ("", 1): ListLevel("", "a", "§ %1.%2")}
        >>> items = ItemNumbers(shapes)
        >>> items.take("", 0), items.take("", 0, 4), items.take("", 1), items.take("", 1)
        ('1.', '4.', '§ 4.a', '§ 4.b')
        """
        if (level := self._levels.get((name, depth))) is None:
            return ""
        counted = (level.counter, depth)
        if counted not in self._counts or (level.begins_anew and (name, depth) not in self._begun):
            self._counts[counted] = level.start - 1
        self._begun.add((name, depth))
        self._counts[counted] = self._counts[counted] + 1 if number is None else number
        for deeper in range(depth + 1, _DEEPEST):
            self._counts.pop((level.counter, deeper), None)
        if level.number_format in ("", "bullet", "none"):
            return ""
        return _PLACE.sub(lambda place: self._write(name, int(place[1]) - 1, level), level.label)

    def _write(self, name: str, depth: int, usual: ListLevel) -> str:
        level = self._levels.get((name, depth), usual)
        return _write_number(level.number_format, self._counts.get((level.counter, depth), level.start))


def _write_number(number_format: str, number: int) -> str:
    """Write a number in a format of Word or OpenDocument; in digits where it is none in letters."""
    small = str(number)
    if number_format in ("lowerLetter", "upperLetter", "a", "A") and 0 < number <= _MOST:
        small = chr(ord("a") + (number - 1) % 26) * ((number + 25) // 26)
    elif number_format in ("lowerRoman", "upperRoman", "i", "I") and 0 < number <= _MOST:
        small = ""
        for value, sign in _ROMAN:
            times, number = divmod(number, value)
            small += sign * times
    return small.upper() if number_format in ("upperLetter", "upperRoman", "A", "I") else small
