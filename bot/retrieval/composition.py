"""This module writes quotes as Markdown, and passages and documents as the references that it cites."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import PurePosixPath
from urllib.parse import quote as percent_encoded
from urllib.parse import urlsplit

from citations import Reference
from citations.model import Place, PlaceKind

from .anchor import VIEW, Anchor, CitedWords
from .extract import Quote
from .files import MEDIA_TYPES
from .passage import Passage
from .quote import find_rest, write_passage, write_rest, write_sentence
from .sentences import Unit
from .titles import is_same_title


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
    sources: dict[object, dict[int, QuotedPassage]] = defaultdict(dict)
    for passage, unit in quotes:
        row = passage.start if passage.place_kind is PlaceKind.ROW else None
        source = sources[passage.path, passage.headings, row]
        before = source.get(passage.start, QuotedPassage(passage))
        source[passage.start] = replace(before, units=(*before.units, unit))
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
        text=_join_passages(write_passage(one.passage, one.units, whole=True) for one in numbered.quoted),
        page=page,
        last_page=last_page,
        place=place,
        document_url=_open_at(whole.document_url, numbered, page if is_pdf else None),
        aliases=(whole.id, PurePosixPath(whole.id).name),
        complete=True,
    )


def _open_at(document_url: str | None, numbered: NumberedPassage, page: int | None) -> str | None:
    """Return the URL that opens a served document at the quoted units or the passages, and at their page."""
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
    """Return ``name › heading``, or the name alone where the heading is the document's title or a sheet.

    A sheet is named with the place.
    """
    heading = None if passage.sheet and len(passage.headings) == 1 else passage.heading
    is_title = not heading or (passage.title and is_same_title(heading, passage.title))
    return name if is_title else f"{name} › {heading}"


def describe_unquotable(number: int, whole: Reference) -> Reference:
    """Describe a document that may be named but not quoted, as a link where its URL is absolute."""
    url = whole.document_url
    url = f"{url}?{VIEW}=" if url and _is_absolute(url) else None
    return replace(whole, id=str(number), ordinal=True, url=url, only_named=True)


def _is_absolute(url: str) -> bool:
    """Return whether a URL leads to a served document, and is not only its path in the folder."""
    return bool(urlsplit(url).scheme)


@dataclass(frozen=True, slots=True)
class _WrittenQuote:
    """A unit as it is shown, with its marker; ``rest`` are the units below it that are shown with it."""

    quote: Quote
    words: str
    marker: str
    rest: tuple[Unit, ...]

    @property
    def paragraph(self) -> object:
        """A key that the quotes of one paragraph share; an item, a row or code stands alone."""
        passage = self.quote.ranked.passage
        is_alone = self.rest or self.quote.unit.kind != "sentence"
        return self.quote.location if is_alone else (passage.path, passage.headings)

    def covers(self, other: Quote) -> bool:
        """Return whether another quote is shown as a part of this one."""
        path, start = self.quote.ranked.passage.path, self.quote.ranked.passage.start
        return other.location in {(path, start + unit.start) for unit in self.rest}

    def write(self, *, is_marked: bool = True) -> str:
        """Write the unit and what it introduces, with one marker for both where ``is_marked``.

        Each item of a list has the marker, and the line above them has none.
        """
        rest = write_rest(self.quote.ranked.passage, self.rest, self.marker) if self.rest else ""
        if rest and self.rest[0].kind == "item":
            return f"{self.words}\n\n{rest}"
        gap = "\n\n" if self.quote.unit.kind == "code" else " "
        written = f"{self.words}{gap}{self.marker}" if is_marked else self.words
        return f"{written}\n\n{rest}" if rest else written


def _write_paragraph(quotes: Sequence[_WrittenQuote]) -> str:
    """Write the quotes of one paragraph, which are of one source, with one marker at its end."""
    *others, last = quotes
    return " ".join((*(one.write(is_marked=False) for one in others), last.write()))


def write_quotes(quotes: Sequence[Quote], passages: Sequence[NumberedPassage]) -> str:
    """Write quotes as Markdown with their markers: sentences as paragraphs, items and rows as a list.

    A paragraph has the sentences below one heading of a document, which are one source. So it has one
    marker, at its end. Code is a block of its own. A unit that introduces a list, a table or code is
    followed by that.
    """
    markers = {
        (one.passage.path, one.passage.start): f"[{numbered.id}]"
        for numbered in passages
        for one in numbered.quoted
    }
    found: list[_WrittenQuote] = []
    for quote in quotes:
        passage = quote.ranked.passage
        rest = find_rest(passage, quote.unit)
        words = write_sentence(passage, quote.unit)
        found.append(_WrittenQuote(quote, words, markers[passage.path, passage.start], tuple(rest)))
    shown = [one for one in found if one.words and not any(other.covers(one.quote) for other in found)]
    groups = (group for _, group in groupby(shown, key=lambda one: one.paragraph))
    blocks = [_write_paragraph(tuple(group)) for group in groups]
    is_list = all(one.quote.unit.kind in ("item", "row") and not one.rest for one in shown)
    if is_list and len(blocks) > 1:
        return "\n".join(f"- {block}" for block in blocks)
    return "\n\n".join(blocks)
