"""The icon that Teams shows for a citation: one of the names that Teams knows, by the kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

_MEDIA_TYPES: Final = (
    ("application/msword", "Microsoft Word"),
    ("application/vnd.ms-word", "Microsoft Word"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml", "Microsoft Word"),
    ("application/vnd.ms-excel", "Microsoft Excel"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml", "Microsoft Excel"),
    ("application/vnd.ms-powerpoint", "Microsoft PowerPoint"),
    ("application/vnd.openxmlformats-officedocument.presentationml", "Microsoft PowerPoint"),
    ("application/onenote", "Microsoft OneNote"),
    ("application/msonenote", "Microsoft OneNote"),
    ("application/vnd.ms-visio", "Microsoft Visio"),
    ("application/vnd.visio", "Microsoft Visio"),
    ("application/pdf", "PDF"),
    ("application/zip", "ZIP"),
    ("application/x-zip-compressed", "ZIP"),
    ("application/gzip", "ZIP"),
    ("application/illustrator", "Adobe Illustrator"),
    ("application/x-indesign", "Adobe InDesign"),
    ("application/vnd.adobe.flash.movie", "Adobe Flash"),
    ("application/x-shockwave-flash", "Adobe Flash"),
    ("image/vnd.adobe.photoshop", "Adobe Photoshop"),
    ("image/gif", "GIF"),
    ("image/", "Image"),
    ("video/", "Video"),
    ("audio/", "Sound"),
    ("application/json", "Source Code"),
    ("application/xml", "Source Code"),
    ("text/x-markdown", "Text"),
    ("text/x-", "Source Code"),
    ("text/css", "Source Code"),
    ("text/javascript", "Source Code"),
    ("text/xml", "Source Code"),
    ("text/markdown", "Text"),
    ("text/plain", "Text"),
    ("text/csv", "Text"),
    ("text/rtf", "Text"),
    ("application/rtf", "Text"),
)
"""The beginnings of media types, the more specific first. A web page (``text/html``) has no icon."""

_BY_EXTENSION: Final = {extension: icon for icon, all_ in _EXTENSIONS.items() for extension in all_.split()}


def icon_of(reference: Reference) -> str | None:
    """The icon of a reference, by its media type, else by the file name in its URL, id or name.

    None for other kinds of files, such as web pages.
    """
    media_type = (reference.media_type or "").strip().lower()
    by_type = (icon for beginning, icon in _MEDIA_TYPES if media_type.startswith(beginning))
    by_file = (icon for path in _paths(reference) if (icon := _BY_EXTENSION.get(_extension(path))))
    return next(by_type, None) or next(by_file, None) or (_SHAREPOINT if _on_sharepoint(reference) else None)


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
