"""The sources of Open WebUI's answers: their numbers, names, pages and links.

Governing sources: Open WebUI's ``get_source_context``, which numbers what the model is shown, and its
``Citations.svelte``, which numbers in the same way what the reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

import msgspec

from ..reference import Reference

_FILE_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_LONE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NO_NAME: Final = "N/A"
"""What Open WebUI calls a source that has neither name nor id; all such are one to it."""


class Source(msgspec.Struct):
    """What was asked for (a whole collection, a file, a page) and, in parallel, its passages."""

    source: dict[str, Any] | None = None
    document: list[Any] | None = None
    metadata: list[dict[str, Any] | None] | None = None
    # Of versions up to 0.6: "if 'document' in source and not is_tool_result", it gets a number.
    tool_result: bool | None = None


class Sources:
    """The numbers that Open WebUI gives to sources, and the references of an answer, each told once."""

    def __init__(self, webui_url: str) -> None:
        self._webui_url = webui_url.rstrip("/")
        self._numbers: dict[str, int] = {}
        self._told: set[Reference] = set()

    def add(self, sources: list[Source]) -> tuple[Reference, ...]:
        """The references that are new, in order."""
        references = dict.fromkeys(one for source in sources for one in self._references(source))
        new = tuple(one for one in references if one not in self._told)
        self._told.update(new)
        return new

    def _references(self, source: Source) -> Iterator[Reference]:
        """One for each passage; numbers go to ``metadata.source or source.id or "N/A"`` at first sight.

        What a pipe emits may have no metadata at all.
        """
        about, documents = source.source or {}, source.document or []
        if source.tool_result:
            return
        for document, described in zip(documents, source.metadata or [None] * len(documents), strict=False):
            metadata = described or {}
            key = str(metadata.get("source") or about.get("id") or _NO_NAME)
            number = self._numbers.setdefault(key, len(self._numbers) + 1)
            url = _web_url(metadata.get("source_url")) or _web_url(key)
            page = _page(metadata)
            yield Reference(
                id=str(number),
                name=_name(about, metadata, key, web=url is not None),
                url=url,
                text=_text(document),
                page=page,
                media_type=_media_type(metadata),
                document_url=None if url else self._file_url(metadata.get("file_id"), page),
            )

    def _file_url(self, file_id: object, page: int | None) -> str | None:
        """Where a person who is logged in opens the file, as the page of Open WebUI links it."""
        if not self._webui_url or not isinstance(file_id, str) or not _FILE_ID.fullmatch(file_id):
            return None
        place = f"#page={page}" if page else ""
        return f"{self._webui_url}/api/v1/files/{quote(file_id)}/content{place}"


def _name(about: Mapping[str, Any], metadata: Mapping[str, Any], key: str, *, web: bool) -> str | None:
    """The name that a person knows: the file's, else the page's title, else that of what was asked for."""
    if name := _text(metadata.get("name")) or _text(metadata.get("title")):
        return _decoded(name)
    # The name of a web search is what was searched for.
    if about.get("type") != "web_search" and (name := _text(about.get("name"))):
        return _decoded(name)
    return None if web or key == _NO_NAME else _decoded(key.replace("\\", "/").rpartition("/")[2]) or None


def _decoded(name: str) -> str:
    """Open WebUI keeps the names of files as they were percent-encoded in the upload."""
    try:
        return name if _LONE_PERCENT.search(name) else unquote(name, errors="strict")
    except UnicodeDecodeError:
        return name


def _page(metadata: Mapping[str, Any]) -> int | None:
    """The page, counted from 1: the loaders of PDF count ``page`` from 0, and ``page_label`` is printed."""
    page, label = metadata.get("page"), metadata.get("page_label")
    if isinstance(page, int) and not isinstance(page, bool) and page >= 0:
        return page + 1
    return int(label) if isinstance(label, str) and re.fullmatch(r"[1-9][0-9]{0,5}", label) else None


def _media_type(metadata: Mapping[str, Any]) -> str | None:
    """That of the file, unless its upload said none: "arbitrary binary data" (RFC 2046 § 4.5.1)."""
    given = _text(metadata.get("content_type"))
    return None if given == "application/octet-stream" else given


def _text(value: object) -> str | None:
    """A text that is there; what pipes write is any JSON."""
    return value if isinstance(value, str) and value.strip() else None


def _web_url(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        parts = urlsplit(value.strip())
        found = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    return value.strip() if found else None
