"""Reads OpenDocument texts: headings, paragraphs, lists and tables in the order of the body.

Governing source: OASIS OpenDocument 1.3, part 3, § 5 (text), § 9 (tables) and § 4.3 (metadata).
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from lxml import etree

from ..passages import SourceDocument, UnreadableError
from .office import Package
from .outline import Outline, TableCell, clean_title

_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_XML: Final = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": True}
_SPACES: Final = {f"{_TEXT}s": " ", f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
_LEFT_OUT: Final = {
    f"{_TEXT}{name}"
    for name in (
        "tracked-changes",
        "table-of-content",
        "alphabetical-index",
        "sequence-decls",
        "note-citation",
    )
}
_STYLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}style"
_UNSEEN: Final = (
    "}annotation",
    "}forms",
    "}desc",
    "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}title",
)
"""Comments, forms, and what describes a picture."""
_REPEATED: Final = 100
"""At most so many empty columns of a table are repeated, of which a document may say a million."""


def read(data: bytes) -> SourceDocument:
    """Read an ODT file. Raises :class:`UnreadableError` where it is protected by a password."""
    Package(data)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        manifest = _parse(packed, "META-INF/manifest.xml")
        if manifest.find(".//{*}encryption-data") is not None:
            raise UnreadableError("it is protected by a password")
        content = _parse(packed, "content.xml")
        body = content.find(".//{*}body/{*}text")
        named = _parse(packed, "styles.xml").iter(_STYLE) if "styles.xml" in packed.namelist() else ()
        hidden = _find_hidden_styles([*named, *content.iter(_STYLE)])
        meta = _parse(packed, "meta.xml").find(".//{*}title") if "meta.xml" in packed.namelist() else None
    outline = Outline()
    if body is not None:
        _drop_hidden(body, hidden)
        _add_blocks(outline, body)
    return outline.build(clean_title(meta.text if meta is not None else None))


def _parse(packed: zipfile.ZipFile, name: str) -> Any:
    return etree.fromstring(packed.read(name), etree.XMLParser(**_XML))


def _find_hidden_styles(styles: list[Any]) -> frozenset[str]:
    """The names of the styles whose text is not displayed, also by their parents (§ 20.333)."""
    shown = {one: one.find("{*}text-properties") for one in styles}
    own = {one: None if text is None else text.get(f"{_TEXT}display") for one, text in shown.items()}
    hidden: set[str] = set()
    while (
        more := {
            _attribute(one, "name")
            for one, display in own.items()
            if display == "none" or (display is None and _attribute(one, "parent-style-name") in hidden)
        }
        - hidden
    ):
        hidden |= more
    return frozenset(hidden)


def _attribute(style: Any, name: str) -> str:
    return style.get(_STYLE.removesuffix("style") + name) or ""


def _drop_hidden(body: Any, styles: frozenset[str]) -> None:
    """Empty what a reader of the document does not see; what stands behind it stays."""
    for element in list(body.iter(etree.Element)):
        if _is_hidden(element, styles):
            whole = element.getparent() if element.tag == f"{_TEXT}hidden-paragraph" else element
            tail = whole.tail
            whole.clear()
            whole.tail = tail


def _is_hidden(element: Any, styles: frozenset[str]) -> bool:
    return (
        element.get(f"{_TEXT}style-name") in styles
        or element.get(f"{_TEXT}display") == "none"
        or element.get(f"{_TEXT}is-hidden") == "true"
        or element.get(f"{_TABLE}visibility") in ("collapse", "filter")
        or element.tag.endswith(_UNSEEN)
    )


def _add_blocks(outline: Outline, parent: Any, *, is_item: bool = False) -> None:
    """Add the blocks of a body, a section or an item of a list."""
    for block in parent:
        match block.tag:
            case tag if tag in _LEFT_OUT:
                continue
            case tag if tag == f"{_TEXT}h":
                outline.add_heading(int(block.get(f"{_TEXT}outline-level", "1")) + 1, _read_words(block))
            case tag if tag == f"{_TEXT}p":
                (outline.add_item if is_item else outline.add_paragraph)(_read_words(block))
            case tag if tag == f"{_TABLE}table":
                outline.add_cells([list(_read_cells(row)) for row in block.iter(f"{_TABLE}table-row")])
            case tag if tag == f"{_TEXT}list":
                for item in block:
                    _add_blocks(outline, item, is_item=True)
            case _:
                _add_blocks(outline, block, is_item=is_item)


def _read_cells(row: Any) -> Iterator[TableCell]:
    """Yield the cells of a row without those that others cover."""
    for cell in row.iterchildren(f"{_TABLE}table-cell"):
        repeated = min(int(cell.get(f"{_TABLE}number-columns-repeated", "1")), _REPEATED)
        words = " ".join(filter(None, map(_read_words, cell.iter(f"{_TEXT}p", f"{_TEXT}h"))))
        spans = (int(cell.get(f"{_TABLE}number-{name}-spanned", "1")) for name in ("columns", "rows"))
        yield from [TableCell(words, *spans)] * repeated


def _read_words(block: Any) -> str:
    """The words of a paragraph, those of its notes behind it in brackets."""
    return "".join(_iter_words(block)).strip()


def _iter_words(element: Any) -> Iterator[str]:
    yield element.text or ""
    for inner in element:
        if inner.tag in _SPACES:
            yield _SPACES[inner.tag]
        elif inner.tag == f"{_TEXT}note":
            yield f" ({' '.join(map(_read_words, inner.iter(f'{_TEXT}p')))})"
        elif inner.tag not in _LEFT_OUT:
            yield from _iter_words(inner)
        yield inner.tail or ""
