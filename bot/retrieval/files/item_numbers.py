"""Counts the items of the numbered lists of a Word document, as Word shows them (ECMA-376-1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from .elements import name_element

_VALUE: Final = name_element("w:val")
_DIGITS: Final = re.compile(r"%\d[.)]?")
"""The text of a level that has its own number alone."""
_LEVELS: Final = 9
_DIGITS_OF_NUMBER: Final = 9
_DEPTHS: Final = frozenset(map(str, range(_LEVELS)))


class _Level(NamedTuple):
    """A level of a list: the lists that are counted together, its first number, and how that is shown."""

    counter: str
    start: int
    begins_anew: bool
    has_digits: bool


class ItemNumbers:
    """The numbers of a document's items, which are taken in their order."""

    def __init__(self, lists: Iterable[Any]) -> None:
        """Count by definitions of lists: the roots of the parts for numbering."""
        self._levels = {place: level for one in lists for place, level in _read_levels(one)}
        self._counts: dict[tuple[str, int], int] = {}
        self._begun: set[tuple[str, int]] = set()

    def take(self, found: Any) -> tuple[int, int]:
        """The depth of the next item, and its number; 0 where it has none in digits.

        ``found`` is the ``w:numPr`` that says in which list it is; None where nothing does.
        """
        depth = _read_number(found, "w:ilvl", 0)
        place = (_read(found, "w:numId"), depth)
        if (level := self._levels.get(place)) is None:
            return depth, 0
        counted = (level.counter, depth)
        if counted not in self._counts or (level.begins_anew and place not in self._begun):
            self._counts[counted] = level.start - 1
        self._begun.add(place)
        self._counts[counted] += 1
        for deeper in range(depth + 1, _LEVELS):
            self._counts.pop((level.counter, deeper), None)
        return depth, self._counts[counted] if level.has_digits else 0


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
        shape = _read(one, "w:abstractNumId")
        for level in shapes[shape].iterchildren(name_element("w:lvl")) if shape in shapes else ():
            depth = level.get(name_element("w:ilvl"))
            override = _read(overrides.get(depth), "w:startOverride")
            is_decimal = _read(level, "w:numFmt") == "decimal"
            has_digits = is_decimal and bool(_DIGITS.fullmatch(_read(level, "w:lvlText")))
            start = _read_number(overrides.get(depth), "w:startOverride", _read_number(level, "w:start", 1))
            if depth in _DEPTHS:
                yield (
                    (one.get(name_element("w:numId")), int(depth)),
                    _Level(shape, start, bool(override), has_digits),
                )


def _read(element: Any, name: str) -> str:
    """The value of an element's child; empty where there is none."""
    child = element.find(name_element(name)) if element is not None else None
    return (child.get(_VALUE) or "") if child is not None else ""


def _read_number(element: Any, name: str, default: int) -> int:
    """The number that an element's child has; ``default`` where there is none."""
    value = _read(element, name)
    return int(value) if value.isdecimal() and len(value) <= _DIGITS_OF_NUMBER else default
