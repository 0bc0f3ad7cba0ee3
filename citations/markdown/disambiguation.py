"""Edits after which all engines find the same blocks in a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from .edit import Edit
from .inline_buffer import Inline
from .layout import Layout

_BEGINS: Final = re.compile(r"[-#>+*=~_|:`<0-9]")
"""The first character of a line that could begin a block."""
_MARKER: Final = r"(?:[-+*]|[0-9]{1,9}[.)])"
_BELOW_EMPTY_ITEM: Final = re.compile(
    rf"(?:[ \t>]|{_MARKER}(?=[ \t]))*{_MARKER}[ \t]*\n(?:[ \t]*>)*+([ \t]+)(?:\n|\Z)"
)
"""The line of an empty list item, and the spaces of a blank line below it."""
_TASK: Final = re.compile(r"\[(?=[ xX]\][ \t\v\f]+(?:\n|\Z))")


def disambiguating_edits(layout: Layout, taken: Sequence[tuple[int, int]]) -> Iterator[Edit]:
    """The edits in ``layout.text``. None is inside ``taken``, the ranges of the markers in order."""
    for mark in layout.marks:
        if mark.apart:
            yield Edit(mark.start, mark.start, mark.apart)
        if (
            mark.opened
            and mark.part == "block"
            and (line := _BELOW_EMPTY_ITEM.match(layout.text, mark.start))
        ):
            # "A list item can begin with at most one blank line." cmark-gfm asks whether it has spaces.
            yield Edit(*line.span(1), "")
    for inline in layout.inlines:
        if inline.content.startswith("["):
            yield from _task_edits(inline, taken)
        if len(inline.rows) > 1:
            yield from _line_edits(inline, layout.text, taken)


def _task_edits(inline: Inline, taken: Sequence[tuple[int, int]]) -> Iterator[Edit]:
    """The edit that makes a task without a name text.

    cmark-gfm takes it for an empty list item, which ends at the next blank line.
    """
    if _TASK.match(inline.content) and not _is_inside(taken, inline.place(1)):
        yield Edit(inline.place(0), inline.place(1), "&#91;")


def _line_edits(inline: Inline, text: str, taken: Sequence[tuple[int, int]]) -> Iterator[Edit]:
    """The edits that join a line indented like code to the paragraph that it continues.

    Below a quote in a quote, markdown-it takes it for code where it would begin a block without its indent.
    """
    first = inline.rows[0].source
    if text.count(">", text.rfind("\n", 0, first) + 1, first) < 2:
        return
    for row in inline.rows[1:]:
        end = inline.place(row.start - 1)
        if not row.indented or not _BEGINS.match(text, row.source) or _is_inside(taken, end):
            continue
        indent = text[end : row.source]
        if "\t" in indent or indent.endswith("    "):
            yield Edit(end, row.source, " ")


def _is_inside(taken: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether a marker reaches over ``place``."""
    number = bisect_left(taken, (place, place)) - 1
    return number >= 0 and place < taken[number][1]
