"""Writes the rows of a passage: as a table in Markdown, or each as its columns' names and its values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .inline import split_cells, write_cell, write_inline
from .passage import Passage
from .sentences import Unit, group_units, split_items

CUT: Final = "…"
"""What stands where something is left out."""


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


def write_table(passage: Passage, units: list[Unit], highlighted: Sequence[Unit]) -> str:
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
