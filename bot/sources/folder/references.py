"""Describes passages and documents as the references that an answer cites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote as percent_encoded
from urllib.parse import urlsplit

from citations import Reference
from citations.model import Place

from ...retrieval.answer import NumberedPassage
from ...retrieval.files import MEDIA_TYPES
from ...retrieval.passages import VIEW, Anchor, CitedWords, Passage, is_same_title, write_passage

_LONGEST_HEADING: Final = 120
"""Characters of a heading in a source's name."""


@lru_cache(maxsize=4096)  # questions find the same documents
def describe_document(
    path: str, document_base: str, modified: int | None, label: str | None = None
) -> Reference:
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
        label=label,
    )


def describe_passage(numbered: NumberedPassage, whole: Reference, name: str, headings: int = 1) -> Reference:
    """Describe a passage of the document ``whole``, as a citation whose badge opens the passage itself.

    ``name`` is the document's name in its folder. So many ``headings`` follow it. The bold unit is bold in
    the text. Pages and other places are those of that unit, else of all passages. The URL of a PDF ends in
    the first page (``#page=3``, RFC 8118 § 3). The URL of a served document opens it at the bold unit. Path
    and file name become aliases, for the rules of a labels file.
    """
    passage, bold = numbered.best.passage, numbered.bold
    placed = [passage.find_places((bold,))] if bold else [one.find_places() for one in numbered.passages]
    places = [one for one in placed if one]
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
        name=_join_headings(name, passage, headings),
        document_name=name,
        text=_join_passages(
            write_passage(one, (bold,) if bold and one is passage else ()) for one in numbered.passages
        ),
        page=page,
        last_page=last_page,
        place=place,
        document_url=_open_at(whole.document_url, numbered, page if is_pdf else None),
        aliases=tuple(dict.fromkeys((whole.id, PurePosixPath(whole.id).name))),
        complete=True,
    )


def _open_at(document_url: str | None, numbered: NumberedPassage, page: int | None) -> str | None:
    """The URL that opens a served document at the bold unit or the passages, and at their page."""
    if not document_url:
        return None
    fragment = f"#page={page}" if page else ""
    if not _is_absolute(document_url):
        return document_url + fragment
    best, bold = numbered.best.passage, numbered.bold
    if bold:
        words = [CitedWords.of(best.start + bold.start, best.text[bold.start : bold.end])]
    else:
        words = [CitedWords.of(one.start, one.text) for one in numbered.passages]
    return f"{document_url}?{VIEW}={Anchor(tuple(words), is_passage=not bold).write()}{fragment}"


def tell_apart(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Number the references that have the name and the place of an earlier one, from 2 on."""
    counts = Counter[object]()
    found: list[Reference] = []
    for reference in references:
        key = (reference.name, reference.page, reference.last_page, reference.place)
        counts[key] += 1
        again = f"{reference.name} ({counts[key]})"
        found.append(reference if counts[key] == 1 else replace(reference, name=again))
    return tuple(found)


def _join_passages(passages: Iterable[str]) -> str:
    """Join the passages of a source, with one ``…`` where both are cut."""
    text = ""
    for passage in passages:
        is_cut = text.endswith("\n\n…") and passage.startswith("…\n\n")
        text += passage.removeprefix("…") if is_cut else "\n\n" * bool(text) + passage
    return text


def count_headings(passages: Sequence[Passage]) -> Iterator[int]:
    """Yield how many of its headings tell each passage apart from the others of its document; at least 1."""
    for one in passages:
        others = {other.headings for other in passages if other.path == one.path} - {one.headings}
        counts = range(1, len(one.headings))
        yield next(
            (count for count in counts if one.headings[-count:] not in {other[-count:] for other in others}),
            len(counts) + 1,
        )


def _join_headings(name: str, passage: Passage, count: int) -> str:
    """``name › heading``, with the last ``count`` headings that are neither the document's title nor a sheet.

    A sheet is named with the place. A colon at a heading's end leads to what is not there. Of a paragraph
    that its document has as a heading, the beginning stands there.
    """
    headings = passage.headings[1:] if passage.sheet else passage.headings
    said = (heading.rstrip(" :;") for heading in headings[-count:])
    return " › ".join((name, *(_cut(one) for one in said if one and not _is_title(one, passage))))


def _is_title(heading: str, passage: Passage) -> bool:
    return bool(passage.title) and is_same_title(heading, passage.title or "")


def _cut(heading: str) -> str:
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
