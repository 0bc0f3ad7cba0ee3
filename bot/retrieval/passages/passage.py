"""A passage: a part of a document that is found, and shown, as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from citations.model import PlaceKind

from ..document import Markup
from .sentences import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Up to two thousand characters of a document, in whole units: ``document.text[start:end] == text``.

    ``path`` is the file's, relative to the folder, with ``/``. The offsets of ``units`` and ``places``
    count from the passage's start. ``places`` are pairs of an offset and the number of a page, slide, row
    or line, one for each that the passage stands on. ``place_kind`` says which, and is None for pages.
    ``sheet`` is the name of the workbook's sheet. ``language`` is tantivy's name of the language whose
    stems index the passage, or None. ``table`` is the header row of the table in whose middle the passage
    starts, or empty.
    ``goes_on_before`` and ``goes_on_after`` say whether a paragraph, list, table or code is cut there.
    """

    path: str
    start: int
    end: int
    text: str
    units: tuple[Unit, ...]
    headings: tuple[str, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    place_kind: PlaceKind | None = None
    sheet: str | None = None
    title: str | None = None
    language: str | None = None
    markup: Markup = Markup.PLAIN
    table: str = ""
    goes_on_before: bool = False
    goes_on_after: bool = False

    @property
    def heading(self) -> str | None:
        """The innermost heading that the passage stands under."""
        return self.headings[-1] if self.headings else None

    def find_places(self, units: Iterable[Unit] = ()) -> tuple[int, int] | None:
        """The first and the last place at which some units stand; without units, of the passage.

        The result is None for formats without places.
        """
        spans = [(unit.start, unit.end) for unit in units] or [(0, len(self.text))]
        ends = [offset for offset, _ in self.places[1:]] + [len(self.text)]
        found = [
            place
            for (start, place), end in zip(self.places, ends, strict=False)
            if any(unit_start < end and unit_end > start for unit_start, unit_end in spans)
        ]
        return (min(found), max(found)) if found else None
