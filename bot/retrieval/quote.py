"""Passages and their sentences into Markdown that reads well and does nothing.

What a document says must not become a marker, a link or a picture of the answer, so in sentences
everything that Markdown might read is written as HTML entities, which every Markdown reader shows
as the character itself.
"""

from __future__ import annotations

import re
from typing import Final

from citations.markdown import escape_text

from .passage import Markup, Passage
from .plain import strip_markup
from .sentences import Unit, split_units

_LEADING: Final = re.compile(
    r"\A(?:[-*+•‣▪◦–—o]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_QUOTED: Final = re.compile(r"(?:^|\n)[ \t]*(?:>[ \t]?)+")
_SPACE: Final = re.compile(r"\s+")
_CELL: Final = re.compile(r"(?<!\\)\|")


def write_sentence(passage: Passage, unit: Unit) -> str:
    """A unit as a sentence of an answer: on one line, without bullets, pipes and Markdown."""
    text = passage.text[unit.start : unit.end]
    if unit.kind == "row":
        return escape_text(_row_in_words(text, find_header(passage, unit), passage.markup))
    if unit.kind == "code":
        return escape_text(_SPACE.sub(" ", text).strip())
    if passage.markup is Markup.MARKDOWN:
        text = strip_markup(_QUOTED.sub(" ", text).strip())
    text = _LEADING.sub("", text.strip()) if unit.kind == "item" else text
    return escape_text(_SPACE.sub(" ", text).strip())


def find_header(passage: Passage, unit: Unit) -> str:
    """The header row of the table that a row stands in; the empty string for a header row itself."""
    header = ""
    for other in split_units(passage.text):
        if other.kind != "row":
            header = ""
        elif not header:
            header = (
                passage.text[other.start : other.end] if other.start or not passage.table else passage.table
            )
            if other.start == unit.start:
                return "" if other.start or not passage.table else passage.table
        if other.start == unit.start:
            return header
    return ""


def _row_in_words(row: str, header: str, markup: Markup) -> str:
    """``| Berlin | 150 |`` below ``| City | Limit |`` → ``City: Berlin; Limit: 150``."""
    values, names = _cells(row, markup), _cells(header, markup)
    if len(names) < len(values):
        return "; ".join(value for value in values if value)
    named = (
        f"{name}: {value}" if name else value for name, value in zip(names, values, strict=False) if value
    )
    return "; ".join(named)


def _cells(row: str, markup: Markup) -> list[str]:
    if not row:
        return []
    cells = [cell.strip() for cell in _CELL.split(row.strip().removeprefix("|").removesuffix("|"))]
    return [strip_markup(cell).strip() for cell in cells] if markup is Markup.MARKDOWN else cells


def write_markdown(passage: Passage) -> str:
    """A passage as it is written, its table header repeated where it starts below one.

    Markdown stays Markdown; in other formats only pipe rows are.
    """
    text = passage.text
    if passage.table:
        rule = "|" + " --- |" * max(1, len(_cells(passage.table, passage.markup)))
        text = f"{passage.table.strip()}\n{rule}\n{text}"
    if passage.markup is Markup.MARKDOWN:
        return text
    return "\n".join(line if _is_row(line) else _as_line(line) for line in text.split("\n"))


def _is_row(line: str) -> bool:
    return line.startswith("|") and line.rstrip().endswith("|")


def _as_line(line: str) -> str:
    """A line of plain text; a list item stays one, and four spaces are no code."""
    bullet = re.match(r"[-*•‣▪◦–] +(?=\S)", line.lstrip())
    if bullet:
        return "- " + escape_text(line.lstrip()[bullet.end() :])
    return escape_text(line.strip())
