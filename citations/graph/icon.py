"""The icon that Teams shows for a citation: one of the names that Teams knows, by the kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from ..model.reference import Reference
from ..text.url import host_of, safe_url

_EXTENSIONS: Final[Mapping[str, str]] = {
    "Microsoft Word": "doc docm docx dot dotx",
    "Microsoft Excel": "xls xlsb xlsm xlsx xltx",
    "Microsoft PowerPoint": "pot potx pps ppsx ppt pptm pptx",
    "Microsoft OneNote": "one onepkg onetoc2",
    "Microsoft Visio": "vsd vsdm vsdx vssx vstx",
    "Microsoft Loop": "fluid loop",
    "Microsoft Whiteboard": "whiteboard",
    "Source Code": "c cc cpp cs css go h hpp java js json kt php ps1 py rb rs sh sql swift ts xml yaml yml",
    "Sketch": "sketch",
    "Adobe Illustrator": "ai",
    "Adobe Photoshop": "psd",
    "Adobe InDesign": "indd",
    "Adobe Flash": "fla swf",
    "Image": "avif bmp heic jpeg jpg png svg tif tiff webp",
    "GIF": "gif",
    "Video": "avi m4v mkv mov mp4 mpeg mpg webm wmv",
    "Sound": "aac flac m4a mp3 oga ogg opus wav wma",
    "ZIP": "7z gz rar tar tgz zip",
    "Text": "csv log markdown md rst rtf text tsv txt",
    "PDF": "pdf",
}
"""The file extensions of Teams' icons. SharePoint's icon is for its pages."""
_SHAREPOINT: Final = "Microsoft SharePoint"

_MEDIA_TYPES: Final[Mapping[str, str]] = {
    "Microsoft Word": "application/msword application/vnd.ms-word"
    " application/vnd.openxmlformats-officedocument.wordprocessingml",
    "Microsoft Excel": "application/vnd.ms-excel application/vnd.openxmlformats-officedocument.spreadsheetml",
    "Microsoft PowerPoint": "application/vnd.ms-powerpoint"
    " application/vnd.openxmlformats-officedocument.presentationml",
    "Microsoft OneNote": "application/onenote application/msonenote",
    "Microsoft Visio": "application/vnd.ms-visio application/vnd.visio",
    "Source Code": "application/json application/xml text/css text/javascript text/x- text/xml",
    "Adobe Illustrator": "application/illustrator",
    "Adobe Photoshop": "image/vnd.adobe.photoshop",
    "Adobe InDesign": "application/x-indesign",
    "Adobe Flash": "application/vnd.adobe.flash.movie application/x-shockwave-flash",
    "Image": "image/",
    "GIF": "image/gif",
    "Video": "video/",
    "Sound": "audio/",
    "ZIP": "application/gzip application/x-zip-compressed application/zip",
    "Text": "application/rtf text/csv text/markdown text/plain text/rtf text/x-markdown",
    "PDF": "application/pdf",
}
"""The beginnings of media types, of which the longest counts. A web page (``text/html``) has no icon."""


def _invert(icons: Mapping[str, str]) -> Mapping[str, str]:
    """The icons by word, the longest word first."""
    found = {word: icon for icon, words in icons.items() for word in words.split()}
    return {word: found[word] for word in sorted(found, key=len, reverse=True)}


_BY_MEDIA_TYPE: Final = _invert(_MEDIA_TYPES)
_BY_EXTENSION: Final = _invert(_EXTENSIONS)


def icon_of(reference: Reference) -> str | None:
    """The icon of a reference, by its media type, else by the file name in its URL, id or name.

    None for other kinds of files, such as web pages.
    """
    by_type = _icon_of_type(reference.media_type) if reference.media_type else None
    by_file = (icon for path in _paths(reference) if (icon := _BY_EXTENSION.get(_extension(path))))
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
