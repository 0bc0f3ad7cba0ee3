"""This module writes quotes as Markdown, and passages and documents as the references that it cites."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage, and the id of its reference within one answer."""

    id: str
    passage: Passage


def number_passages(passages: Iterable[Passage]) -> tuple[NumberedPassage, ...]:
    """Number distinct passages from 1, in their order."""
    distinct = {(passage.path, passage.start): passage for passage in passages}
    return tuple(NumberedPassage(str(number), passage) for number, passage in enumerate(distinct.values(), 1))


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


def describe_passage(numbered: NumberedPassage, whole: Reference) -> Reference:
    """Describe a passage of the document ``whole``, as a citation whose badge opens the passage itself.

    The URL of a PDF ends in the passage's page (RFC 8118 § 3: ``#page=3``).
    """
    passage = numbered.passage
    page, _ = passage.find_pages() or (None, None)
    is_pdf = whole.media_type == "application/pdf"
    return replace(
        whole,
        id=numbered.id,
        ordinal=True,
        name=f"{whole.name} › {passage.heading}" if passage.heading else whole.name,
        text=write_passage(passage),
        page=page,
        document_url=f"{whole.document_url}#page={page}" if page and is_pdf else whole.document_url,
    )


def describe_unquotable(number: int, whole: Reference) -> Reference:
    """Describe a document that may be named but not quoted, as a link where its URL is absolute."""
    is_absolute = whole.document_url and urlsplit(whole.document_url).scheme
    url = whole.document_url if is_absolute else None
    return replace(whole, id=str(number), ordinal=True, url=url, only_named=True)


def write_quotes(quotes: Sequence[Quote], passages: Sequence[NumberedPassage]) -> str:
    """Write quotes as Markdown, each with its marker: sentences as paragraphs, items and rows as a list."""
    ids = {(one.passage.path, one.passage.start): one.id for one in passages}
    blocks: list[str] = []
    for _, group in groupby(quotes, key=_find_paragraph):
        passages_and_units = [(quote.ranked.passage, quote.unit) for quote in group]
        blocks.append(
            " ".join(
                f"{write_sentence(one, unit)} [{ids[one.path, one.start]}]"
                for one, unit in passages_and_units
            )
        )
    return _join_blocks(blocks, [quote.unit.kind for quote in quotes])


def _find_paragraph(quote: Quote) -> object:
    """Return a key that the quotes of one paragraph share; an item or a row stands alone."""
    passage = quote.ranked.passage
    return (passage.path, passage.headings) if quote.unit.kind == "sentence" else quote.location


def _join_blocks(blocks: list[str], kinds: list[str]) -> str:
    """Join several blocks as a list if all of them are items or rows, otherwise as paragraphs."""
    if len(blocks) > 1 and "sentence" not in kinds:
        return "\n".join(f"- {block}" for block in blocks)
    return "\n\n".join(blocks)
