"""Writes passages and their units as Markdown without active content."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from ..document import Markup, find_fence
from .inline import CUT, split_cells, write_cell, write_inline
from .passage import Passage
from .sentences import Unit, group_units, split_items
from .unit_line import is_whole, join_units, mark_cuts, read_bullet, read_text

_NEAR: Final = 700
"""Characters of a unit and of what it introduces."""
_SIGN: Final = re.compile(r"\d+|[a-z]")
_SIGNS: Final = frozenset(("", *"-*+•‣▪◦–—o"))
_NUMBER: Final = re.compile(r"(\d{1,3})[.)]")


def write_sentence(passage: Passage, *units: Unit) -> str:
    """Write a unit for an answer: code as a block of code, and everything else as a sentence on one line.

    A row is written as ``City: Berlin; Limit: 150``, and an item without its bullet. Several units are
    sentences of one text, in their order. ``…`` stands between them where others are left out, and at each
    end where a sentence, a row or code is cut.
    """
    first, last = units[0], units[-1]
    before, after = _find_cuts(passage, first)[0], _find_cuts(passage, last)[1]
    if first.kind == "code":
        code = _write_code(passage, units)
        return "\n\n".join((*[CUT] * before, code, *[CUT] * after))
    if first.kind == "row":
        words = write_row(passage, first)
    else:
        around = passage.units[passage.units.index(first) : passage.units.index(last) + 1]
        words = join_units(passage, around, frozenset(units))
    return mark_cuts(words, before, after) if words else ""


def find_rest(passage: Passage, unit: Unit) -> list[Unit]:
    """The list, table or code below a unit that introduces it, and says little without it.

    It is the part that fits with the unit into ``_NEAR`` characters, and empty for any other unit.
    """
    below = passage.units[passage.units.index(unit) + 1 :]
    if not below or not below[0].opens or below[0].kind == "sentence" or unit.kind in ("row", "code"):
        return []
    if is_whole(passage, unit) and not read_text(passage, unit).endswith((":", "：")):
        return []
    group = next(group for group in group_units(passage.text, passage.units) if below[0] in group)
    rest = group[group.index(below[0]) :]
    if unit.kind == "item" and rest[0].kind == "item":
        rest = list(takewhile(lambda one: not _is_beside(passage, unit, one), rest))
    return list(takewhile(lambda one: one.end - unit.start <= _NEAR, rest))


def _is_beside(passage: Passage, unit: Unit, other: Unit) -> bool:
    """Whether another item stands in the same list as ``unit``, or in one around it."""
    item = next(one for one in reversed(passage.units[: passage.units.index(unit) + 1]) if one.opens)
    is_deeper = other.indent > item.indent
    signs = {_SIGN.sub("1", read_bullet(passage, one)) for one in (item, other)}
    return other.opens and not is_deeper and len(signs) == 1


def _find_cuts(passage: Passage, unit: Unit) -> tuple[bool, bool]:
    """Whether a unit is only a part of a sentence, row or block of code: at its start, at its end."""
    index = passage.units.index(unit)
    if index:
        begins_late = not unit.opens and not is_whole(passage, passage.units[index - 1])
    else:  # the unit before it is in another passage
        begins_late = not unit.opens and (unit.kind == "code" or passage.text[0].islower())
    has_more = not passage.units[index + 1].opens if index + 1 < len(passage.units) else passage.goes_on_after
    return begins_late, has_more and not is_whole(passage, unit)


@lru_cache(maxsize=512)  # questions find the same passages
def write_passage(passage: Passage, highlighted: tuple[Unit, ...] = (), shown: tuple[Unit, ...] = ()) -> str:
    """Write a passage as paragraphs, lists, tables and code, with the ``highlighted`` units in bold.

    Only the units ``shown`` are written, or all where it is empty. Code is never bold. ``…`` stands where
    something of a paragraph, an item, a row or a block of code is left out. Whole items and rows are left
    out without it, but for those at the end of a list or a table.
    """
    chosen = frozenset(shown or passage.units)
    blocks: list[str] = []
    for group in group_units(passage.text, passage.units):
        runs = _find_runs(group, chosen)
        for run in runs:
            is_cut_before = run[0] != group[0] or (run[0] == passage.units[0] and passage.goes_on_before)
            is_cut_after = run[-1] != group[-1] or (run[-1] == passage.units[-1] and passage.goes_on_after)
            cuts = {"is_cut_before": is_cut_before, "is_cut_after": is_cut_after and run is runs[-1]}
            blocks += _write_run(passage, run, chosen, highlighted, **cuts)
    return "\n\n".join(blocks)


def _find_runs(group: list[Unit], shown: Set[Unit]) -> list[list[Unit]]:
    """A group of which something is shown; of rows or code only that, divided where some is left out.

    Where a row begins, nothing is divided.
    """
    if group[0].kind not in ("row", "code"):
        return [] if shown.isdisjoint(group) else [group]
    runs: list[list[Unit]] = []
    before: Unit | None = None
    for unit in group:
        if unit in shown:
            is_record = unit.opens and unit.kind == "row"
            if not runs or not (is_record or before in shown):
                runs.append([])
            runs[-1].append(unit)
        before = unit
    return runs


def _write_run(  # noqa: PLR0913 - the last two are flags, given by name
    passage: Passage,
    units: list[Unit],
    shown: Set[Unit],
    highlighted: Sequence[Unit],
    *,
    is_cut_before: bool,
    is_cut_after: bool,
) -> list[str]:
    """Write a paragraph, list, table or block of code, as one or several blocks."""
    before, after = [CUT] * is_cut_before, [CUT] * is_cut_after
    kind = units[0].kind
    if kind == "row":
        # The rest of a row that a passage begins with has no columns.
        rest = list(takewhile(lambda unit: not unit.opens, units))
        lines = [f"{CUT} {write_row(passage, unit, is_bold=unit in highlighted)}" for unit in rest]
        rows = units[len(rest) :]
        # A row of the table with "…" alone would have empty cells.
        return [*lines, *([_write_table(passage, rows, highlighted)] if rows else []), *after]
    if kind == "code":
        return [*before, _write_code(passage, units), *after]
    if kind == "item" and (any(unit.opens for unit in units[1:]) or read_bullet(passage, units[0])):
        items = write_list(passage, units, shown, highlighted, is_cut_before=is_cut_before)
        if items and not shown >= frozenset(units):
            return [mark_cuts(items, False, is_cut_after)]
        return [*before, items, *after] if items else []
    # A single line without a bullet, or the end of an item, is a paragraph.
    line = join_units(passage, units, shown, highlighted)
    return [mark_cuts(line, is_cut_before, is_cut_after)] if line else []


def _write_code(passage: Passage, units: Sequence[Unit]) -> str:
    """Write whole lines of code as a block, without the indentation of the block in its document."""
    code = passage.text[units[0].start : units[-1].end]
    if indent := units[0].indent:
        code = re.sub(rf"(?m)^[ \t]{{1,{indent}}}", "", code)
    fence = find_fence(code, 3)
    # Viewers that colour code know its language by the suffix of its files.
    language = PurePosixPath(passage.path).suffix.lower()[1:] if passage.markup is Markup.CODE else ""
    return f"{fence}{language}\n{code}\n{fence}"


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


def write_list(
    passage: Passage,
    units: Sequence[Unit],
    shown: Set[Unit],
    highlighted: Sequence[Unit],
    *,
    is_cut_before: bool,
) -> str:
    """Write what is shown of items as a list, nested and numbered as in the document.

    ``…`` stands behind the last one where others follow it in the document.
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
            lines.append(f"{' ' * column}{mark} {sign}{words}")
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


def _find_header(passage: Passage, unit: Unit) -> str:
    """Find the header row of the table that a row stands in; empty for a header row itself."""
    group = next(group for group in group_units(passage.text, passage.units) if unit in group)
    if passage.table and group[0] == passage.units[0]:
        return passage.table
    return "" if unit == group[0] else passage.text[group[0].start : group[0].end]


def write_row(passage: Passage, unit: Unit, *, is_bold: bool = False) -> str:
    """Write ``| Berlin | 150 |`` below ``| City | Limit |`` as ``City: Berlin; Limit: 150``."""
    values = _write_cells(passage, passage.text[unit.start : unit.end])
    names = _write_cells(passage, _find_header(passage, unit)) if unit.opens else []
    names = names if len(names) >= len(values) else [""] * len(values)
    pairs = zip(names, values, strict=False)
    pieces = (f"{name.rstrip(' :')}: {value}" if name else value for name, value in pairs if value)
    words = "; ".join(pieces).replace(".; ", "; ")
    return f"**{words}**" if words and is_bold else words


def _write_cells(passage: Passage, row: str) -> list[str]:
    return [write_inline(cell, passage.markup) for cell in split_cells(row)]


def _write_table(passage: Passage, units: list[Unit], highlighted: Sequence[Unit]) -> str:
    """Write rows as a table, below the header row of theirs; ``…`` above it stands for another passage's."""
    header = _find_header(passage, units[0])
    rows = [_write_cells(passage, header)] if header else []
    for row in split_items(units):
        cells = _write_cells(passage, passage.text[row[0].start : row[-1].end])
        is_bold = any(unit in highlighted for unit in row)
        rows.append([f"**{cell}**" if cell and is_bold else cell for cell in cells])
    width = max(map(len, rows))
    rows.insert(1, ["---"] * width)
    rows[0] += [""] * (width - len(rows[0]))  # a row's cells beyond those of the header are not shown
    table = "\n".join(f"| {' | '.join(map(write_cell, row))} |" for row in rows)
    return f"{CUT}\n\n{table}" if header and header == passage.table else table
