"""Reads CSV files in the dialects that programs write: with commas, semicolons, tabs or pipes."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import Final

from citations.model import PlaceKind

from ..document import SourceDocument
from .decode import decode
from .outline import Outline
from .sheet import SheetRow, add_rows

_SAMPLE: Final = 50_000
_SAID: Final = re.compile(r'"?sep=(.)"?\n', re.IGNORECASE)
"""The line by which Excel is told the delimiter."""


def read(data: bytes) -> SourceDocument:
    """Read a CSV file, whose row 1 is its first. Raises ``UnreadableError`` for bytes that are not text."""
    text = decode(data)
    said = _SAID.match(text)
    delimiter = said[1] if said else _find_delimiter(text[:_SAMPLE])
    text = text[said.end() :] if said else text
    outline = Outline(PlaceKind.ROW)
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    rows = ([" ".join(cell.split()) for cell in record] for record in records)
    add_rows(outline, (SheetRow(number, row) for number, row in enumerate(rows, 1)))
    return outline.build()


def _find_delimiter(sample: str) -> str:
    """The delimiter that gives most records the same number of fields, at least two."""

    def rate(delimiter: str) -> tuple[float, int]:
        try:
            widths = Counter(len(one) for one in csv.reader(io.StringIO(sample), delimiter=delimiter) if one)
        except csv.Error:
            return 0.0, 0
        width, count = widths.most_common(1)[0] if widths else (0, 0)
        return (count / widths.total(), width) if width > 1 else (0.0, 0)

    return max("\t;|,", key=rate) if any(rate(one)[1] for one in "\t;|,") else ","
