"""Reads OpenDocument texts: headings, paragraphs, lists and tables in the order of the body.

Its walker knows each element of the schema as text, silent or a container (``elements.toml``). What is none
of them and has words is named as unread. Notes and comments stand behind their sentence, objects behind their
paragraph. Governing source: OASIS OpenDocument 1.3, part 3, § 5 (text), § 9 (tables) and § 4.3 (metadata).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from lxml import etree

from ..document import LOST, SourceDocument, UnreadableError
from .elements import read_kinds, read_number
from .item_numbers import ItemNumbers, ListLevel
from .mathml import MathExpression
from .office import Package
from .outline import Outline, TableCell, clean_title
from .shown import StyleProperties, is_shown, read_attributes

_NAMESPACE: Final = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TEXT, _TABLE, _STYLED, _DRAW, _FORM = (
    _NAMESPACE % name for name in ("text", "table", "style", "drawing", "form")
)
_STYLE: Final = f"{_STYLED}style"
_SPACES: Final = {f"{_TEXT}s": " ", f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
_KINDS: Final = read_kinds("odt")
_PARAGRAPHS: Final = (f"{_TEXT}p", f"{_TEXT}h")
_PROPERTIES: Final = f"{_STYLED}text-properties"
_PICTURES: Final = frozenset((f"{_DRAW}image", f"{_NAMESPACE % 'svg-compatible'}title"))
_HIDDEN: Final = f"{_TEXT}hidden-paragraph"
_ANNOTATION: Final = f"{_NAMESPACE % 'office'}annotation"
_MATH: Final = "{http://www.w3.org/1998/Math/MathML}"
_LINK: Final = "{http://www.w3.org/1999/xlink}href"
_STYLE_NAME: Final = f"{_TEXT}style-name"
_BLANKS: Final = re.compile(" {2,}")
_REPEATED: Final = 100
"""At most so many empty columns of a table are repeated, of which a document may say a million."""


def read(data: bytes) -> SourceDocument:
    """Read an ODT file. Raises :class:`UnreadableError` where it is protected by a password."""
    package = Package(data)
    if "META-INF/manifest.xml" in package and b":encryption-data" in package.read("META-INF/manifest.xml"):
        raise UnreadableError("it is protected by a password")
    content = package.parse("content.xml")
    named = _parse(package, "styles.xml")
    styles = StyleProperties(
        {one.get(f"{_STYLED}name"): one for root in (named, content) for one in root.iter(_STYLE)},
        lambda one: (one.get(f"{_STYLED}parent-style-name", ""), read_attributes(one.find(_PROPERTIES))),
    )
    reader = _TextReader(package, styles, content, named)
    meta = _parse(package, "meta.xml").find(".//{*}title")
    return reader.read(content, named, meta.text if meta is not None else None)


def _parse(package: Package, name: str) -> Any:
    """The root of a part; an empty one where it is missing or broken."""
    if name in package:
        with package.guard(name):
            return package.parse(name)
    return etree.Element("none")


class _TextReader:
    """Writes an outline from the body of a text, and from the objects and margins that belong to it."""

    def __init__(self, package: Package, styles: StyleProperties, *roots: Any) -> None:
        self._package, self._styles = package, styles
        self._outline = Outline()
        self._equation = MathExpression()
        self._roots = roots
        self._lists: list[str] = []
        """The styles of the lists that are open, the outermost first."""
        self._item: Any = None
        """The item that is open, and whose number is not taken yet."""
        self._label = ""
        self._values = _read_values(roots[0])
        self._beside: list[Any] = []
        """Tables and objects within the words of a paragraph, which stand behind it."""

    def read(self, content: Any, named: Any, title: str | None) -> SourceDocument:
        """The document of a body."""
        body = content.find(".//{*}body/{*}text")
        if body is not None:
            self._add_blocks(body)
        edges = (edge for page in named.iter(f"{_STYLED}master-page") for edge in page)
        shown = (edge for edge in edges if "header" in edge.tag or "footer" in edge.tag)
        self._outline.add_margins(self._read_words(one) for edge in shown for one in edge.iter(f"{_TEXT}p"))
        return self._outline.build(clean_title(title), self._package.unread)

    def _is_shown(self, element: Any) -> bool:
        style = element.get(_STYLE_NAME, "")
        inner = element.find(_HIDDEN) if element.tag in _PARAGRAPHS else None
        own = read_attributes(element, inner)
        return is_shown({**self._styles.find(style), **own}) if own else self._styles.is_shown(style)

    def _find_kind(self, element: Any) -> str:
        """The kind of an element; one that is not known is named if it has words, and is lost."""
        if isinstance(element.tag, str) and element.tag.startswith(_MATH):
            return "silent" if "annotation" in element.tag else "container"
        kind = self._package.find_kind(element, _KINDS)
        return kind if kind == "lost" or self._is_shown(element) else "silent"

    def _add_blocks(self, parent: Any, *, is_item: bool = False) -> None:
        """Add the blocks of a body, a section or an item of a list."""
        for block in parent:
            with self._package.guard("block"):
                self._add_block(block, is_item=is_item)

    def _add_block(self, block: Any, *, is_item: bool) -> None:
        kind = self._find_kind(block)
        if kind in ("silent", "lost"):
            return
        match block.tag:
            case tag if tag == f"{_TEXT}h":
                level = read_number(block.get(f"{_TEXT}outline-level"), 1)
                label = self._numbers.take("", level - 1)
                self._outline.add_heading(level + 1, f"{label} {self._read_words(block)}")
            case tag if tag == f"{_TEXT}p":
                if is_item:
                    self._add_item(self._read_words(block))
                else:
                    self._outline.add_paragraph(self._read_words(block))
            case tag if tag == f"{_TABLE}table":
                self._add_table(block)
            case tag if tag == f"{_DRAW}object":
                self._add_object(block)
            case tag if tag == f"{_TEXT}list":
                self._add_list(block)
            case _:
                if block.tag == f"{_TEXT}list-item":
                    self._item = block
                self._add_blocks(block, is_item=is_item)
        beside, self._beside = self._beside, []
        for one in beside:
            self._add_block(one, is_item=False)

    @cached_property
    def _numbers(self) -> ItemNumbers:
        return ItemNumbers({place: level for root in self._roots for place, level in _read_levels(root)})

    def _add_list(self, element: Any) -> None:
        style = element.get(_STYLE_NAME) or (self._lists[-1] if self._lists else "")
        if element.get(f"{_TEXT}continue-numbering") != "true":
            self._numbers.restart(style, len(self._lists))
        self._lists.append(style)
        self._add_blocks(element, is_item=True)
        self._lists.pop()
        self._item, self._label = None, ""

    def _add_item(self, words: str) -> None:
        """Add a paragraph of an item; the first one with words has its number."""
        depth = len(self._lists) - 1
        if self._item is not None:
            said = self._item.get(f"{_TEXT}start-value")
            self._label = self._numbers.take(self._lists[-1], depth, read_number(said) if said else None)
            self._item = None
        self._outline.add_item(words, depth, self._label)
        self._label = "" if words else self._label

    def _add_table(self, table: Any) -> None:
        rows = [
            row for row in table.iter(f"{_TABLE}table-row") if next(row.iterancestors(table.tag)) is table
        ]
        self._outline.add_cells([list(self._read_cells(row)) for row in rows if self._is_shown(row)])

    def _add_object(self, element: Any) -> None:
        """Add a chart or sheet that is a document within the package (§ 10.4.6)."""
        part = posixpath.normpath(element.get(_LINK, "").lstrip("/"))
        with self._package.guard("object"):
            body = self._package.parse(f"{part}/content.xml").find(".//{*}body")
            inner = _TextReader(self._package, self._styles, body)
            inner._outline = self._outline
            for one in body.iter("{*}title", "{*}subtitle"):
                self._outline.add_paragraph(inner._read_words(one))
            for one in body.iter(f"{_TABLE}table"):
                inner._add_table(one)

    def _read_cells(self, row: Any) -> Iterator[TableCell]:
        """Yield the cells of a row without those that others cover."""
        for cell in row.iterchildren(f"{_TABLE}table-cell"):
            repeated = min(int(cell.get(f"{_TABLE}number-columns-repeated", "1")), _REPEATED)
            words = self._read_text(cell) if self._is_shown(cell) else ""
            spans = (int(cell.get(f"{_TABLE}number-{name}-spanned", "1")) for name in ("columns", "rows"))
            yield from [TableCell(words, *spans)] * repeated

    def _read_text(self, cell: Any) -> str:
        """The text of blocks that stand in a cell."""
        outline, self._outline = self._outline, Outline(flat=True)
        self._add_blocks(cell)
        text, self._outline = self._outline.text, outline
        return text

    def _read_words(self, block: Any) -> str:
        """The words of a paragraph, those of its notes behind it in brackets."""
        return _BLANKS.sub(" ", "".join(self._iter_words(block)).lstrip(f"{LOST} \n\t")).strip()

    def _iter_words(self, element: Any) -> Iterator[str]:
        is_text = _KINDS.get(element.tag, "text") == "text"
        yield (element.text or "") if is_text else ""
        for inner in element:
            yield from self._iter_inner(inner)
            yield (inner.tail or "") if is_text else ""

    def _iter_inner(self, inner: Any) -> Iterator[str]:
        tag = inner.tag
        if tag in _SPACES:
            yield _SPACES[tag]
        elif _is_picture(inner):
            yield LOST
        elif (kind := self._find_kind(inner)) in ("silent", "lost"):
            yield LOST if kind == "lost" else ""
        elif tag in (f"{_TEXT}note", _ANNOTATION):
            words = " ".join(self._read_words(one) for one in inner.iter(f"{_TEXT}p"))
            author = inner.findtext("{*}creator") if tag == _ANNOTATION else None
            yield f" ({author}: {words})" if author else f" ({words})"
        elif tag == f"{_DRAW}object":
            yield from self._read_object(inner)
        elif tag == f"{_DRAW}control":
            yield f" {self._values.get(inner.get(f'{_DRAW}control', ''), '')} "
        elif (
            _KINDS.get(tag) == "container" or tag in _PARAGRAPHS
        ):  # a block within words: a frame, a cell, a list
            yield f" {''.join(self._iter_words(inner))} "
        elif tag.startswith(_MATH):
            name = tag.removeprefix(_MATH)
            yield self._equation.start(name)
            yield from self._iter_words(inner)
            self._equation.end(name)
        else:
            yield from self._iter_words(inner)

    def _read_object(self, element: Any) -> Iterator[str]:
        """Yield the signs of a formula; another object stands behind the paragraph."""
        part = f"{posixpath.normpath(element.get(_LINK, '').lstrip('/'))}/content.xml"
        before = self._package.unread.total()
        root = _parse(self._package, part) if part in self._package else element
        formula = next(root.iter(f"{_MATH}math"), None)
        if formula is not None:
            yield from self._iter_inner(formula)
        elif part in self._package and before == self._package.unread.total():
            self._beside.append(element)
        else:
            self._package.unread["object"] += before == self._package.unread.total()
            yield LOST


def _is_picture(frame: Any) -> bool:
    """Whether a frame stands among words like a letter, and shows a picture alone."""
    is_letter = frame.tag == f"{_DRAW}frame" and frame.get(f"{_TEXT}anchor-type") == "as-char"
    return is_letter and {child.tag for child in frame if isinstance(child.tag, str)} <= _PICTURES


def _read_levels(root: Any) -> Iterator[tuple[tuple[str, int], ListLevel]]:
    """Yield the levels of lists by the name of their style, and of headings by none (§ 16.30 and 16.34)."""
    for style in root.iter(f"{_TEXT}list-style", f"{_TEXT}outline-style"):
        name = style.get(f"{_STYLED}name", "") if style.tag == f"{_TEXT}list-style" else ""
        for level in style.iterchildren(f"{_TEXT}list-level-style-number", f"{_TEXT}outline-level-style"):
            depth = read_number(level.get(f"{_TEXT}level"), 1)
            shown = min(read_number(level.get(f"{_TEXT}display-levels"), 1), depth)
            places = ".".join(f"%{one}" for one in range(depth - shown + 1, depth + 1))
            label = f"{level.get(f'{_STYLED}num-prefix', '')}{places}{level.get(f'{_STYLED}num-suffix', '')}"
            start = read_number(level.get(f"{_TEXT}start-value"), 1)
            yield (name, depth - 1), ListLevel(name, level.get(f"{_STYLED}num-format", ""), label, start)


def _read_values(content: Any) -> Mapping[str, str]:
    """The values of the fields of forms by their ids (§ 13)."""
    fields = (one for form in content.iter(f"{_FORM}form") for one in form.iter())
    return {
        one.get(f"{_FORM}id", ""): " ".join(
            filter(
                None,
                (one.get(f"{_FORM}label"), one.get(f"{_FORM}current-value") or one.get(f"{_FORM}value")),
            )
        )
        for one in fields
    }
