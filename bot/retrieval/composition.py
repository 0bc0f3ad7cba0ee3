"""This module writes quotes as Markdown, and passages and documents as the references that it cites."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import PurePosixPath
from urllib.parse import quote as percent_encoded
from urllib.parse import urlsplit

from citations import Reference

from .extract import Quote
from .files import MEDIA_TYPES
from .passage import Passage
from .quote import write_passage, write_sentence
from .sentences import Unit
from .titles import is_same_title


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage, and the id of its reference within one answer.

    ``units`` are those that the answer quotes; without any, the answer is about the whole passage.
    """

    id: str
    passage: Passage
    units: tuple[Unit, ...] = ()


def number_passages(passages: Iterable[Passage]) -> tuple[NumberedPassage, ...]:
    """Number distinct passages from 1, in their order."""
    distinct = {(passage.path, passage.start): passage for passage in passages}
    return tuple(NumberedPassage(str(number), passage) for number, passage in enumerate(distinct.values(), 1))


def number_quotes(quotes: Iterable[tuple[Passage, Unit]]) -> tuple[NumberedPassage, ...]:
    """Number the passages of quoted units from 1, in their order: one number for all units of a passage."""
    units: dict[tuple[str, int], list[tuple[Passage, Unit]]] = defaultdict(list)
    for passage, unit in quotes:
        units[passage.path, passage.start].append((passage, unit))
    return tuple(
        NumberedPassage(str(number), quoted[0][0], tuple(unit for _, unit in quoted))
        for number, quoted in enumerate(units.values(), 1)
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

    ``name`` is the document's name in its folder. The pages are those of the numbered units, and the URL
    of a PDF ends in the first of them (RFC 8118 § 3: ``#page=3``). Path and file name become aliases,
    for the rules of a labels file.
    """
    passage = numbered.passage
    page, last_page = passage.find_pages(numbered.units) or (None, None)
    is_pdf = whole.media_type == "application/pdf"
    return replace(
        whole,
        id=numbered.id,
        ordinal=True,
        name=_join_heading(name, passage),
        text=write_passage(passage),
        page=page,
        last_page=last_page if last_page != page else None,
        document_url=f"{whole.document_url}#page={page}" if page and is_pdf else whole.document_url,
        aliases=(whole.id, PurePosixPath(whole.id).name),
    )


def _join_heading(name: str, passage: Passage) -> str:
    """Return ``name › heading``, or the name alone where the heading is the document's title."""
    heading = passage.heading
    is_title = not heading or (passage.title and is_same_title(heading, passage.title))
    return name if is_title else f"{name} › {heading}"


def describe_unquotable(number: int, whole: Reference) -> Reference:
    """Describe a document that may be named but not quoted, as a link where its URL is absolute."""
    is_absolute = whole.document_url and urlsplit(whole.document_url).scheme
    url = whole.document_url if is_absolute else None
    return replace(whole, id=str(number), ordinal=True, url=url, only_named=True)


def write_quotes(quotes: Sequence[Quote], passages: Sequence[NumberedPassage]) -> str:
    """Write quotes as Markdown, each with its marker: sentences as paragraphs, items and rows as a list.

    Code is a block of its own.
    """
    ids = {(one.passage.path, one.passage.start): one.id for one in passages}
    blocks: list[str] = []
    for _, group in groupby(quotes, key=_find_paragraph):
        passages_and_units = [(quote.ranked.passage, quote.unit) for quote in group]
        blocks.append(
            " ".join(_mark_sentence(one, unit, ids[one.path, one.start]) for one, unit in passages_and_units)
        )
    return _join_blocks(blocks, [quote.unit.kind for quote in quotes])


def _mark_sentence(passage: Passage, unit: Unit, number: str) -> str:
    """Write a unit and its marker, which stands below a block of code."""
    gap = "\n\n" if unit.kind == "code" else " "
    return f"{write_sentence(passage, unit)}{gap}[{number}]"


def _find_paragraph(quote: Quote) -> object:
    """Return a key that the quotes of one paragraph share; an item or a row stands alone."""
    passage = quote.ranked.passage
    return (passage.path, passage.headings) if quote.unit.kind == "sentence" else quote.location


def _join_blocks(blocks: list[str], kinds: list[str]) -> str:
    """Join several blocks as a list if all of them are items or rows, otherwise as paragraphs."""
    if len(blocks) > 1 and {"item", "row"}.issuperset(kinds):
        return "\n".join(f"- {block}" for block in blocks)
    return "\n\n".join(blocks)
