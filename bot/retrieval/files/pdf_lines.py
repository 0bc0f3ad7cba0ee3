"""Reads the lines of a PDF's page: their words, the size of their type, and where they stand.

Sizes and distances are in points, as the page is shown: that may be turned, and its type scaled.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from ..document import LOST

UNKNOWN: Final = "illegible line"
"""How a line is named as unread of which no font says which letters it has."""
_DRAWN: Final = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP)
"""The annotations that are part of what a page shows (ISO 32000-1, 12.5.6)."""
_MOST_FIELDS: Final = 2_000
"""In a file with more fields, those of further pages are named as unread: each takes 60 KB to draw."""
_MOST_ANNOTATIONS: Final = 20_000
"""In a file with more annotations, such as links, those of further pages are not looked at."""
_LEVEL: Final = 1.0
"""Points by which the heights of two words of one line differ at most."""
_SOFT: Final = re.compile("[\u00ad\ufffe\x02]")
BULLET: Final = re.compile(r"(?:[-*•‣▪◦–—]|\(?\d{1,3}[.)]|[a-z]\))\s+\S")
_FIXED: Final = re.compile(
    rb"courier|mono(?!type)|consolas|menlo|inconsolata|lucidaconsole|typewriter|cmtt|lmtt", re.IGNORECASE
)
_HEADING: Final = re.compile("H([1-6])?")
_LAM_ALEF: Final = re.compile("[آأإا]ل")
_NO_LETTER: Final = "\ufffe"
"""What PDFium writes for a sign without a letter, and for a hyphen at the end of a line."""
_UPRIGHT: Final = frozenset((359, 0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class PdfLine:
    """A line of a page."""

    text: str
    size: float
    """The size of its first letter."""
    height: float
    """The distance of its baseline from the foot of the page."""
    page: int
    left: float
    """The distance of its first letter from the left edge of the page."""
    advance: float
    """The width of a letter, where all letters have the same width; else 0."""
    level: int
    """The level of a heading by the page's tags; else 0."""
    is_turned: bool = False
    """Whether it does not stand upright, as a stamp at the side of the page or a watermark."""


def read_pages(source: pypdfium2.PdfDocument, unread: Counter[str]) -> list[list[PdfLine]]:
    """Read the lines of all pages, in the order in which the file draws them; what is not read is counted."""
    pages: list[list[PdfLine]] = []
    annotations = fields = 0
    if (
        source.get_formtype() == pdfium.FORMTYPE_ACRO_FORM
        and sum(map(_count_annotations, source)) <= _MOST_ANNOTATIONS
    ):
        source.init_forms()  # which writes what the fields show, where the file does not have it
    for index in range(len(source)):
        page = source[index]
        count = _count_annotations(page)
        annotations += count
        kinds = Counter(_list_kinds(page, count) if annotations <= _MOST_ANNOTATIONS else ())
        unread["annotation"] += count - kinds.total()
        unread["comment"] += kinds[pdfium.FPDF_ANNOT_TEXT]
        found = sum(kinds[one] for one in _DRAWN)
        fields += found
        if fields > _MOST_FIELDS:
            unread["form field"] += found
        elif found and _flatten(page):
            page.close()
            page = source[index]
        pages.append(_join_level(list(_PageText(page).read_lines(index + 1, unread))))
        page.close()
    return pages


def _count_annotations(page: pypdfium2.PdfPage) -> int:
    return int(pdfium.FPDFPage_GetAnnotCount(page.raw))


def _list_kinds(page: pypdfium2.PdfPage, count: int) -> Iterator[int]:
    """Yield the kinds of a page's annotations."""
    for number in range(count):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, number)
        yield int(pdfium.FPDFAnnot_GetSubtype(annotation))
        pdfium.FPDFPage_CloseAnnot(annotation)


def _flatten(page: pypdfium2.PdfPage) -> bool:
    """Draw the fields of forms, and what was typed onto a page, into the page; whether that worked."""
    return bool(pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS)


def _join_level(lines: list[PdfLine]) -> list[PdfLine]:
    """The lines: what stands at one height in one type is one line.

    A file may draw a line word by word, the row of a table cell by cell, and a footnote mark breaks a line.
    """
    joined = lines[:1]
    for line in lines[1:]:
        before = joined[-1]
        is_level = abs(before.height - line.height) < _LEVEL and line.left > before.left
        is_alike = (before.size, before.level, 0.0) == (line.size, line.level, line.advance)
        if is_level and is_alike and not (BULLET.match(before.text) and BULLET.match(line.text)):
            joined[-1] = replace(before, text=f"{before.text} {line.text}")
        else:
            joined.append(line)
    return joined


def _find_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each line, without white space around it."""
    offset = 0
    for line in text.splitlines(keepends=True):
        if words := line.strip():
            first = offset + len(line) - len(line.lstrip())
            yield first, first + len(words)
        offset += len(line)


@lru_cache(100)
def _names_fixed(font: bytes) -> bool:
    return bool(_FIXED.search(font))


class _PageText:
    """The text of a page, and the place and the type of its characters, which PDFium has by their index."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        textpage = page.get_textpage()
        self._text, self._raw = textpage.get_text_range(), textpage.raw
        self._textpage = textpage
        self._indices: dict[int, int] = {}
        self._rotation = page.get_rotation()
        self._edges = page.get_bbox()
        self._levels = _read_heading_levels(page)

    def read_lines(self, number: int, unread: Counter[str]) -> Iterator[PdfLine]:
        """Yield the lines of the page with this number; what is illegible of them is counted."""
        for first, end in _find_lines(self._text):
            if not self._is_on_page(self._find_index(first)):
                continue
            line, words = self._read_line(first, end, number), self._text[first:end]
            if unknown := self._find_unknown(words, first):
                unread[UNKNOWN] += 1
                runs = groupby(range(len(words)), unknown.__contains__)
                known = "".join(LOST if lost else "".join(map(words.__getitem__, run)) for lost, run in runs)
                known = known.removeprefix(LOST) if known[1:2].isspace() else known  # a bullet
                line = replace(line, text=_SOFT.sub("", known).strip())
            if line.text.replace(LOST, "").strip():
                yield line
        self._textpage.close()

    def _read_line(self, first: int, end: int, number: int) -> PdfLine:
        index = self._find_index(first)
        words = self._order_ligatures(self._text[first:end], first)
        size, angle = self._measure_type(index)
        left, height = self._locate(index)
        advance = self._measure_advance(first, end - 1, left)
        level = self._levels.get(self._find_content(index), 0) if self._levels else 0
        written = _SOFT.sub("", words[:-1]) + words[-1:]
        is_turned = round(angle + self._rotation) % 360 not in _UPRIGHT
        return PdfLine(written, size, height, number, left, advance, level, is_turned)

    def _find_index(self, place: int) -> int:
        """PDFium's index of a character of the text, which leaves out what it can't write."""
        if place not in self._indices:
            self._indices[place] = int(pdfium.FPDFText_GetCharIndexFromTextIndex(self._raw, place))
        return self._indices[place]

    def _locate(self, index: int) -> tuple[float, float]:
        """The place of a character as the page is shown, turned clockwise (ISO 32000-1, table 30)."""
        across, up = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(self._raw, index, across, up)
        x, y = across.value, up.value
        return {90: (y, -x), 180: (-x, -y), 270: (-y, x)}.get(self._rotation, (x, y))

    def _is_on_page(self, index: int) -> bool:
        """Whether a character lies on its page, and not outside of its crop box, where nobody sees it."""
        left, bottom, right, top = self._textpage.get_charbox(index)
        edges = self._edges
        return bool(edges[0] < right and left < edges[2] and edges[1] < top and bottom < edges[3])

    def _measure_type(self, index: int) -> tuple[float, float]:
        """The size of a character's type, and its angle. Many files scale a font whose own size is 1."""
        scale = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._raw, index, scale)
        size = pdfium.FPDFText_GetFontSize(self._raw, index) * math.hypot(scale.c, scale.d)
        return round(size, 1), math.degrees(math.atan2(scale.c, scale.a))

    def _measure_advance(self, first: int, last: int, left: float) -> float:
        """The width of a letter of a line in a fixed-width font; 0 for a line in other fonts."""
        if last <= first or not all(map(self._is_fixed, (first, (first + last) // 2, last))):
            return 0.0
        return max(0.0, (self._locate(self._find_index(last))[0] - left) / (last - first))

    def _is_fixed(self, place: int) -> bool:
        name, flags = ctypes.create_string_buffer(100), ctypes.c_int()
        pdfium.FPDFText_GetFontInfo(self._raw, self._find_index(place), name, len(name), flags)
        # ISO 32000-2, table 121: the first flag of a font is FixedPitch. The standard fonts have no flags.
        return bool(flags.value & 1) or _names_fixed(name.value)

    def _find_content(self, index: int) -> int:
        """The id of the marked content that a character belongs to; -1 where it is not marked."""
        drawn = pdfium.FPDFText_GetTextObject(self._raw, index)
        return int(pdfium.FPDFPageObj_GetMarkedContentID(drawn)) if drawn else -1

    def _find_unknown(self, text: str, first: int) -> frozenset[int]:
        """The places in a line, which begins at ``first``, of signs whose font does not say their letters.

        PDFium has the sign's number in the font instead, or none (ISO 32000-1, 9.10.2).
        """
        samples = {0, len(text) // 2, len(text) - 1}
        if _NO_LETTER in text:
            samples.update(place for place, sign in enumerate(text) if sign == _NO_LETTER)
        if not any(self._is_unknown(first + one) for one in samples):
            return frozenset()
        return frozenset(place for place in range(len(text)) if self._is_unknown(first + place))

    def _is_unknown(self, place: int) -> bool:
        index = self._find_index(place)
        if pdfium.FPDFText_GetUnicode(self._raw, index) == 0:
            return True
        if pdfium.FPDFText_HasUnicodeMapError(self._raw, index) != 1:
            return False
        # A font of Type 3 has no file; its codes are letters more often than not.
        drawn, size = pdfium.FPDFText_GetTextObject(self._raw, index), ctypes.c_size_t()
        font = pdfium.FPDFTextObj_GetFont(drawn) if drawn else None
        return bool(font and pdfium.FPDFFont_GetFontData(font, None, 0, size) and size.value)

    def _order_ligatures(self, text: str, first: int) -> str:
        """The words of a line from a character on, with the letters of Arabic ligatures in their order.

        PDFium turns a line round, and with it the two letters that stand at one place.
        """
        for found in _LAM_ALEF.finditer(text):
            one = found.start()
            ends = (self._locate(self._find_index(first + place)) for place in (one, one + 1))
            if len(set(ends)) == 1:
                text = f"{text[:one]}{text[one + 1]}{text[one]}{text[one + 2 :]}"
        return text


def _read_heading_levels(page: pypdfium2.PdfPage) -> Mapping[int, int]:
    """The levels of a page's headings, from 1, by the ids of their marked content; empty without tags.

    What the author marked is one, whatever its size (ISO 32000-1, 14.7 and 14.8.4.3.2).
    """
    tree = pdfium.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    try:
        levels: dict[int, int] = {}
        roots = range(pdfium.FPDF_StructTree_CountChildren(tree))
        elements = [(pdfium.FPDF_StructTree_GetChildAtIndex(tree, index), 0) for index in roots]
        while elements:
            element, level = elements.pop()
            if not element:  # marked content, or what another page has
                continue
            level = _read_level(element) or level
            for index in range(pdfium.FPDF_StructElement_CountChildren(element)):
                content = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)
                if level and content >= 0:
                    levels[content] = level
                elements.append((pdfium.FPDF_StructElement_GetChildAtIndex(element, index), level))
        return levels
    finally:
        pdfium.FPDF_StructTree_Close(tree)


def _read_level(element: Any) -> int:
    """The level of an element that is a heading; 0 for any other."""
    name = ctypes.create_string_buffer(2 * len("H1") + 2)
    size = pdfium.FPDF_StructElement_GetType(element, name, len(name))
    if size > len(name):  # no heading has a longer name; PDFium then wrote nothing
        return 0
    found = _HEADING.fullmatch(name.raw[:size].decode("utf-16-le", "replace").rstrip("\0"))
    return int(found[1] or 1) if found else 0
