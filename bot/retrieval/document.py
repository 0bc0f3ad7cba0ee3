"""A document as a reader of files returns it: its text, its sections, and what of it is not read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from citations.model import PlaceKind

LOST: Final = "\ufffc"
"""Stands in a sentence for what could not be read there: such a sentence is no answer, and shows ``…``."""
_BACKTICKS: Final = re.compile("`+")
_ACCENTS: Final = re.compile(r"[\u0300-\u036f]+")
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_BETWEEN: Final = re.compile(r"[\W\d_]+|(?<=[aou])e")
"""What parts words, and the ``e`` by which the names of files write an umlaut."""


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


def find_fence(code: str, least: int) -> str:
    """``least`` backticks, or one more than the longest run of them in some code."""
    return "`" * max(least, 1 + max(map(len, _BACKTICKS.findall(code)), default=0))


def find_shared(name: str, text: str) -> list[bool]:
    """Whether a text has each word of a name that has four letters or more, however both are spelt.

    >>> find_shared("Gebühren_und Fristen 2024", "gebuehrenordnung.pdf")
    [True, False]
    """
    words, all_of_it = (
        _ACCENTS.sub("", unicodedata.normalize("NFKD", one.casefold())) for one in (name, text)
    )
    letters = _BETWEEN.sub("", all_of_it)
    return [_BETWEEN.sub("", word) in letters for word in _WORD.findall(words)]


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
