"""Reads EPUB books: their chapters in the order of the spine.

Governing source: EPUB 3.3, W3C, § 5 (package document) and § 4.2.6 (META-INF).
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from lxml import etree

from ..passages import SourceDocument, UnreadableError
from .decode import decode
from .html import parse_page
from .office import Package
from .outline import Outline

_PAGES: Final = ("application/xhtml+xml", "text/html")
_FONTS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Algorithms that only obfuscate fonts (EPUB 3.3 § 4.4)."""
_XML: Final = {"resolve_entities": False, "no_network": True, "load_dtd": False}


def read(data: bytes) -> SourceDocument:
    """Read an EPUB file. Raises :class:`UnreadableError` where it is protected."""
    Package(data)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if _is_protected(packed):
            raise UnreadableError("it is protected against copying")
        return _read_book(packed)


def _is_protected(packed: zipfile.ZipFile) -> bool:
    if "META-INF/encryption.xml" not in packed.namelist():
        return False
    methods = _parse(packed, "META-INF/encryption.xml").iterfind(".//{*}EncryptionMethod")
    return any(method.get("Algorithm") not in _FONTS for method in methods)


def _read_book(packed: zipfile.ZipFile) -> SourceDocument:
    root = _parse(packed, "META-INF/container.xml").find(".//{*}rootfile")
    path = unquote(root.get("full-path", "")) if root is not None else ""
    package = _parse(packed, path)
    folder = posixpath.dirname(path)
    items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
    titles = dict(_read_contents(packed, folder, items.values()))
    outline = Outline()
    for reference in package.iterfind(".//{*}spine/{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _PAGES or _is_contents(item):
            continue
        name = _resolve(folder, item.get("href", ""))
        page = parse_page(decode(packed.read(name)))
        outline.end_headings()
        has_heading = any(section.headings for section in page.sections[:1])
        if not has_heading and (title := titles.get(name)):
            outline.add_heading(1, title)
        outline.add_document(page, 1 if has_heading else 2)
    title = "".join(package.findtext(".//{*}metadata/{*}title", ""))
    return outline.build(" ".join(title.split()) or None)


def _read_contents(
    packed: zipfile.ZipFile, folder: str, items: Iterable[etree._Element]
) -> Iterator[tuple[str, str]]:
    """Yield the path and the title of each chapter in the table of contents, of EPUB 3 or 2."""
    for item in items:
        path = _resolve(folder, item.get("href", ""))
        base = posixpath.dirname(path)
        if _is_contents(item):
            for link in _parse(packed, path).iterfind(".//{*}nav//{*}a"):
                yield _resolve(base, link.get("href", "")), " ".join("".join(link.itertext()).split())
        elif item.get("media-type") == "application/x-dtbncx+xml":
            for point in _parse(packed, path).iterfind(".//{*}navPoint"):
                content = point.find("{*}content")
                source = content.get("src", "") if content is not None else ""
                yield _resolve(base, source), point.findtext("{*}navLabel/{*}text", "").strip()


def _is_contents(item: etree._Element) -> bool:
    return "nav" in (item.get("properties") or "").split()


def _resolve(folder: str, reference: str) -> str:
    """The path of a part within the package."""
    return posixpath.normpath(posixpath.join(folder, unquote(reference.partition("#")[0])))


def _parse(packed: zipfile.ZipFile, path: str) -> etree._Element:
    return etree.fromstring(packed.read(path), etree.XMLParser(**_XML))
