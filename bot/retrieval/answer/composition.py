"""Writes quotes as Markdown, and passages and documents as the references that it cites."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote as percent_encoded
from urllib.parse import urlsplit

from citations import Reference
from citations.model import Place, PlaceKind

from ..files import MEDIA_TYPES
from ..passages import (
    VIEW,
    Anchor,
    CitedWords,
    Passage,
    Unit,
    find_opening,
    find_rest,
    is_same_title,
    write_list_heading,
    write_passage,
    write_rest,
    write_sentence,
)
from .quotes import QuotedUnit

_LONGEST_HEADING: Final = 120
"""Characters of a heading in a source's name."""


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A passage, and the units of it that an answer quotes; none where the answer is about all of it."""

    passage: Passage
    units: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A source of one answer: passages below one heading of a document, in their order, and its id."""

    id: str
    quoted: tuple[QuotedPassage, ...]

    @property
    def passage(self) -> Passage:
        """The first passage."""
        return self.quoted[0].passage


def number_quotes(quotes: Iterable[tuple[Passage, Unit]]) -> tuple[NumberedPassage, ...]:
    """Number the sources of quoted units from 1, in their order.

    Passages below the same heading of a document are one source, since a reader could not tell them apart.
    Rows of a sheet are far from each other there, so each passage of rows is a source.
    """
    return number_passages(
        ((passage, (unit,)) for passage, unit in quotes),
        lambda passage: passage.start if passage.place_kind is PlaceKind.ROW else None,
    )


def number_passages(
    found: Iterable[tuple[Passage, tuple[Unit, ...]]], find_place: Callable[[Passage], object]
) -> tuple[NumberedPassage, ...]:
    """Number the sources of passages and their units from 1, in their order.

    Passages below the same heading of a document and at the same place are one source.
    """
    sources: dict[object, dict[int, QuotedPassage]] = defaultdict(dict)
    for passage, units in found:
        source = sources[passage.path, passage.headings, find_place(passage)]
        before = source.get(passage.start, QuotedPassage(passage))
        source[passage.start] = replace(before, units=(*before.units, *units))
    return tuple(
        NumberedPassage(str(number), tuple(source[start] for start in sorted(source)))
        for number, source in enumerate(sources.values(), 1)
    )


def describe_document(path: str, document_base: str, modified: int | None) -> Reference:
    """Describe a whole document without its text; the id is the document's path in the folder.

    ``modified`` counts nanoseconds since 1970. The document's URL is ``document_base`` followed by
    the path.
    """
    name = PurePosixPath(path)
    return Reference(
        id=path,
        name=name.name,
        media_type=MEDIA_TYPES.get(name.suffix.lower()),
        modified=datetime.fromtimestamp(modified // 1_000_000_000, UTC).isoformat() if modified else None,
        document_url=document_base + percent_encoded(path),
    )


def describe_passage(numbered: NumberedPassage, whole: Reference, name: str) -> Reference:
    """Describe a passage of the document ``whole``, as a citation whose badge opens the passage itself.

    ``name`` is the document's name in its folder. The quoted units are bold in the text. Pages and other
    places are those of the numbered units. The URL of a PDF ends in the first page (``#page=3``, RFC 8118
    § 3). The URL of a served document opens it at the quoted units. Path and file name become
    aliases, for the rules of a labels file.
    """
    passage = numbered.passage
    places = [places for one in numbered.quoted if (places := one.passage.find_places(one.units))]
    first = min((first for first, _ in places), default=None)
    last = max((last for _, last in places), default=None)
    last = last if last != first else None
    kind = passage.place_kind
    place = Place(kind=kind, first=first, last=last, sheet=passage.sheet) if kind and first else None
    page, last_page = (None, None) if kind else (first, last)
    is_pdf = whole.media_type == "application/pdf"
    return replace(
        whole,
        id=numbered.id,
        ordinal=True,
        name=_join_heading(name, passage),
        document_name=name,
        text=_join_passages(write_passage(one.passage, one.units) for one in numbered.quoted),
        page=page,
        last_page=last_page,
        place=place,
        document_url=_open_at(whole.document_url, numbered, page if is_pdf else None),
        aliases=tuple(dict.fromkeys((whole.id, PurePosixPath(whole.id).name))),
        complete=True,
    )


def _open_at(document_url: str | None, numbered: NumberedPassage, page: int | None) -> str | None:
    """The URL that opens a served document at the quoted units or the passages, and at their page."""
    if not document_url:
        return None
    fragment = f"#page={page}" if page else ""
    if not _is_absolute(document_url):
        return document_url + fragment
    quoted = [
        CitedWords.of(one.passage.start + unit.start, one.passage.text[unit.start : unit.end])
        for one in numbered.quoted
        for unit in one.units
    ]
    whole = [CitedWords.of(one.passage.start, one.passage.text) for one in numbered.quoted]
    words = sorted(quoted or whole, key=lambda one: one.start)
    return f"{document_url}?{VIEW}={Anchor(tuple(words), is_passage=not quoted).write()}{fragment}"


def tell_apart(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Number the references that have the name and the place of an earlier one, from 2 on."""
    counts = Counter[object]()
    found: list[Reference] = []
    for reference in references:
        key = (reference.name, reference.page, reference.last_page, reference.place)
        counts[key] += 1
        name = reference.name if counts[key] == 1 else f"{reference.name} ({counts[key]})"
        found.append(replace(reference, name=name))
    return tuple(found)


def _join_passages(passages: Iterable[str]) -> str:
    """Join the passages of a source, with one ``…`` where both are cut."""
    text = ""
    for passage in passages:
        is_cut = text.endswith("\n\n…") and passage.startswith("…\n\n")
        text += passage.removeprefix("…") if is_cut else "\n\n" * bool(text) + passage
    return text


def _join_heading(name: str, passage: Passage) -> str:
    """``name › heading``, or the name alone where the heading is the document's title or a sheet.

    A sheet is named with the place. A colon at the heading's end leads to what is not there. Of a paragraph
    that its document has as a heading, the beginning stands there.
    """
    is_sheet = passage.sheet and len(passage.headings) == 1
    heading = "" if is_sheet else (passage.heading or "").rstrip(" :;")
    is_title = not heading or (passage.title and is_same_title(heading, passage.title))
    return name if is_title else f"{name} › {_clip(heading)}"


def _clip(heading: str) -> str:
    begun = heading[:_LONGEST_HEADING]
    return heading if begun == heading else f"{begun.rpartition(' ')[0] or begun}…"


def describe_unquotable(number: int, whole: Reference) -> Reference:
    """Describe a document that may be named but not quoted, as a link where its URL is absolute."""
    url = whole.document_url
    url = f"{url}?{VIEW}=" if url and _is_absolute(url) else None
    return replace(whole, id=str(number), ordinal=True, url=url, only_named=True)


def _is_absolute(url: str) -> bool:
    """Whether a URL leads to a served document, and is not only its path in the folder."""
    return bool(urlsplit(url).scheme)


def write_quotes(quotes: Sequence[QuotedUnit], passages: Sequence[NumberedPassage]) -> str:
    """Write quotes as Markdown with their markers: sentences as paragraphs, items and rows as a list.

    What is quoted of one paragraph or item of a document has one marker, at its end. Code is a block of its
    own. A unit that introduces a list, a table or code is followed by that. Above an item of a list that
    nothing introduces stands the heading.
    """
    markers = {
        (one.passage.path, one.passage.start): f"[{numbered.id}]"
        for numbered in passages
        for one in numbered.quoted
    }
    rests = {quote.location: find_rest(quote.ranked.passage, quote.unit) for quote in quotes}
    below = {
        (quote.location[0], quote.ranked.passage.start + unit.start)
        for quote in quotes
        for unit in rests[quote.location]
    }
    shown = [quote for quote in quotes if quote.location not in below and _write_words([quote])]
    blocks: list[str] = []
    for _, group in groupby(shown, key=lambda quote: _find_paragraph(quote, rests[quote.location])):
        sentences = list(group)
        passage = sentences[-1].ranked.passage
        marker = markers[passage.path, passage.start]
        blocks.append(_write_block(sentences, rests[sentences[-1].location], marker))
    is_list = all(quote.unit.kind in ("item", "row") and not rests[quote.location] for quote in shown)
    heading = write_list_heading(shown[0].ranked.passage, shown[0].unit) if shown else ""
    if is_list and (len(blocks) > 1 or heading):
        blocks = ["\n".join(f"- {block}" for block in blocks)]
    elif heading:
        blocks[0] = f"- {blocks[0]}"
    return "\n\n".join((*filter(None, [heading]), *blocks))


def _find_paragraph(quote: QuotedUnit, rest: Sequence[Unit]) -> object:
    """A key that the quotes of one paragraph or item share; a row, code or what has a rest stands alone."""
    passage, unit = quote.ranked.passage, quote.unit
    opening = find_opening(passage, unit)
    return quote.location if rest or unit.kind in ("row", "code") else (passage.path, passage.start, opening)


def _write_words(quotes: Sequence[QuotedUnit]) -> str:
    return write_sentence(quotes[0].ranked.passage, *(quote.unit for quote in quotes))


def _write_block(quotes: Sequence[QuotedUnit], rest: Sequence[Unit], marker: str) -> str:
    """Write the quotes of one paragraph, and ``rest``, which the last one introduces, with one marker.

    Each item of a list has the marker, and the line above them has none. Of a list of images without
    descriptions nothing is written, so that the line has the marker.
    """
    words = _write_words(quotes)
    written = write_rest(quotes[-1].ranked.passage, rest, marker) if rest else ""
    if written and rest[0].kind == "item":
        return f"{words}\n\n{written}"
    gap = "\n\n" if quotes[-1].unit.kind == "code" else " "
    return f"{words}{gap}{marker}" + (f"\n\n{written}" if written else "")
