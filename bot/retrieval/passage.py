"""Nouns: a document as its reader gives it, and the passages it is searched by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Markup(StrEnum):
    """How a document's text is written."""

    PLAIN = "plain"
    """Means what it says: an asterisk is an asterisk. Tables are pipe rows, as readers write them."""
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Section:
    """``text[start:end]`` of a document: the words that stand under one heading, on from one page.

    ``headings`` is the path to it, the outermost first; ``page`` counts from 1, where there are pages.
    """

    start: int
    end: int
    headings: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDocument:
    """What a reader makes of a file.

    ``sections`` are in order and do not overlap; what lies between them (the heading lines, a
    preamble) is not searched as text.
    """

    text: str
    sections: tuple[Section, ...]
    title: str | None = None
    markup: Markup = Markup.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """About a kilobyte of a document, whole sentences: ``document.text[start:end] == text``.

    ``path`` is the file's, relative to the folder, with ``/``. ``language`` is tantivy's name of the
    language whose stems index it, or None. ``table`` is the header row in force where it starts.
    """

    path: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    page: int | None = None
    title: str | None = None
    language: str | None = None
    markup: Markup = Markup.PLAIN
    table: str = ""

    @property
    def heading(self) -> str | None:
        """The innermost heading that it stands under."""
        return self.headings[-1] if self.headings else None


class UnreadableError(Exception):
    """A file that can't be read; its text is the reason, to stand behind ``<name>: ``."""
