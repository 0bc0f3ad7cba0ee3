"""Counts the items of the numbered lists of an OpenDocument text (1.3, part 3, § 5.3 and 16.30)."""

from __future__ import annotations

from typing import Any, Final

from .elements import name_element
from .item_numbers import label_item
from .outline import Outline

_NAME, _LEVEL, _START, _ANEW = map(
    name_element, ("style:name", "text:level", "text:start-value", "text:continue-numbering")
)
_SHOWN: Final = name_element("text:display-levels")
"""The number of levels whose numbers a label has."""
_FORMAT, _PREFIX, _SUFFIX = map(name_element, ("style:num-format", "style:num-prefix", "style:num-suffix"))
_STYLE: Final = name_element("text:style-name")


class ListNumbers:
    """The lists that are open, and the numbers of their items."""

    def __init__(self, *roots: Any) -> None:
        """Count by the styles of lists in the parts of a document."""
        self._styles = {
            (style.get(_NAME, ""), level.get(_LEVEL, "1")): level
            for root in roots
            for style in root.iter(name_element("text:list-style"))
            for level in style
        }
        self._open: list[tuple[str, int]] = []
        """The style and the last number of each list that is open, the outermost first."""
        self._last: dict[tuple[str, int], int] = {}
        """The last number of the lists of a style that have ended, by its level."""
        self._is_new = False

    def start(self, element: Any) -> None:
        """Start a list."""
        above = self._open[-1][0] if self._open else ""
        style = element.get(_STYLE) or above
        goes_on = element.get(_ANEW) == "true"
        last = self._last.get((style, len(self._open))) if goes_on else None
        first = self._read(style, len(self._open) + 1, _START, 1)
        self._open.append((style, first - 1 if last is None else last))

    def end(self) -> None:
        """End the innermost list."""
        style, number = self._open.pop()
        self._last[style, len(self._open)] = number
        self._is_new = False

    def count(self, element: Any) -> None:
        """Count an item, whose first paragraph has the number."""
        style, number = self._open[-1]
        said = element.get(_START, "")
        self._open[-1] = style, int(said) if said.isdecimal() else number + 1
        self._is_new = True

    def add_item(self, outline: Outline, words: str) -> None:
        """Add a paragraph of an item to an outline, with the number that is shown before it."""
        depth = len(self._open)
        number, label = self._label(depth) if self._is_new else (0, "")
        self._is_new = self._is_new and not words
        outline.add_item(f"{label} {words}" if words else "", depth - 1, number)

    def _label(self, depth: int) -> tuple[int, str]:
        style = self._open[-1][0]
        level = self._styles.get((style, str(depth)))
        if level is None:
            return 0, ""
        shown = min(self._read(style, depth, _SHOWN, 1), depth)
        places = ".".join(f"%{one}" for one in range(depth - shown + 1, depth + 1))
        numbers = {
            place: (self._find_format(place), number) for place, (_, number) in enumerate(self._open, 1)
        }
        label = f"{level.get(_PREFIX, '')}{places}{level.get(_SUFFIX, '')}"
        return label_item(label, depth, numbers)

    def _find_format(self, depth: int) -> str:
        level = self._styles.get((self._open[depth - 1][0], str(depth)))
        return level.get(_FORMAT, "") if level is not None else ""

    def _read(self, style: str, depth: int, name: str, usual: int) -> int:
        level = self._styles.get((style, str(depth)))
        said = level.get(name, "") if level is not None else ""
        return int(said) if said.isdecimal() else usual
