"""The values of retrieval: a document as a reader returns it, and its passages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from citations.model import PlaceKind

from .sentences import Unit


class Markup(StrEnum):
    """The markup of a document's text."""

    PLAIN = "plain"
    """No markup: an asterisk is an asterisk. Only tables are written as pipe rows."""
    MARKDOWN = "markdown"
    CODE = "code"
    """Source code, in which each line is code."""


@dataclass(frozen=True, slots=True)
class Section:
    """``text[start:end]`` of a document: the text below one heading and at one place, such as a page.

    ``headings`` are the headings that it stands under, the outermost first. ``place`` is the number of
    the page, slide, row or line, which counts from 1. It is None for formats without places.
    """

    start: int
    end: int
    headings: tuple[str, ...] = ()
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDocument:
    """A file's text as a reader returns it.

    ``sections`` are in order and do not overlap. The text between them, such as heading lines and
    front matter, is not searched as text. ``place_kind`` says what the sections' places are; None stands
    for pages. ``sheets`` says whether the first heading of each section is the name of a sheet. ``unread``
    says what of the file is not in the text, such as ``2 hidden sheets are not read``.
    """

    text: str
    sections: tuple[Section, ...]
    title: str | None = None
    markup: Markup = Markup.PLAIN
    place_kind: PlaceKind | None = None
    sheets: bool = False
    unread: tuple[str, ...] = ()


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


def count_words(count: int, name: str) -> str:
    """Write a number of things: ``1 file``, ``2 files``."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def say_unread(count: int, name: str) -> list[str]:
    """Say that some parts of a file are not read; the list is empty where there are none.

    >>> say_unread(1, "hidden sheet"), say_unread(2, "attachment"), say_unread(0, "line")
    (['1 hidden sheet is not read'], ['2 attachments are not read'], [])
    """
    return [f"{count_words(count, name)} {'is' if count == 1 else 'are'} not read"] if count else []


class UnreadableError(Exception):
    """A file can't be read. The error's text is the reason, which follows ``<name>: ``."""
