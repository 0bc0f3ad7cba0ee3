"""A passage as the index keeps it, and as ranking reads it back: with its units and their stems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from .engine import Entry
from .passage import Markup, Passage
from .sentences import Unit, split_units
from .words import stem_words

PASSAGE: Final = "passage"


@dataclass(frozen=True, slots=True)
class StemmedUnit:
    """A unit of a passage (its offsets count from the passage's start), and its stems in order."""

    unit: Unit
    stems: Sequence[str]


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage with what ranks it; ``context`` are the stems of its headings, title and file name."""

    passage: Passage
    units: tuple[StemmedUnit, ...]
    context: frozenset[str]


def write_entry(passage: Passage) -> Entry:
    """The entry that a passage is indexed by."""
    stemmed = [
        (unit, stem_words(passage.text[unit.start : unit.end], passage.language))
        for unit in split_units(passage.text)
    ]
    context = stem_words(_context(passage), passage.language)
    record = {
        "path": passage.path,
        "start": passage.start,
        "end": passage.end,
        "text": passage.text,
        "headings": passage.headings,
        "page": passage.page,
        "title": passage.title,
        "language": passage.language,
        "markup": passage.markup.value,
        "table": passage.table,
        "units": [[unit.start, unit.end, unit.kind, " ".join(found)] for unit, found in stemmed],
        "context": " ".join(context),
    }
    return read_entry(record)


def read_entry(record: dict[str, Any]) -> Entry:
    """The entry that has this record."""
    body = [stem for *_, joined in record["units"] for stem in joined.split(" ")]
    return Entry(PASSAGE, record["path"], record, body, record["context"].split(" "))


def _context(passage: Passage) -> str:
    name = PurePosixPath(passage.path).stem.replace("_", " ")
    return " ".join((*passage.headings, passage.title or "", passage.table, name))


def read_record(record: dict[str, Any]) -> IndexedPassage:
    """What :func:`write_entry` put into a record."""
    passage = Passage(
        path=record["path"],
        start=record["start"],
        end=record["end"],
        text=record["text"],
        headings=tuple(record["headings"]),
        page=record["page"],
        title=record["title"],
        language=record["language"],
        markup=Markup(record["markup"]),
        table=record["table"],
    )
    found = tuple(
        StemmedUnit(Unit(start, end, kind), joined.split(" ")) for start, end, kind, joined in record["units"]
    )
    return IndexedPassage(passage, found, frozenset(record["context"].split(" ")))
