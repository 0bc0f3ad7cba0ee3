"""The sources that Google's answers name: web pages, places, and passages of documents.

Web pages are redirects on ``vertexaisearch.cloud.google.com``, and their title is often only a host name.
"""

from __future__ import annotations

from typing import Final

from ..model.reference import Reference
from .conversion import others
from .loose_json import Members, inner, member, members, number, objects, page_number, text, title
from .source_address import read_address

_URL_KEYS: Final = ("source_url", "url", "uri", "link", "source")
"""Keys under which people keep the address of a document in its ``customMetadata``."""
_KINDS: Final = ("web", "retrieved_context", "maps", "image")


def grounding_source(chunk: object) -> Reference | None:
    """The reference of a ``groundingChunk``; None if it names nothing. Other kinds have other members."""
    found = members(chunk)
    kind = next((inner(found, name) for name in _KINDS if inner(found, name)), None)
    if kind is None:
        kind = next((members(one) for one in found.values() if members(one)), found)
    rag = inner(kind, "rag_chunk")
    pages = inner(rag, "page_span")
    name = title(kind, "title", "display_name", "domain")
    passage = title(kind, "text") or title(rag, "text")
    address = text(kind, "uri", "url", "source_uri", "image_uri").strip() or _kept_address(kind)
    store = text(kind, "file_search_store", "document_name")
    if not (address or name or passage):
        return None
    first = page_number(kind, "page_number") or page_number(pages, "first_page")
    last = page_number(pages, "last_page")
    where = read_address(address) if address else None
    # A passage of a file search store has neither an address nor a title.
    identifier = where.id if where else name or store or passage or ""
    return Reference(
        id=identifier if where or name else f"{identifier} {passage}".strip()[:200],
        url=where.url if where else None,
        name=name or (where.name if where else None),
        text=passage,
        page=first,
        last_page=last if first and last and last > first else None,
        aliases=others((store, address), identifier, name, where.url if where else None),
        ordinal=where is None and name is None,
    )


def _kept_address(kind: Members) -> str:
    """The address that a file's owner keeps in its metadata."""
    kept = {text(one, "key"): text(one, "string_value") for one in objects(member(kind, "custom_metadata"))}
    return next((kept[key].strip() for key in _URL_KEYS if kept.get(key, "").strip()), "")


def search_source(reference: Members) -> Reference | None:
    """A reference of an answer of Vertex AI Search: a chunk, a document with chunks, or a record."""
    chunk = inner(reference, "chunk_info")
    document = (
        inner(chunk, "document_metadata")
        or inner(reference, "unstructured_document_info")
        or inner(reference, "structured_document_info")
        or reference
    )
    contents = list(objects(member(document, "chunk_contents")))
    passages = [text(chunk, "content"), *(text(one, "content") for one in contents)]
    page = page_number(document, "page_identifier") or next(
        (found for one in contents if (found := page_number(one, "page_identifier"))), None
    )
    passage = "\n\n".join(one for one in passages if one.strip()) or title(document, "chunk_text", "text")
    record = inner(document, "struct_data")
    name = title(document, "title") or title(record, "title", "name")
    address = text(document, "uri", "url").strip() or text(record, "uri", "url").strip()
    identifier = text(document, "document") or text(chunk, "chunk")
    if not (address or name or passage or identifier):
        return None
    where = read_address(address or identifier or name or "source")
    return Reference(
        id=where.id,
        url=where.url,
        name=name or where.name,
        text=passage,
        page=page,
        aliases=others(
            (text(document, "document"), text(chunk, "chunk"), address), where.id, name, where.url
        ),
    )


def reference_number(data: Members) -> int | None:
    """The index in ``references``, which is a string, counted from 0. Protocol Buffers leave out zeros."""
    found = number(data, "reference_id", "reference_index")
    return 0 if found is None and not text(data, "reference_id") else found
