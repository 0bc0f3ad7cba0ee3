"""Reads the lines of a PDF's page: their words, the size of their type, and where they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium

from .characters import (
    find_unknown,
    is_on_page,
    is_turned,
    locate,
    measure_advance,
    measure_size,
    order_ligatures,
)
from .tags import find_content, read_heading_levels

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


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of a page."""

    text: str
    size: float
    """The size of its first letter, in points."""
    height: float
    """The distance of its baseline from the foot of the page, in points."""
    page: int
    left: float
    """The distance of its first letter from the left edge of the page, in points."""
    advance: float
    """The width of a letter in points, where all letters have the same width; else 0."""
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
        pages.append(_read_lines(page, index + 1, unread))
        page.close()
    return pages


def _read_lines(page: pypdfium2.PdfPage, number: int, unread: Counter[str]) -> list[PdfLine]:
    textpage = page.get_textpage()
    levels = read_heading_levels(page)
    text = textpage.get_text_range()
    spans = (span for span in _find_lines(text) if is_on_page(textpage, span[0]))
    lines = []
    for first, end in spans:
        line = _read_line(textpage, text[first:end], first, number, levels)
        if unknown := find_unknown(textpage, text[first:end], first):
            unread[UNKNOWN] += 1
            known = (sign for place, sign in enumerate(text[first:end]) if place not in unknown)
            line = replace(line, text=_SOFT.sub("", "".join(known)).strip())
        lines += [line] if line.text else []
    textpage.close()
    return _join_level(lines)


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


def _read_line(
    textpage: pypdfium2.PdfTextPage, text: str, first: int, page: int, levels: Mapping[int, int]
) -> PdfLine:
    words = order_ligatures(textpage, text, first)
    size = round(measure_size(textpage, first), 1)
    left, height = locate(textpage, first)
    advance = measure_advance(textpage, first, first + len(words) - 1)
    level = levels.get(find_content(textpage, first), 0) if levels else 0
    written = _SOFT.sub("", words[:-1]) + words[-1:]
    turned = is_turned(textpage, first)
    return PdfLine(written, size, height, page, left, advance, level, turned)
