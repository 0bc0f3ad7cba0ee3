"""This module writes what is embedded of a passage: the words of its units, and its headings."""

from __future__ import annotations

import html
from typing import Final

from .passage import Passage
from .plain import strip_markup
from .quote import write_sentence
from .record import IndexedPassage
from .sentences import Unit

_LONGEST: Final = 1000
"""A longer text is truncated to this many characters."""


def write_units(indexed: IndexedPassage) -> list[str]:
    """Write each unit as an answer would quote it, but without escapes; code as it is."""
    return [_write_unit(indexed.passage, stemmed.unit)[:_LONGEST] for stemmed in indexed.units]


def _write_unit(passage: Passage, unit: Unit) -> str:
    if unit.kind == "code":
        return passage.text[unit.start : unit.end]
    return html.unescape(write_sentence(passage, unit))


def write_headings(passage: Passage) -> str:
    """Write the title of a passage's document and the headings above it; empty where there are none."""
    headings = map(strip_markup, (passage.title or "", *passage.headings))
    # A document's title often is its first heading.
    distinct = dict.fromkeys(" ".join(heading.split()) for heading in headings)
    return " › ".join(filter(None, distinct))
