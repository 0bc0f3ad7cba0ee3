"""The sources of Open WebUI's answers: their numbers, names, pages and links.

Governing sources: Open WebUI's ``get_source_context`` numbers what the model sees. Its
``Citations.svelte`` gives the reader the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final
from urllib.parse import quote, unquote

import msgspec

from ..model.reference import Reference
from ..text.url import LONE_PERCENT
from .conversion import iso_date, new_references, none_if_blank, others
from .loose_json import title
from .source_address import read_address

_FILE_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_NO_NAME: Final = "N/A"
"""Open WebUI's name for sources without name and id, which are all one source to it."""


class WebUISource(msgspec.Struct):
    """A collection, file or page that was searched and, in parallel lists, its passages."""

    source: dict[str, Any] | None = None
    document: list[Any] | None = None
    metadata: list[dict[str, Any] | None] | None = None
    # Versions up to 0.6 number a source "if 'document' in source and not is_tool_result". A tool's result
    # has no number, and yet the answer was made with it.
    tool_result: bool | None = None


class WebUISources:
    """The numbers that Open WebUI gives to sources, and the references of an answer, without repetitions."""

    def __init__(self, webui_url: str) -> None:
        self._webui_url = webui_url.rstrip("/")
        self._numbers: dict[str, int] = {}
        self._tools: dict[str, int] = {}
        self._found: set[Reference] = set()

    def add(self, sources: list[WebUISource]) -> tuple[Reference, ...]:
        """The new references among ``sources``, in order."""
        return new_references((one for source in sources for one in self._references(source)), self._found)

    def _references(self, source: WebUISource) -> Iterator[Reference]:
        """One reference for each passage.

        A number belongs to ``metadata.source or source.id or "N/A"``, from its first use on. The result
        of a tool has an id that no marker names. It has no URL, which could join it with a document. A
        pipe's source may have no metadata.
        """
        about, is_tool = source.source or {}, bool(source.tool_result)
        for document, described in _passages(source):
            metadata = described or {}
            key = str(metadata.get("source") or about.get("id") or _NO_NAME)
            found = [read_address(one) for one in (title(metadata, "source_url") or "", key)]
            address = next((one for one in found if one.url), found[1])
            url = None if is_tool else address.url
            page = _page(metadata)
            name = _name(about, metadata, key, web=bool(address.url) and not address.name)
            yield Reference(
                id=self._id(key, is_tool=is_tool),
                ordinal=True,
                aliases=_aliases(about, metadata, name, url),
                name=name,
                url=url,
                text=none_if_blank(document) if isinstance(document, str) else None,
                page=page,
                media_type=_media_type(metadata),
                accessed=iso_date(metadata.get("date_accessed")),
                document_url=None if url else self._file_url(metadata.get("file_id"), page),
            )

    def _id(self, key: str, *, is_tool: bool) -> str:
        numbers = self._tools if is_tool else self._numbers
        number = numbers.setdefault(key, len(numbers) + 1)
        return f"tool-{number}" if is_tool else str(number)

    def _file_url(self, file_id: object, page: int | None) -> str | None:
        """The link to a file in Open WebUI's page, for people who are signed in there."""
        if not self._webui_url or not isinstance(file_id, str) or not _FILE_ID.fullmatch(file_id):
            return None
        place = f"#page={page}" if page else ""
        return f"{self._webui_url}/api/v1/files/{quote(file_id)}/content{place}"


def _passages(source: WebUISource) -> Iterable[tuple[Any, dict[str, Any] | None]]:
    """The passages with their metadata, as Open WebUI numbers them, or all results of a tool."""
    documents, metadata = source.document or [], source.metadata or []
    if source.tool_result:
        return zip_longest(documents or [None], metadata[: len(documents or [None])])
    return zip(documents, metadata or [None] * len(documents), strict=False)


def _name(about: Mapping[str, Any], metadata: Mapping[str, Any], key: str, *, web: bool) -> str | None:
    """The name that a person knows: the file's, else the page's title, else the collection's."""
    name = title(metadata, "name", "title")
    # The name of a web search is its query.
    if name is None and about.get("type") != "web_search":
        name = title(about, "name")
    if name:
        return _decode(name)
    return None if web or key == _NO_NAME else _decode(key.replace("\\", "/").rpartition("/")[2]) or None


def _aliases(
    about: Mapping[str, Any], metadata: Mapping[str, Any], name: str | None, url: str | None
) -> tuple[str, ...]:
    """The ids and names of the file, then those of its collection, so that a rule can match a collection."""
    ids = (metadata.get(key) for key in ("file_id", "source", "source_url", "name", "title"))
    asked = () if about.get("type") == "web_search" else (about.get("name"),)
    return others((*ids, about.get("id"), *asked), name, url)


def _decode(name: str) -> str:
    """A file's name. Open WebUI keeps it percent-encoded, as it was uploaded."""
    try:
        return name if LONE_PERCENT.search(name) else unquote(name, errors="strict")
    except UnicodeDecodeError:
        return name


def _page(metadata: Mapping[str, Any]) -> int | None:
    """The page, counted from 1.

    Loaders of PDF count ``page`` from 0, and ``page_label`` is the printed number.
    """
    page, label = metadata.get("page"), metadata.get("page_label")
    if isinstance(page, int) and not isinstance(page, bool) and page >= 0:
        return page + 1
    return int(label) if isinstance(label, str) and re.fullmatch(r"[1-9][0-9]{0,5}", label) else None


def _media_type(metadata: Mapping[str, Any]) -> str | None:
    """The file's media type, unless it is "arbitrary binary data" (RFC 2046 § 4.5.1)."""
    given = title(metadata, "content_type")
    return None if given == "application/octet-stream" else given
