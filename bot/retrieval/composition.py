"""Quotes into the answer that a person reads, and passages into the references that it cites."""

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
from .quote import write_markdown, write_sentence


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage and the id that its reference has in one answer."""

    id: str
    passage: Passage


def number_passages(passages: Iterable[Passage]) -> tuple[NumberedPassage, ...]:
    """Passages, each once, numbered from 1 as they come."""
    distinct = {(passage.path, passage.start): passage for passage in passages}
    return tuple(NumberedPassage(str(place), passage) for place, passage in enumerate(distinct.values(), 1))


def describe_document(path: str, document_base: str, modified: int | None) -> Reference:
    """A whole document, without what it says: its id is its path in the folder.

    ``modified`` is in nanoseconds since 1970; the document's URL is ``document_base`` with the path
    behind it.
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
    """The reference for a passage of ``whole``: a non-URL citation, whose badge opens the passage itself.

    The document's URL has the page behind it where there is one (RFC 8118 § 3: ``#page=3``).
    """
    passage = numbered.passage
    is_pdf = whole.media_type == "application/pdf"
    return replace(
        whole,
        id=numbered.id,
        ordinal=True,
        name=f"{whole.name} › {passage.heading}" if passage.heading else whole.name,
        text=write_markdown(passage),
        page=passage.page,
        document_url=f"{whole.document_url}#page={passage.page}"
        if passage.page and is_pdf
        else whole.document_url,
    )


def describe_unquotable(number: int, whole: Reference) -> Reference:
    """The reference for a document that may be named and not quoted: where there is a link, it is one."""
    served = whole.document_url and urlsplit(whole.document_url).scheme
    url = whole.document_url if served else None
    return replace(whole, id=str(number), ordinal=True, url=url, only_named=True)


def write_quotes(quotes: Sequence[Quote], passages: Sequence[NumberedPassage]) -> str:
    """Quotes as Markdown: neighbours in one paragraph, items and rows as a list, each with its marker."""
    ids = {(one.passage.path, one.passage.start): one.id for one in passages}
    blocks: list[str] = []
    for _, group in groupby(quotes, key=_paragraph):
        passages_and_units = [(quote.found.passage, quote.unit) for quote in group]
        blocks.append(
            " ".join(
                f"{write_sentence(one, unit)} [{ids[one.path, one.start]}]"
                for one, unit in passages_and_units
            )
        )
    return _join(blocks, [quote.unit.kind for quote in quotes])


def _paragraph(quote: Quote) -> object:
    """Sentences of one passage go together; an item or a row stands alone."""
    passage = quote.found.passage
    return (passage.path, passage.headings) if quote.unit.kind == "sentence" else quote.location


def _join(blocks: list[str], kinds: list[str]) -> str:
    """A list, if all are items or rows and there are several; else paragraphs."""
    if len(blocks) > 1 and "sentence" not in kinds:
        return "\n".join(f"- {block}" for block in blocks)
    return "\n\n".join(blocks)
