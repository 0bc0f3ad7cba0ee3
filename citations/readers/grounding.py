"""Gemini's grounding metadata: chunks are sources, and supports say which words rest on which chunks.

Web pages are redirects on ``vertexaisearch.cloud.google.com``, and their title is often only a host name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .anchor import OffsetUnit, not_placed
from .loose_json import (
    Members,
    first_inner,
    inner,
    items,
    member,
    members,
    objects,
    page_number,
    pick,
    text,
    title,
)
from .source_address import describe_source
from .spanned_text import CitedRange, SpannedText, TextPart, place_of

_URL_KEYS: Final = ("source_url", "url", "uri", "link", "source")
"""Keys under which people keep the address of a document in its ``customMetadata``."""


def grounding_sources(grounding: Members) -> Iterator[Reference]:
    """The sources of an answer, cited or not."""
    return filter(None, map(_source, items(member(grounding, "grounding_chunks"))))


def retrieved_sources(context: Members) -> Iterator[Reference]:
    """The pages that the model read. Some answers say nothing else of their sources."""
    for page in objects(member(context, "url_metadata")):
        address = text(page, "retrieved_url").strip()
        if address and text(page, "url_retrieval_status").upper().endswith("SUCCESS"):
            yield describe_source(address, None)


def cite_grounding(
    answer: SpannedText,
    grounding: Members,
    part_of: Callable[[Members], TextPart],
    whole: TextPart,
) -> Iterator[AnswerEvent]:
    """Cite what the supports say. ``part_of`` gives the part that a segment counts in.

    Words that this part doesn't have are sought in the ``whole`` answer.
    """
    chunks = items(member(grounding, "grounding_chunks"))
    for index, support in enumerate(objects(member(grounding, "grounding_supports"))):
        segment = inner(support, "segment")
        found = map(_source, pick(chunks, member(support, "grounding_chunk_indices")))
        cited = CitedRange.read(segment, "text", "start_index", "end_index", OffsetUnit.UTF_8)
        part = part_of(segment)
        place = place_of(part, cited)
        if place is None:
            part, place = whole, place_of(whole, cited._replace(end=None))
        path = f"$.candidates[0].groundingMetadata.groundingSupports[{index}]"
        yield from answer.cite(part, place, filter(None, found), missing=not_placed(path, cited.words))


def _source(chunk: object) -> Reference | None:
    """The reference of a ``groundingChunk``; None if it names nothing."""
    kind = first_inner(members(chunk))
    rag = inner(kind, "rag_chunk")
    span = inner(rag, "page_span")
    name = title(kind, "title", "display_name", "domain")
    passage = title(kind, "text") or title(rag, "text")
    address = text(kind, "uri", "url", "source_uri", "image_uri").strip() or _kept_address(kind)
    store = text(kind, "file_search_store", "document_name")
    if not (address or name or passage):
        return None
    first = page_number(kind, "page_number") or page_number(span, "first_page")
    return describe_source(
        address,
        name,
        # A passage of a file search store has neither an address nor a title.
        otherwise=name or f"{store or passage} {passage}".strip()[:200],
        names=(store,),
        text=passage,
        pages=(first, page_number(span, "last_page")),
        ordinal=not (address or name),
    )


def _kept_address(kind: Members) -> str:
    """The address that a file's owner keeps in its metadata."""
    kept = {text(one, "key"): text(one, "string_value") for one in objects(member(kind, "custom_metadata"))}
    return next((kept[key].strip() for key in _URL_KEYS if kept.get(key, "").strip()), "")
