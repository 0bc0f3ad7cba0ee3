"""What a Bedrock knowledge base retrieved: passages, rows and images, and where they are kept."""

from __future__ import annotations

from typing import Final

from ..model.reference import Reference
from .conversion import others
from .loose_json import Members, inner, member, members, objects, page_number, text, title
from .source_address import read_address

_ADDRESS: Final = ("uri", "url", "id", "source_uri")
_URI_KEYS: Final = ("x-amz-bedrock-kb-source-uri", "source_uri", "url", "uri", "source")
_PAGE_KEYS: Final = ("x-amz-bedrock-kb-document-page-number", "page_number", "page")
_NAME_KEYS: Final = ("title", "x-amz-bedrock-kb-title", "file_name", "filename", "name")


def retrieved_source(retrieved: Members) -> Reference | None:
    """The reference of a ``retrievedReference``; None if it names nothing."""
    metadata, location = inner(retrieved, "metadata"), inner(retrieved, "location")
    # Each kind of location has a member of its own: s3Location, webLocation, sharePointLocation, …
    kinds = [members(one) for one in location.values() if members(one)]
    address = next((found for kind in kinds if (found := text(kind, *_ADDRESS).strip())), "")
    address = address or text(location, *_ADDRESS).strip() or text(metadata, *_URI_KEYS).strip()
    query = next((found for kind in kinds if (found := text(kind, "query"))), "")
    passage = _passage(inner(retrieved, "content")) or (title(retrieved, "content"))
    name = title(metadata, *_NAME_KEYS)
    if not (address or name or passage or query):
        return None
    where = read_address(address) if address else None
    shown = name or (where.name if where else None)
    identifier = where.id if where else name or query or passage or ""
    return Reference(
        id=identifier[:500],
        ordinal=where is None and name is None,
        url=where.url if where else None,
        name=shown,
        text=passage,
        page=page_number(metadata, *_PAGE_KEYS),
        aliases=others(
            (address, text(metadata, *_URI_KEYS)), identifier, shown, where.url if where else None
        ),
    )


def _passage(content: Members) -> str | None:
    """The text of a passage, or the cells of a row."""
    cells = (
        f"{text(cell, 'column_name')}: {_value(member(cell, 'column_value'))}"
        for cell in objects(member(content, "row"))
    )
    spoken = title(inner(content, "audio"), "transcription") or title(inner(content, "video"), "summary")
    return title(content, "text") or "\n\n".join(cells) or spoken


def _value(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
