"""Writes the items of a passage as a list, nested and numbered as in their document."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final, NamedTuple

from ..document import Markup
from .inline import write_inline
from .passage import Passage
from .sentences import Unit, split_items
from .table import CUT
from .unit_line import join_units, mark_cuts, read_bullet

_SIGNS: Final = frozenset(("", *"-*+•‣▪◦–—o"))
_NUMBER: Final = re.compile(r"(\d{1,3})[.)]")


class _ItemLevel(NamedTuple):
    """An open item: its indentation in the document, the column of its text in the list, its number and sign.

    ``number`` is None for an item without one, and 0 where it is not known. ``counted`` is the number that
    the list has counted to; 0 above its first item, and None where its last item has none.
    """

    indent: int
    column: int
    number: int | None
    counted: int | None
    ending: str


def write_list(  # noqa: PLR0913
    passage: Passage,
    units: Sequence[Unit],
    shown: Set[Unit],
    highlighted: Sequence[Unit] = (),
    *,
    is_cut_before: bool = False,
    marker: str = "",
) -> str:
    """Write what is shown of items as a list, nested and numbered as in the document.

    Each has a marker behind it. ``…`` stands behind the last one where others follow it in the document.
    """
    lines: list[str] = []
    levels: list[_ItemLevel] = []
    is_cut = False
    for place, item in enumerate(split_items(units)):
        before: _ItemLevel | None = None
        while levels and levels[-1].indent >= item[0].indent:
            before = levels.pop()
        column = levels[-1].column if levels else 0
        bullet = read_bullet(passage, item[0])
        number = _count(passage, bullet, before, is_cut_before=is_cut_before and not place)
        counted, ending = (before.counted, before.ending) if before else (0, bullet[-1:])
        ending = ending if counted else bullet[-1:]
        is_cut = shown.isdisjoint(item)
        if words := join_units(passage, item, shown, highlighted):  # an image without a description has none
            # In Markdown, a list counts on from its first number, unless a line or another sign ends it.
            if number and number > 1 and counted not in (None, 0, number - 1):
                lines.append(f"\n{' ' * column}{CUT}\n")
            elif number == 1 and counted:
                ending = ".)".replace(ending, "")
            mark = f"{number}{ending}" if number else "-"
            sign = "" if number is not None or bullet in _SIGNS else f"{write_inline(bullet, Markup.PLAIN)} "
            lines.append(f"{' ' * column}{mark} {sign}{words}{marker}")
            column, counted = column + len(mark) + 1, number or None
        levels.append(_ItemLevel(item[0].indent, column, number, counted, ending))
    return mark_cuts("\n".join(lines), False, is_cut) if lines else ""


def _count(passage: Passage, bullet: str, before: _ItemLevel | None, *, is_cut_before: bool) -> int | None:
    """The number of an item, as :class:`_ItemLevel` has it; ``before`` is the item before it, if any."""
    found = _NUMBER.fullmatch(bullet)
    if not found:
        return None
    number = int(found[1])
    if number > 1 or passage.markup is not Markup.MARKDOWN:
        return number
    # In Markdown each item of a list may have the number 1.
    if before is None:
        return 0 if is_cut_before else 1
    if before.number is None:
        return 1
    return before.number + 1 if before.number else 0
