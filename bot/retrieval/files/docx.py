"""Reads Word documents: headings, paragraphs, lists and tables in the order of the body.

Its walker knows each element of ECMA-376 as text, silent or a container (``elements.toml``). What is none of
them and has words is named as unread. Notes and comments stand behind their sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from lxml import etree

from citations.text.languages import either

from ...languages import LANGUAGES
from ..document import LOST, SourceDocument, UnreadableError
from .drawing import EQUATIONS, KINDS, RELATED, choose, is_drawn, iter_related, write_equation
from .elements import name_element
from .item_numbers import ItemNumbers
from .office import Package, open_office
from .outline import Outline, TableCell
from .word_styles import (
    VALUE,
    WordStyles,
    find_list,
    is_contents,
    is_inline,
    is_part_shown,
    read_choice,
    read_count,
    read_levels,
    read_switch,
    read_symbol,
    read_value,
)

_CODE_STYLE: Final = re.compile("|".join(LANGUAGES.words_of("office", "code")) or "(?!)", re.IGNORECASE)
_FIXED: Final = re.compile(
    r"courier|consolas|menlo|monaco|lucida console|\bmono\b|source code|fira code", re.IGNORECASE
)
"""Fonts in which every character is as wide as the others."""
_HEADING: Final = re.compile(rf"{either(LANGUAGES.words_of('office', 'headings'))} ?(\d)", re.IGNORECASE)
_TITLES: Final = LANGUAGES.words_of("office", "titles")
_CONTENTS: Final = re.compile(rf"{either(LANGUAGES.words_of('office', 'contents'))} ?\d", re.IGNORECASE)
"""The styles of a line in a table of contents."""
_LONGEST_HEADING: Final = 120
_SENTENCE: Final = re.compile(r"[.!;:,…]\s*\Z")
_NAME: Final = name_element("w:ascii")
_P, _R, _TBL, _TR, _TC, _BOX = map(name_element, ("w:p", "w:r", "w:tbl", "w:tr", "w:tc", "w:txbxContent"))
_SDT, _CHOICES, _RUN = map(name_element, ("w:sdt", "mc:AlternateContent", "w:rPr"))
_SIGNS: Final = dict(
    zip(
        map(name_element, ("w:tab", "w:ptab", "w:br", "w:cr", "w:noBreakHyphen", "a:br")),
        ("\t", "\t", "\n", "\n", "-", " "),
        strict=True,
    )
)
_NOTES: Final = {
    name_element(f"w:{name}Reference"): f"{name}s" for name in ("footnote", "endnote", "comment")
}
_PICTURES: Final = frozenset(map(name_element, ("pic:pic", "v:imagedata", "w:instrText")))
"""What may stand for words of a sentence: a picture, and a formula that Word draws from its field."""
_BLOCKS: Final = frozenset(map(name_element, ("a:p", "a:txBody", "w:p", "wps:txbx")))
"""Elements that are blocks, also where they stand within words."""


def read(data: bytes) -> SourceDocument:
    """Read a DOCX file. Raises ``UnreadableError`` where it is encrypted, or of the old format."""
    package, main, body = _open(data)
    return _WordReader(package, main, body).read()


def _open(data: bytes) -> tuple[Package, str, Any]:
    package, main, document = open_office(data, ".doc", "word/document.xml", "w:document")
    body = document.find(name_element("w:body"))
    if body is None:
        raise UnreadableError("it is damaged")
    return package, main, body


def without_hidden(data: bytes) -> bytes:
    """The same DOCX file without the words that Word does not show."""
    package, main, body = _open(data)
    styles = WordStyles(package, main)
    unseen = [one for one in body.iter(_R) if not styles.is_shown(one)]
    unseen += [one for one in body.iter(_TR, _TC) if not is_part_shown(one)]
    for element in unseen:
        element.getparent().remove(element)
    if not unseen and not package.is_strict:
        return data
    return package.replace(main, etree.tostring(body.getparent(), xml_declaration=True, encoding="UTF-8"))


@dataclass(slots=True)
class _Words:
    """What stands in a paragraph: its words, the fonts and weights of its runs, what is drawn in it."""

    pieces: list[str] = field(default_factory=list)
    fonts: list[str] = field(default_factory=list)
    bold: list[bool] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    drawings: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def is_code(self) -> bool:
        """Whether all of its words have a font for code."""
        return bool(self.fonts) and all(map(_FIXED.search, self.fonts))

    @property
    def is_bold_line(self) -> bool:
        """Whether it is a heading of a document that has no style for headings."""
        words = self.text.strip()
        is_line = 0 < len(words) <= _LONGEST_HEADING and "\n" not in words and not _SENTENCE.search(words)
        return is_line and all(self.bold)


class _WordReader:
    """Writes an outline from the body of a document, and from the parts that belong to it."""

    def __init__(self, package: Package, main: str, body: Any) -> None:
        self._package, self._main, self._part, self._body = package, main, main, body
        self._styles = WordStyles(package, main)
        self._outline = Outline()
        self._code: list[str] = []
        self._title = package.read_title()
        self._has_headings = False
        self._notes: dict[tuple[str, str], Any] = {}
        for kind in _NOTES.values():
            for root in package.parse_related(main, kind, "list of notes"):
                self._notes |= {(kind, note.get(name_element("w:id"), "")): note for note in root}

    @cached_property
    def _numbers(self) -> ItemNumbers:
        roots = self._package.parse_related(self._main, "numbering", "list of numbers")
        return ItemNumbers({place: level for root in roots for place, level in read_levels(root)})

    def _is_entry(self, text: str) -> bool:
        """Whether a line is one of a table of contents: a heading, a tab, and the number of its page."""
        title, tab, page = text.rstrip().rpartition("\t")
        return bool(tab) and page.isdecimal() and title.rpartition("\t")[2].strip() in self._lines

    @cached_property
    def _lines(self) -> frozenset[str]:
        """The paragraphs of the body."""
        words = (one.iter(name_element("w:t")) for one in self._body.iter(_P))
        return frozenset("".join(text.text or "" for text in one).strip() for one in words)

    def read(self) -> SourceDocument:
        """The document of a body."""
        styles = {one.get(VALUE): one.getparent() for one in self._body.iter(name_element("w:pStyle"))}
        self._has_headings = any(_HEADING.match(self._name_style(one)) for one in styles.values())
        self._add_blocks(self._body)
        self._add_margins()
        return self._outline.build(self._title, self._package.unread)

    def _add_blocks(self, parent: Any) -> None:
        for block in self._iter_blocks(parent):
            with self._package.guard("table" if block.tag == _TBL else "paragraph"):
                self._add_block(block)
        self._end_code()

    def _iter_blocks(self, parent: Any) -> Iterator[Any]:
        """Yield the paragraphs and tables, also of controls and insertions; not a table of contents.

        That says nothing that its headings don't.
        """
        for child in parent:
            if child.tag in (_P, _TBL):
                yield child
            elif child.tag == _SDT and is_contents(child):
                continue
            elif child.tag == _CHOICES:
                yield from self._iter_blocks(choose(child))
            elif (kind := self._package.find_kind(child, KINDS)) == "container":
                yield from self._iter_blocks(child)
            elif kind == "text":
                self._package.unread["text outside of a paragraph"] += 1

    def _add_block(self, block: Any) -> None:
        if block.tag == _TBL:
            self._end_code()
            self._outline.add_cells(list(self._read_rows(block)))
            return
        words, properties = self._walk(block, _Words()), block.find(name_element("w:pPr"))
        style = self._name_style(properties)
        if _CODE_STYLE.match(style) or words.is_code or (self._code and not words.text.strip()):
            self._code.append(words.text)
        else:
            self._end_code()
            self._add_paragraph(words, properties, style)
        for box in words.boxes:
            self._add_blocks(box)
        for drawing in words.drawings:
            self._end_code()
            for drawn in iter_related(self._package, self._part, drawing):
                drawn.add_to(self._outline)

    def _add_paragraph(self, words: _Words, properties: Any, style: str) -> None:
        text, outline = words.text, self._outline
        if _CONTENTS.match(style) or self._is_entry(text):
            return
        if heading := _HEADING.match(style):
            outline.add_heading(int(heading[1]) + 1, f"{self._take_number(properties)[1]} {text}")
        elif not self._has_headings and words.is_bold_line:
            outline.add_heading(2, text)
        elif style in _TITLES:
            outline.add_heading(1, text)
            self._title = text.strip() or self._title
        elif style.lower().startswith("list") or find_list(properties) is not None:
            outline.add_item(text, *self._take_number(properties))
        else:
            outline.add_paragraph(text)

    def _take_number(self, properties: Any) -> tuple[int, str]:
        """The depth and the label of a heading or an item, by its list or that of its style."""
        found, style = find_list(properties), self._styles.find(properties)
        if found is None and style is not None:
            found = find_list(style.find(name_element("w:pPr")))
        if found is None:
            return 0, ""
        depth = read_count(found, "w:ilvl")
        return depth, self._numbers.take(read_value(found, "w:numId"), depth)

    def _end_code(self) -> None:
        self._outline.add_code("\n".join(self._code))
        self._code = []

    def _name_style(self, properties: Any) -> str:
        style = self._styles.find(properties)
        return read_value(style, "w:name")

    def _walk(self, element: Any, words: _Words) -> _Words:
        """Write what stands in an element; boxes and drawings are kept for behind the paragraph."""
        for child in element:
            tag = child.tag
            kind = self._package.find_kind(child, KINDS)
            if tag == _R:
                self._add_run(child, words)
            elif kind == "text":
                self._add_sign(child, words)
            elif tag == _BOX:
                words.boxes.append(child)
            elif tag in RELATED:
                words.drawings.append(child)
            elif kind == "lost" or (tag in _PICTURES and words.text.strip() and is_inline(child)):
                words.pieces.append(LOST)
            elif tag == _CHOICES:
                self._walk(choose(child), words)
            elif kind == "container" and is_drawn(child):
                self._walk(child, words)
                if tag in _BLOCKS:
                    words.pieces.append(" ")
        return words

    def _add_run(self, run: Any, words: _Words) -> None:
        if not self._styles.is_shown(run):
            return
        before = len(words.pieces)
        self._walk(run, words)
        if "".join(words.pieces[before:]).strip():
            own = run.find(_RUN)
            fonts = own.find(name_element("w:rFonts")) if own is not None else None
            words.fonts.append((fonts.get(_NAME) or "") if fonts is not None else "")
            words.bold.append(bool(read_switch(own, "w:b")))

    def _add_sign(self, element: Any, words: _Words) -> None:
        tag = element.tag
        if tag in _SIGNS:
            is_page = element.get(name_element("w:type"), "textWrapping") != "textWrapping"
            words.pieces.append("" if is_page else _SIGNS[tag])
        elif tag in _NOTES:
            words.pieces.append(self._read_note(_NOTES[tag], element.get(name_element("w:id"), "")))
        elif tag == name_element("w:sym"):
            words.pieces.append(read_symbol(element))
        elif tag == name_element("w:ffData"):
            words.pieces.append(read_choice(element))
        elif tag in EQUATIONS:
            words.pieces.append(write_equation(element, lambda part: self._walk([part], _Words()).text))
        elif tag == name_element("v:textpath"):
            words.pieces.append(element.get("string", ""))
        else:
            words.pieces.append(element.text or "")

    def _read_note(self, kind: str, identity: str) -> str:
        """A footnote, an endnote or a comment in brackets; a comment is below the name of who wrote it."""
        note, part = self._notes.pop((kind, identity), None), self._part
        if note is None:
            return ""
        author = note.get(name_element("w:author")) if kind == "comments" else None
        self._part = next(self._package.find_related(self._main, kind))
        words = " ".join(self._read_text(note).split())
        self._part = part
        return f" ({author}: {words})" if author and words else f" ({words})" if words else ""

    def _read_text(self, parent: Any) -> str:
        """The text of blocks that stand within words or beside the body: in a cell, a note, a head."""
        kept = self._outline, self._code, self._title
        self._outline, self._code = Outline(flat=True), []
        self._add_blocks(parent)
        text = self._outline.text
        self._outline, self._code, self._title = kept
        return text

    def _read_rows(self, table: Any) -> Iterator[list[TableCell]]:
        for row in self._iter_within(table, _TR):
            if is_part_shown(row):
                yield list(self._read_cells(row))

    def _read_cells(self, row: Any) -> Iterator[TableCell]:
        if before := read_count(row.find(name_element("w:trPr")), "w:gridBefore"):
            yield TableCell("", before)
        for cell in self._iter_within(row, _TC):
            properties = cell.find(name_element("w:tcPr"))
            merged = properties.find(name_element("w:vMerge")) if properties is not None else None
            goes_on = merged is not None and merged.get(VALUE, "continue") == "continue"
            words = self._read_text(cell) if is_part_shown(cell) else ""
            yield TableCell(
                None if goes_on and not words.strip() else words, read_count(properties, "w:gridSpan") or 1
            )

    def _iter_within(self, parent: Any, tag: str) -> Iterator[Any]:
        """Yield the rows of a table or the cells of a row, also those in controls and insertions."""
        for child in parent:
            if child.tag == tag:
                yield child
            elif child.tag != _P and self._package.find_kind(child, KINDS) == "container":
                yield from self._iter_within(child, tag)

    def _add_margins(self) -> None:
        """Add what stands at the head or the foot of pages, once, behind the body."""
        shown: dict[str, None] = {}
        for section in self._body.iter(name_element("w:sectPr")):
            related = self._package.relate(self._main)
            for one in section.iterchildren(*map(name_element, ("w:headerReference", "w:footerReference"))):
                kind, identity = one.get(name_element("w:type")), one.get(name_element("r:id"), "")
                if identity in related and (kind != "first" or read_switch(section, "w:titlePg")):
                    shown[related[identity].part] = None
        lines: list[str] = []
        for self._part in shown:
            with self._package.guard("header or footer"):
                lines += self._read_text(self._package.parse(self._part)).split("\n")
        self._outline.add_margins(lines)
