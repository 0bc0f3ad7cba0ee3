"""The place of a passage in a document that has no pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PlaceKind(StrEnum):
    """What the numbers of a place count."""

    SLIDE = "slide"
    """The slides of a presentation."""
    ROW = "row"
    """The rows of a sheet or of a file of records."""
    LINE = "line"
    """The lines of a text file, such as source code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a passage stands: on slide 4, in rows 12 to 14 of a sheet, or in line 40.

    ``first`` and ``last`` count from 1. ``last`` is None where the passage ends where it begins.
    ``sheet`` is the name of the workbook's sheet, if the document has sheets.
    """

    kind: PlaceKind
    first: int
    last: int | None = None
    sheet: str | None = None
