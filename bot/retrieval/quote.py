"""This module writes passages and their sentences as Markdown without active content.

A document's text must not become a marker, a link or an image of the answer. So in sentences every
character that Markdown interprets becomes an HTML entity, which shows as that character.
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
    """Write a unit as a sentence of an answer: on one line, without bullets, pipes and Markdown."""
    text = passage.text[unit.start : unit.end]
    if unit.kind == "row":
        return escape_text(_write_row(text, find_header(passage, unit), passage.markup))
    if unit.kind == "code":
        return escape_text(_SPACE.sub(" ", text).strip())
    if passage.markup is Markup.MARKDOWN:
        text = strip_markup(_QUOTED.sub(" ", text).strip())
    text = _LEADING.sub("", text.strip()) if unit.kind == "item" else text
    return escape_text(_SPACE.sub(" ", text).strip())


def find_header(passage: Passage, unit: Unit) -> str:
    """Find the header row of the table that a row stands in; empty for a header row itself."""
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


def _write_row(row: str, header: str, markup: Markup) -> str:
    """Write ``| Berlin | 150 |`` below ``| City | Limit |`` as ``City: Berlin; Limit: 150``."""
    values, names = _split_cells(row, markup), _split_cells(header, markup)
    if len(names) < len(values):
        return "; ".join(value for value in values if value)
    labelled = (
        f"{name}: {value}" if name else value for name, value in zip(names, values, strict=False) if value
    )
    return "; ".join(labelled)


def _split_cells(row: str, markup: Markup) -> list[str]:
    if not row:
        return []
    cells = [cell.strip() for cell in _CELL.split(row.strip().removeprefix("|").removesuffix("|"))]
    return [strip_markup(cell).strip() for cell in cells] if markup is Markup.MARKDOWN else cells


def write_markdown(passage: Passage) -> str:
    """Write a whole passage as Markdown, with its table's header where it starts below one.

    Markdown documents stay as they are. In other formats only pipe rows are Markdown.
    """
    text = passage.text
    if passage.table:
        rule = "|" + " --- |" * max(1, len(_split_cells(passage.table, passage.markup)))
        text = f"{passage.table.strip()}\n{rule}\n{text}"
    if passage.markup is Markup.MARKDOWN:
        return text
    return "\n".join(line if _is_row(line) else _write_line(line) for line in text.split("\n"))


def _is_row(line: str) -> bool:
    return line.startswith("|") and line.rstrip().endswith("|")


def _write_line(line: str) -> str:
    """Write a line of plain text; a list item stays one, and four spaces do not make it code."""
    bullet = re.match(r"[-*•‣▪◦–] +(?=\S)", line.lstrip())
    if bullet:
        return "- " + escape_text(line.lstrip()[bullet.end() :])
    return escape_text(line.strip())
