"""Counts the items of the numbered lists of a Word document, as Word shows them (ECMA-376-1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from .elements import name_element
from .word_styles import read_value

_PLAIN: Final = re.compile(r"%\d[.)]?")
"""The label of a level that has its own number alone."""
_PLACE: Final = re.compile(r"%(\d)")
_LEVELS: Final = 9
_DIGITS_OF_NUMBER: Final = 9
_DEPTHS: Final = frozenset(map(str, range(_LEVELS)))
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST: Final = 5000
"""A larger number is never written in letters."""


class _Level(NamedTuple):
    """A level of a list: the lists that are counted together, its first number, and how that is shown."""

    counter: str
    start: int
    begins_anew: bool
    number_format: str
    label: str


class ItemNumbers:
    """The numbers of a document's items, which are taken in their order."""

    def __init__(self, lists: Iterable[Any]) -> None:
        """Count by definitions of lists: the roots of the parts for numbering."""
        self._levels = {place: level for one in lists for place, level in _read_levels(one)}
        self._counts: dict[tuple[str, int], int] = {}
        self._begun: set[tuple[str, int]] = set()

    def take(self, found: Any) -> tuple[int, int, str]:
        """The depth of the next item, and its number and label, as :func:`label_item` has them.

        ``found`` is the ``w:numPr`` that says in which list it is; None where nothing does.
        """
        depth = _read_number(found, "w:ilvl", 0)
        place = (read_value(found, "w:numId"), depth)
        if (level := self._levels.get(place)) is None:
            return depth, 0, ""
        counted = (level.counter, depth)
        if counted not in self._counts or (level.begins_anew and place not in self._begun):
            self._counts[counted] = level.start - 1
        self._begun.add(place)
        self._counts[counted] += 1
        for deeper in range(depth + 1, _LEVELS):
            self._counts.pop((level.counter, deeper), None)
        above = {one: self._levels.get((place[0], one), level) for one in range(depth + 1)}
        numbers = {
            one + 1: (shape.number_format, self._counts.get((level.counter, one), shape.start))
            for one, shape in above.items()
        }
        return depth, *label_item(level.label, depth + 1, numbers)


def label_item(label: str, level: int, numbers: Mapping[int, tuple[str, int]]) -> tuple[int, str]:
    """The number of an item, where digits alone are shown, and else its label, such as ``(a)``.

    ``label`` has ``%2`` for the number of the second level; ``numbers`` has the format and number of each.

    >>> label_item("%1.", 1, {1: ("decimal", 4)}), label_item("§ %1.%2", 2, {1: ("decimal", 4), 2: ("a", 3)})
    ((4, ''), (0, '§ 4.c'))
    """
    number_format, number = numbers[level]
    if number_format in ("", "bullet", "none"):
        return 0, ""
    if number_format in ("decimal", "1") and _PLAIN.fullmatch(label):
        return number, ""
    return 0, _PLACE.sub(lambda place: _write_number(*numbers.get(int(place[1]), ("decimal", 1))), label)


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


def _read_levels(root: Any) -> Iterator[tuple[tuple[str, int], _Level]]:
    """Yield the levels of all lists, by the id of the list and the depth."""
    shapes = {
        one.get(name_element("w:abstractNumId")): one
        for one in root.iterchildren(name_element("w:abstractNum"))
    }
    for one in root.iterchildren(name_element("w:num")):
        overrides = {
            other.get(name_element("w:ilvl")): other
            for other in one.iterchildren(name_element("w:lvlOverride"))
        }
        shape = read_value(one, "w:abstractNumId")
        for level in shapes[shape].iterchildren(name_element("w:lvl")) if shape in shapes else ():
            depth = level.get(name_element("w:ilvl"))
            override = read_value(overrides.get(depth), "w:startOverride")
            start = _read_number(overrides.get(depth), "w:startOverride", _read_number(level, "w:start", 1))
            shown = read_value(level, "w:numFmt") or "decimal", read_value(level, "w:lvlText")
            if depth in _DEPTHS:
                yield (
                    (one.get(name_element("w:numId")), int(depth)),
                    _Level(shape, start, bool(override), *shown),
                )


def _read_number(element: Any, name: str, default: int) -> int:
    """The number that an element's child has; ``default`` where there is none."""
    value = read_value(element, name)
    return int(value) if value.isdecimal() and len(value) <= _DIGITS_OF_NUMBER else default
