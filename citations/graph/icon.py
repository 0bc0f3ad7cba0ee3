"""The icon that Teams shows for a citation: one of the names that Teams knows, by the kind of file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pkgutil import get_data
from typing import Final
from urllib.parse import unquote, urlsplit

from ..model.reference import Reference
from ..text.url import host_of, safe_url

_SHAREPOINT: Final = "Microsoft SharePoint"


def _read_icons() -> dict[str, str]:
    """The icons by extension or beginning of a media type, the longest word first."""
    written = (get_data(__package__, "icons.txt") or b"").decode()
    rows = (line.split(": ") for line in written.splitlines() if not line.startswith("#"))
    found = {word: icon for icon, words in rows for word in words.split()}
    return {word: found[word] for word in sorted(found, key=len, reverse=True)}


_ICONS: Final = _read_icons()
_BY_MEDIA_TYPE: Final = {word: icon for word, icon in _ICONS.items() if "/" in word}


def icon_of(reference: Reference) -> str | None:
    """The icon of a reference, by its media type, else by the file name in its URL, id or name.

    None for other kinds of files, such as web pages.
    """
    by_type = _icon_of_type(reference.media_type) if reference.media_type else None
    by_file = (icon for path in _paths(reference) if (icon := _ICONS.get(_extension(path))))
    return by_type or next(by_file, None) or (_SHAREPOINT if _on_sharepoint(reference) else None)


@lru_cache(maxsize=64)
def _icon_of_type(media_type: str) -> str | None:
    written = media_type.strip().lower()
    return next((icon for beginning, icon in _BY_MEDIA_TYPE.items() if written.startswith(beginning)), None)


def _paths(reference: Reference) -> Iterator[str]:
    """The paths of its URLs, and names that may be a file's.

    A host may end like a file (``example.ai``), and so may a web page's name (``Node.js``). Neither
    counts.
    """
    yield from (_path(url) for url in (reference.url, reference.document_url) if url)
    if not reference.url:
        yield from (_path(reference.id), reference.name or "")


def _path(place: str) -> str:
    try:
        return unquote(urlsplit(place).path)
    except ValueError:
        return ""


def _extension(path: str) -> str:
    _, dot, extension = path.replace("\\", "/").rpartition("/")[2].rpartition(".")
    return extension.lower() if dot else ""


def _on_sharepoint(reference: Reference) -> bool:
    url = safe_url(reference.url or "")
    return url is not None and host_of(url).endswith(".sharepoint.com")
