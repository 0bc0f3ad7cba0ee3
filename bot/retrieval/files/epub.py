"""Reads EPUB books: their chapters in the order of the spine.

Governing source: EPUB 3.3, W3C, § 5 (package document) and § 4.2.6 (META-INF).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from lxml import etree

from ..document import SourceDocument, UnreadableError
from .decode import decode
from .html import parse_page
from .office import Package
from .outline import Outline

_PAGES: Final = ("application/xhtml+xml", "text/html")
_FONTS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Algorithms that only obfuscate fonts (EPUB 3.3 § 4.4)."""


def read(data: bytes) -> SourceDocument:
    """Read an EPUB file. Raises :class:`UnreadableError` where it is protected."""
    package = Package(data)
    if _is_protected(package):
        raise UnreadableError("it is protected against copying")
    return _read_book(package)


def _is_protected(package: Package) -> bool:
    if "META-INF/encryption.xml" not in package:
        return False
    methods = package.parse("META-INF/encryption.xml").iterfind(".//{*}EncryptionMethod")
    return any(method.get("Algorithm") not in _FONTS for method in methods)


def _read_book(package: Package) -> SourceDocument:
    root = package.parse("META-INF/container.xml").find(".//{*}rootfile")
    path = unquote(root.get("full-path", "")) if root is not None else ""
    book = package.parse(path)
    folder = posixpath.dirname(path)
    items = {item.get("id"): item for item in book.iterfind(".//{*}manifest/{*}item")}
    titles: dict[str, str] = {}
    with package.guard("table of contents"):
        titles |= _read_contents(package, folder, items.values())
    outline = Outline()
    for reference in book.iterfind(".//{*}spine/{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _PAGES or _is_contents(item):
            continue
        with package.guard("chapter"):
            name = _resolve(folder, item.get("href", ""))
            page = parse_page(decode(package.read(name)))
            outline.end_headings()
            has_heading = any(section.headings for section in page.sections[:1])
            if not has_heading and (title := titles.get(name)):
                outline.add_heading(1, title)
            outline.add_document(page, 1 if has_heading else 2)
    document = outline.build(unread=package.unread)
    title = " ".join("".join(book.findtext(".//{*}metadata/{*}title", "")).split())
    return replace(document, title=title or document.title)


def _read_contents(
    package: Package, folder: str, items: Iterable[etree._Element]
) -> Iterator[tuple[str, str]]:
    """Yield the path and the title of each chapter in the table of contents, of EPUB 3 or 2."""
    for item in items:
        path = _resolve(folder, item.get("href", ""))
        base = posixpath.dirname(path)
        if _is_contents(item):
            for link in package.parse(path).iterfind(".//{*}nav//{*}a"):
                yield _resolve(base, link.get("href", "")), " ".join("".join(link.itertext()).split())
        elif item.get("media-type") == "application/x-dtbncx+xml":
            for point in package.parse(path).iterfind(".//{*}navPoint"):
                content = point.find("{*}content")
                source = content.get("src", "") if content is not None else ""
                yield _resolve(base, source), point.findtext("{*}navLabel/{*}text", "").strip()


def _is_contents(item: etree._Element) -> bool:
    return "nav" in (item.get("properties") or "").split()


def _resolve(folder: str, reference: str) -> str:
    """The path of a part within the package."""
    return posixpath.normpath(posixpath.join(folder, unquote(reference.partition("#")[0])))
