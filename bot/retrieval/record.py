"""This module writes passages as records of the index, and reads them back with the stems of their units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from .digest import compute_digest
from .engine import Entry
from .passage import Markup, Passage
from .sentences import Unit
from .words import stem_words

PASSAGE: Final = "passage"


@dataclass(frozen=True, slots=True)
class StemmedUnit:
    """A unit of a passage, and its stems in order; offsets count from the passage's start."""

    unit: Unit
    stems: Sequence[str]


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage with its stems; ``context`` has those of its headings, title and file name.

    ``digest`` is that of everything that its vectors depend on.
    """

    passage: Passage
    units: tuple[StemmedUnit, ...]
    context: frozenset[str]
    digest: int


def write_entry(passage: Passage) -> Entry:
    """Write the entry that indexes a passage."""
    stemmed = [
        (unit, stem_words(passage.text[unit.start : unit.end], passage.language)) for unit in passage.units
    ]
    context = stem_words(_join_context(passage), passage.language)
    record = {
        "digest": compute_passage_digest(passage),
        "path": passage.path,
        "start": passage.start,
        "end": passage.end,
        "text": passage.text,
        "headings": passage.headings,
        "pages": passage.pages,
        "title": passage.title,
        "language": passage.language,
        "markup": passage.markup.value,
        "table": passage.table,
        "goes_on": [passage.goes_on_before, passage.goes_on_after],
        "units": [[*astuple(unit), " ".join(stems)] for unit, stems in stemmed],
        "context": " ".join(context),
    }
    return read_entry(record)


def compute_passage_digest(passage: Passage) -> int:
    """Return the digest of everything that a passage's vectors depend on."""
    return compute_digest(
        *passage.headings, passage.title or "", passage.table, passage.markup.value, passage.text
    )


def read_entry(record: dict[str, Any]) -> Entry:
    """Return the entry of a stored record."""
    body = [stem for *_, joined in record["units"] for stem in joined.split(" ")]
    return Entry(PASSAGE, record["path"], record, body, record["context"].split(" "))


def _join_context(passage: Passage) -> str:
    name = PurePosixPath(passage.path).stem.replace("_", " ")
    return " ".join((*passage.headings, passage.title or "", passage.table, name))


def read_record(record: dict[str, Any]) -> IndexedPassage:
    """Return the passage that :func:`write_entry` stored in a record."""
    stemmed = tuple(StemmedUnit(Unit(*unit), joined.split(" ")) for *unit, joined in record["units"])
    goes_on_before, goes_on_after = record["goes_on"]
    passage = Passage(
        path=record["path"],
        start=record["start"],
        end=record["end"],
        text=record["text"],
        units=tuple(one.unit for one in stemmed),
        headings=tuple(record["headings"]),
        pages=tuple((offset, page) for offset, page in record["pages"]),
        title=record["title"],
        language=record["language"],
        markup=Markup(record["markup"]),
        table=record["table"],
        goes_on_before=goes_on_before,
        goes_on_after=goes_on_after,
    )
    return IndexedPassage(passage, stemmed, frozenset(record["context"].split(" ")), record["digest"])
