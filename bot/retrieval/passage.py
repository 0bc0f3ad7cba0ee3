"""This module has the values of retrieval: a document as a reader returns it, and its passages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from .sentences import Unit


class Markup(StrEnum):
    """The markup of a document's text."""

    PLAIN = "plain"
    """No markup: an asterisk is an asterisk. Only tables are written as pipe rows."""
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Section:
    """``text[start:end]`` of a document: the text below one heading and, in a PDF, on one page.

    ``headings`` are the headings that it stands under, the outermost first. ``page`` counts from 1,
    and is None for formats without pages.
    """

    start: int
    end: int
    headings: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDocument:
    """A file's text as a reader returns it.

    ``sections`` are in order and do not overlap. The text between them, such as heading lines and
    front matter, is not searched as text.
    """

    text: str
    sections: tuple[Section, ...]
    title: str | None = None
    markup: Markup = Markup.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """About a thousand characters of a document, in whole units: ``document.text[start:end] == text``.

    ``path`` is the file's, relative to the folder, with ``/``. The offsets of ``units`` and ``pages``
    count from the passage's start. ``pages`` are pairs of offset and page, one for each page that the
    passage stands on. ``language`` is tantivy's name of the language whose stems index the passage, or
    None. ``table`` is the header row of the table in whose middle the passage starts, or empty.
    ``goes_on_before`` and ``goes_on_after`` say whether a paragraph, list, table or code is cut there.
    """

    path: str
    start: int
    end: int
    text: str
    units: tuple[Unit, ...]
    headings: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
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

    def find_pages(self, units: Iterable[Unit] = ()) -> tuple[int, int] | None:
        """Return the first and the last page on which some units stand; without units, of the passage.

        The result is None for formats without pages.
        """
        spans = [(unit.start, unit.end) for unit in units] or [(0, len(self.text))]
        ends = [offset for offset, _ in self.pages[1:]] + [len(self.text)]
        found = [
            page
            for (start, page), end in zip(self.pages, ends, strict=False)
            if any(unit_start < end and unit_end > start for unit_start, unit_end in spans)
        ]
        return (min(found), max(found)) if found else None


class UnreadableError(Exception):
    """A file can't be read. The error's text is the reason, which follows ``<name>: ``."""
