"""Reads Word documents: headings, paragraphs, lists and tables in the order of the body."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import docx
from docx.oxml.ns import qn
from docx.table import Table, _Cell

from citations.text.languages import either

from ...languages import LANGUAGES
from ..passages import SourceDocument
from .item_numbers import ItemNumbers
from .office import check_office
from .outline import Outline, TableCell, clean_title

_CODE_STYLE: Final = re.compile("|".join(LANGUAGES.words_of("office", "code")) or "(?!)", re.IGNORECASE)
_FIXED: Final = re.compile(
    r"courier|consolas|menlo|monaco|lucida console|\bmono\b|source code|fira code", re.IGNORECASE
)
"""Fonts in which every character is as wide as the others."""
_HEADING: Final = re.compile(rf"{either(LANGUAGES.words_of('office', 'headings'))} ?(\d)", re.IGNORECASE)
_TITLES: Final = LANGUAGES.words_of("office", "titles")
_CONTENTS: Final = re.compile(rf"{either(LANGUAGES.words_of('office', 'contents'))} ?\d", re.IGNORECASE)
"""The styles of a line in a table of contents."""
_LEADER: Final = re.compile(r"\S.*\t\d{1,4}\s*")
"""Such a line in another style: a title, and the number of its page at a tab stop."""
_LONGEST_HEADING: Final = 120
_SENTENCE: Final = re.compile(r"[.!;:,…]\s*\Z")
_VALUE: Final = qn("w:val")
_TOC: Final = "Table of Contents"
"""How Word names the content control that it makes around a table of contents."""
_COMPATIBILITY: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_VANISH: Final = f"{qn('w:rPr')}/{qn('w:vanish')}"
"""The switch of hidden text (ECMA-376 part 1, 17.3.2.41), which no page and no print of Word's shows."""
_DELETED_ROW: Final = f"{qn('w:trPr')}/{qn('w:del')}"
_OFF: Final = frozenset(("0", "false", "off"))
_UNSEEN: Final = (f"{_COMPATIBILITY}Fallback", *map(qn, ("w:del", "w:moveFrom")))
"""What says the same for older programs, and what tracked changes have taken out."""
_WRAPPERS: Final = tuple(
    map(qn, ("w:sdt", "w:sdtContent", "w:ins", "w:moveTo", "w:smartTag", "w:customXml", "w:fldSimple"))
) + tuple(map(qn, ("w:dir", "w:bdo")))
"""Content controls, tracked insertions, tags, fields and directions, around paragraphs, cells or words."""


def read(data: bytes) -> SourceDocument:
    """Read a DOCX file. Raises ``UnreadableError`` where it is encrypted, or of the old format."""
    check_office(data, ".doc")
    source: Any = docx.Document(io.BytesIO(data))
    _drop_hidden(source)
    _unwrap(source.element.body)
    styles, numbers = _StyleNames(), ItemNumbers(source)
    has_headings = any(_HEADING.match(styles.of(one)) for one in source.paragraphs)
    outline = Outline()
    title = clean_title(source.core_properties.title)
    code: list[str] = []
    for block in source.iter_inner_content():
        is_table = isinstance(block, Table)
        if not is_table and (_is_code(block, styles) or (code and not block.text.strip())):
            code.append(block.text)
            continue
        outline.add_code("\n".join(code))
        code = []
        if is_table:
            outline.add_cells([list(_read_cells(row, block)) for row in block._tbl.tr_lst])
            continue
        style = styles.of(block)
        if _CONTENTS.match(style) or _LEADER.fullmatch(block.text):
            continue
        if heading := _HEADING.match(style):
            outline.add_heading(int(heading[1]) + 1, block.text)
        elif not has_headings and _is_bold_line(block):
            outline.add_heading(2, block.text)
        elif style in _TITLES:
            outline.add_heading(1, block.text)
            title = block.text.strip() or title
        elif style.startswith("List") or _is_numbered(block):
            outline.add_item(block.text, *numbers.take(block))
        else:
            outline.add_paragraph(block.text)
    outline.add_code("\n".join(code))
    return outline.build(title)


def without_hidden(data: bytes) -> bytes:
    """The same DOCX file without hidden text."""
    source: Any = docx.Document(io.BytesIO(data))
    if not _drop_hidden(source):
        return data
    packed = io.BytesIO()
    source.save(packed)
    return packed.getvalue()


def _drop_hidden(source: Any) -> bool:
    """Remove hidden text, and rows that tracked changes have taken out; whether there were any."""
    styles, body = _find_hidden_styles(source), source.element.body
    dropped = [one for one in body.iter(qn("w:r")) if _is_hidden(one, styles)]
    dropped += [one for one in body.iter(qn("w:tr")) if one.find(_DELETED_ROW) is not None]
    for element in dropped:
        element.getparent().remove(element)
    return bool(dropped)


def _find_hidden_styles(source: Any) -> frozenset[str]:
    """The ids of the styles whose text is hidden, also by the style that they are based on."""
    styles = {one.styleId: one for one in source.styles.element.iterchildren(qn("w:style"))}
    hidden = {name for name, one in styles.items() if _read_switch(one)}
    while more := {
        name
        for name, one in styles.items()
        if name not in hidden and one.basedOn_val in hidden and _read_switch(one) is None
    }:
        hidden |= more
    return frozenset(hidden)


def _is_hidden(run: Any, styles: frozenset[str]) -> bool:
    if (switch := _read_switch(run)) is not None or not styles:
        return bool(switch)
    paragraphs = islice(run.iterancestors(qn("w:p")), 1)
    return not styles.isdisjoint((run.style, *(one.style for one in paragraphs)))


def _read_switch(element: Any) -> bool | None:
    """Whether a run or a style hides its text; None where it does not say."""
    switch = element.find(_VANISH)
    return None if switch is None else switch.get(_VALUE) not in _OFF


def _unwrap(body: Any) -> None:
    """Leave what a reader of the document sees where python-docx looks for it.

    It reads no wrapper, and no text box. A text box becomes paragraphs behind the one that it is tied to. A
    table of contents says nothing that its headings don't.
    """
    galleries = (one for one in body.iter(qn("w:docPartGallery")) if one.get(_VALUE) == _TOC)
    contents = (next(one.iterancestors(qn("w:sdt")), None) for one in galleries)
    for element in dict.fromkeys((*body.iter(*_UNSEEN), *contents)):
        if element is not None:
            element.getparent().remove(element)
    for element in list(body.iter(*_WRAPPERS)):
        for child in list(element):
            element.addprevious(child)
        element.getparent().remove(element)
    for box in list(body.iter(qn("w:txbxContent"))):
        for host in islice(box.iterancestors(qn("w:p")), 1):
            for child in reversed(list(box)):
                host.addnext(child)


class _StyleNames:
    """The names of paragraphs' styles. python-docx looks through all styles where a paragraph has none."""

    def __init__(self) -> None:
        self._names: dict[str | None, str] = {}

    def of(self, paragraph: Any) -> str:
        """The name of a paragraph's style; empty where it has none."""
        key = paragraph._p.style
        if key not in self._names:
            style = paragraph.style
            self._names[key] = (style.name or "") if style is not None else ""
        return self._names[key]


def _is_bold_line(paragraph: Any) -> bool:
    """Whether a paragraph is a heading of a document that has no style for headings."""
    words = paragraph.text.strip()
    is_line = 0 < len(words) <= _LONGEST_HEADING and "\n" not in words and not _SENTENCE.search(words)
    return is_line and all(run.bold for run in paragraph.runs if run.text.strip())


def _is_code(paragraph: Any, styles: _StyleNames) -> bool:
    """Whether the style of a paragraph is one for code, or all of its words have such a font."""
    if _CODE_STYLE.match(styles.of(paragraph)):
        return True
    fonts = [run.font.name or "" for run in paragraph.runs if run.text.strip()]
    return bool(fonts) and all(map(_FIXED.search, fonts))


def _is_numbered(paragraph: Any) -> bool:
    properties = paragraph._p.pPr
    return properties is not None and properties.numPr is not None


def _read_cells(row: Any, table: Any) -> Iterator[TableCell]:
    """Yield the cells of a row.

    python-docx makes an object for each column that a cell spans, and climbs up through all rows for each
    cell that goes on.
    """
    if row.grid_before:
        yield TableCell("", row.grid_before)
    for cell in row.tc_lst:
        text = None if cell.vMerge == "continue" else _Cell(cell, table).text
        yield TableCell(text, cell.grid_span)
