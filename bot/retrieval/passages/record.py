"""Writes passages as records of the index, and reads them back with the stems of their units."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from citations.model import PlaceKind

from ..document import Markup
from ..words import Entry, stem_words
from .passage import Passage
from .sentences import Unit


def compute_digest(*parts: str) -> int:
    """A digest of texts, as a signed integer of 64 bits."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big", signed=True)


PASSAGE: Final = "passage"
_PLAIN: Final = ("path", "start", "end", "text", "title", "language", "table")
"""The fields of a passage that JSON has as they are."""
_PART: Final = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])")
"""Where a part of a file's name begins without a sign: ``RoomList2024``."""


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage, and the stems of each of its units, in order.

    ``context`` has those of its headings, title and file name.
    ``digest`` is that of everything that its vectors depend on.
    """

    passage: Passage
    stems: tuple[Sequence[str], ...]
    context: frozenset[str]
    digest: int


def write_entry(passage: Passage) -> Entry:
    """Write the entry that indexes a passage."""
    stems = [stem_words(passage.text[unit.start : unit.end], passage.language) for unit in passage.units]
    record = write_json(passage)
    record |= {
        "digest": compute_passage_digest(passage),
        "units": [[*unit, " ".join(words)] for unit, words in zip(record["units"], stems, strict=True)],
        "context": " ".join(stem_words(write_context(passage), passage.language)),
    }
    return read_entry(record)


def write_json(passage: Passage) -> dict[str, Any]:
    """The passage as plain JSON."""
    return {
        **{name: getattr(passage, name) for name in _PLAIN},
        "headings": passage.headings,
        "pages": passage.places,
        "place_kind": passage.place_kind,
        "sheet": passage.sheet,
        "markup": passage.markup.value,
        "goes_on": [passage.goes_on_before, passage.goes_on_after],
        "units": [[one.start, one.end, one.kind, one.opens, one.indent] for one in passage.units],
    }


def read_json(record: dict[str, Any]) -> Passage:
    """The passage that :func:`write_json` wrote.

    Records of version 0.1, which knew pages only, have neither ``place_kind`` nor ``sheet``.
    """
    goes_on_before, goes_on_after = record["goes_on"]
    return Passage(
        **{name: record[name] for name in _PLAIN},
        headings=tuple(record["headings"]),
        places=tuple((offset, place) for offset, place in record["pages"]),
        place_kind=PlaceKind(kind) if (kind := record.get("place_kind")) else None,
        sheet=record.get("sheet"),
        markup=Markup(record["markup"]),
        goes_on_before=goes_on_before,
        goes_on_after=goes_on_after,
        units=tuple(Unit(*unit) for unit in record["units"]),
    )


def compute_passage_digest(passage: Passage) -> int:
    """The digest of everything that a passage's vectors depend on; each of its units has one."""
    units = " ".join(f"{unit.start}-{unit.end}" for unit in passage.units)
    return compute_digest(
        *passage.headings, passage.title or "", passage.table, passage.markup.value, units, passage.text
    )


def read_entry(record: dict[str, Any]) -> Entry:
    """The entry of a stored record."""
    body = [stem for *_, joined in record["units"] for stem in joined.split(" ")]
    return Entry(PASSAGE, record["path"], record, body, record["context"].split(" "))


def write_context(passage: Passage) -> str:
    """Write what stands above a passage: its headings and title, the header of its table, its file's name."""
    name = unicodedata.normalize("NFC", PurePosixPath(passage.path).name)  # macOS decomposes it
    parts = _PART.sub(" ", name)
    names = (name,) if parts == name else (name, parts)
    return " ".join((*passage.headings, passage.title or "", passage.table, *names))


def read_record(record: dict[str, Any]) -> IndexedPassage:
    """The passage that :func:`write_entry` stored in a record."""
    passage = read_json(record | {"units": [unit for *unit, _ in record["units"]]})
    stems = tuple(joined.split(" ") for *_, joined in record["units"])
    return IndexedPassage(passage, stems, frozenset(record["context"].split(" ")), record["digest"])
