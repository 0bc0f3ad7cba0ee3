"""Finds the gutter of a page that is set in two columns of prose, and the order of its lines.

A PDF may draw the lines of both columns in turns. A table has gaps from top to bottom, too, but its cells
are not filled with words as the lines of a column are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

_STEP: Final = 2.0
"""Points between the places at which a gap is sought."""
_MIDDLE: Final = (0.35, 0.65)
"""The part of the text's width in which the gutter lies."""
_NARROWEST: Final = 8.0
"""The least width of a gutter, in points."""
_WIDEST: Final = 0.12
"""The greatest width of a gutter, relative to that of the text. Between the cells of a table is more room."""
_CROSSED: Final = 0.2
"""The most text that crosses the gutter, such as titles and figures, relative to the text of a column."""
_LINES: Final = 8
"""The least lines of a column."""
_FILLED: Final = 0.62
"""The least part of a full line that is covered with letters."""
_SWITCHES: Final = 0.3
"""The share of lines that stand in another column than the line before, where columns are drawn in turns."""
_APART: Final = 1.6
"""The least distance of a page's head and foot, relative to the usual distance of lines."""

Span = tuple[int, int]
"""The offsets of a line in the text of a page."""


class Box(NamedTuple):
    """A run of letters on a page, in points from its left edge and its foot."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        """The width of the run."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height of the run."""
        return self.top - self.bottom


class Gutter(NamedTuple):
    """The gap between two columns, in points from the left edge of the page."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """The middle of the gap."""
        return (self.left + self.right) / 2


def find_gutter(boxes: Sequence[Box]) -> Gutter | None:
    """The gutter of a page with two columns of prose; None for any other page."""
    boxes = [box for box in boxes if box.width > 0 and box.height > 0]
    if len(boxes) < 2 * _LINES:
        return None
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    first, last = (left + share * (right - left) for share in _MIDDLE)
    for gutter in _find_gaps(boxes, left, right):
        is_inside = first <= gutter.middle <= last and gutter.right - gutter.left <= _WIDEST * (right - left)
        if is_inside and all(_is_column(column) for column in _split(boxes, gutter)):
            return gutter
    return None


def _find_gaps(boxes: Sequence[Box], left: float, right: float) -> Iterator[Gutter]:
    """Yield the gaps that little text crosses from top to bottom, the widest first."""
    places = int((right - left) / _STEP) + 1
    changes = [0.0] * (places + 2)
    for box in boxes:
        changes[int((box.left - left) / _STEP)] += box.height
        changes[int((box.right - left) / _STEP) + 1] -= box.height
    covered: list[float] = []
    height = 0.0
    for change in changes[:places]:
        height += change
        covered.append(height)
    limit = _CROSSED * median(covered)
    filled = [place for place, amount in enumerate(covered) if amount > limit]
    gaps = [
        Gutter(left + (one + 1) * _STEP, left + other * _STEP)
        for one, other in pairwise(filled)
        if (other - one - 1) * _STEP >= _NARROWEST
    ]
    yield from sorted(gaps, key=lambda gap: gap.left - gap.right)


def _split(boxes: Sequence[Box], gutter: Gutter) -> tuple[list[Box], list[Box]]:
    left = [box for box in boxes if box.right <= gutter.middle]
    return left, [box for box in boxes if box.left >= gutter.middle]


def _is_column(boxes: Sequence[Box]) -> bool:
    """Whether boxes are the lines of one column of prose."""
    if not boxes:
        return False
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    rows = list(_join_rows(boxes))
    if len(rows) < _LINES or any(True for _ in _find_gaps(boxes, left, right)):
        return False
    return median(row / (right - left) for row in rows) >= _FILLED


def _join_rows(boxes: Sequence[Box]) -> Iterator[float]:
    """Yield for each line of a column the width that its letters cover."""
    width, bottom = 0.0, None
    for box in sorted(boxes, key=lambda box: -box.bottom):
        if bottom is not None and bottom - box.bottom > 0.5 * box.height:
            yield width
            width = 0.0
        width += box.width
        bottom = box.bottom
    yield width


def find_margins(heights: Sequence[float]) -> frozenset[float]:
    """The heights of the first and the last line of a page, where they are apart from the others."""
    rows = sorted(set(heights))
    drops = [other - one for one, other in pairwise(rows)]
    if len(rows) < _LINES:
        return frozenset()
    usual = median(drops)
    edges = ((rows[0], drops[0]), (rows[-1], drops[-1]))
    return frozenset(height for height, drop in edges if drop > _APART * usual)


def order_lines(lines: Sequence[tuple[Span, float, int | None]]) -> list[Span]:
    """The lines of a page with two columns in reading order; none if they are drawn in that order.

    Each line has its height above the foot, and its column: 0, 1, or None where it spans both. Such a line
    ends the columns above it.
    """
    columns = [column for _, _, column in lines if column is not None]
    switches = sum(one != other for one, other in pairwise(columns))
    if switches < _SWITCHES * len(columns):
        return []
    spanning = [height for _, height, column in lines if column is None]

    def rank(entry: tuple[Span, float, int | None]) -> tuple[int, int]:
        _, height, column = entry
        return sum(one > height for one in spanning), 2 if column is None else column

    return [line for line, _, _ in sorted(lines, key=rank)]
