"""Reads PDF: it joins the lines of the pages, and finds headings by tags or by larger type."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, zip_longest
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium

from citations.text.languages import either

from ...languages import LANGUAGES
from ..passages import SourceDocument, UnreadableError, find_fence, reads_as_prose, say_unread
from .characters import is_on_page, is_turned, locate, measure_advance, measure_size, order_ligatures
from .outline import Outline, clean_title
from .tags import find_content, read_heading_levels

LOCK: Final = threading.Lock()
"""Only one thread at a time may call PDFium."""
_DRAWN: Final = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP)
"""The annotations that are part of what a page shows (ISO 32000-1, 12.5.6)."""
_MOST_FIELDS: Final = 5_000
"""On a page with more of them, they are named as unread: each takes a kilobyte."""
_LARGER: Final = 1.12
"""The least size of a heading's type, relative to the body's."""
_APART: Final = 1.35
"""The least distance of two paragraphs, relative to the usual distance of lines."""
_LONGEST_HEADING: Final = 120
_FEWEST_TAGS: Final = 2
"""With fewer headings in its tags, a file is read by the size of its type."""
_LEVEL: Final = 1.0
"""Points by which the heights of two words of one line differ at most."""
_CELL: Final = 4
"""The most lines of a cell, beside which the next cell of its row begins."""
_HYPHENATED: Final = re.compile(r"(?<=[^\W\d_])(?:-|\u00ad|\u2010|\ufffe|\x02)$")
_SOFT: Final = re.compile("[\u00ad\ufffe\x02]")
_BULLET: Final = re.compile(r"(?:[-*•‣▪◦–—]|\(?\d{1,3}[.)]|[a-z]\))\s+\S")
_ORNAMENT: Final = re.compile(r"(\D)(?:\s+\1){2,}|([^\w\s])\2{4,}")
"""A line of one glyph, over and over."""
_FEWEST: Final = 3
"""On fewer pages nothing returns."""
_EDGE: Final = 3
"""So many lines at the head and the foot of a page may be the same on others."""
_LABEL: Final = 16
"""The most characters of a label with the number of a page: ``Page 3 of 9``."""
_TOLERANCE: Final = 4.0
"""Points within which lines of several pages stand at one height."""
_CODE: Final = -1
"""The level of a line of code, beside those of headings and the body's 0."""
_NUMBER: Final = re.compile(r"\d+")
_PAGE: Final = re.compile(r"\A\d{1,4}(?!\d)|(?<!\d)\d{1,4}(?=(?:\D{1,5}\d{1,4})?\W*\Z)")
"""What may be the number of a page in a long line: it begins or ends the line, as in ``6 of 10``."""
_CHAPTER: Final = re.compile(
    rf"(?:{either(LANGUAGES.words_of('text', 'chapters'))}|§)?\s*\d+(?:\.\d+)*\.?(?:\s|$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _PdfLine:
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


def read(data: bytes) -> SourceDocument:
    """Read a PDF. Raises :class:`UnreadableError` where it is encrypted, or scanned and so without text."""
    with LOCK:
        pages, title, unread = _read_pages(data)
    if not pages:
        raise UnreadableError("it has no pages")
    if b"/EncryptedPayload" in data:
        # ISO 32000-2, 7.6.7: the readable pages are a wrapper, which says how to open the payload.
        raise UnreadableError("it is encrypted")
    if not any(pages):
        raise UnreadableError("it is scanned: its pages are pictures without text (run it through OCR first)")
    kept = _drop_margins(pages)
    outline = _join_lines([line for page in kept for line in page])
    _add_margins(outline, pages, kept)
    document = outline.build(title, unread)
    return document if title else replace(document, title=_check_title(document.title))


def _read_pages(data: bytes) -> tuple[list[list[_PdfLine]], str | None, list[str]]:
    """Read the lines of each page, the title in the file's properties, and what is not read."""
    try:
        source = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        reason = "it is protected by a password" if "password" in str(error).lower() else "it is damaged"
        raise UnreadableError(reason) from error
    try:
        unread = Counter[str]()
        pages = [_read_lines(source, number, unread) for number in range(len(source))]
        said = [words for name, count in unread.items() for words in say_unread(count, name)]
        return pages, clean_title(source.get_metadata_value("Title")), said
    finally:
        source.close()


def _check_title(heading: str | None) -> str | None:
    """The first heading in the largest type, unless it is the number or name of a chapter."""
    title = clean_title(heading)
    return None if title and _CHAPTER.match(title) else title


def _read_lines(source: pypdfium2.PdfDocument, index: int, unread: Counter[str]) -> list[_PdfLine]:
    page, number = source[index], index + 1
    if _flatten(page, unread):
        page.close()
        page = source[index]
    textpage = page.get_textpage()
    levels = read_heading_levels(page)
    text = textpage.get_text_range()
    spans = (span for span in _find_lines(text) if is_on_page(textpage, span[0]))
    lines = [_read_line(textpage, text, span, number, levels) for span in spans]
    textpage.close()
    page.close()
    return _join_level(lines)


def _flatten(page: pypdfium2.PdfPage, unread: Counter[str]) -> bool:
    """Draw the fields of forms, and what was typed onto a page, into the page; whether there were any."""
    count = pdfium.FPDFPage_GetAnnotCount(page.raw)
    if count > _MOST_FIELDS:
        unread["form field"] += count
        return False
    kinds = Counter(_read_kind(page, number) for number in range(count))
    unread["comment"] += kinds[pdfium.FPDF_ANNOT_TEXT]
    if not any(kinds[one] for one in _DRAWN):
        return False
    return bool(pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS)


def _read_kind(page: pypdfium2.PdfPage, number: int) -> int:
    annotation = pdfium.FPDFPage_GetAnnot(page.raw, number)
    kind = int(pdfium.FPDFAnnot_GetSubtype(annotation))
    pdfium.FPDFPage_CloseAnnot(annotation)
    return kind


def _join_level(lines: list[_PdfLine]) -> list[_PdfLine]:
    """The lines: what stands at one height in one type is one line.

    A file may draw a line word by word, the row of a table cell by cell, and a footnote mark breaks a line.
    """
    joined = lines[:1]
    for line in lines[1:]:
        before = joined[-1]
        is_level = abs(before.height - line.height) < _LEVEL and line.left > before.left
        is_alike = (before.size, before.level, 0.0) == (line.size, line.level, line.advance)
        if is_level and is_alike and not (_BULLET.match(before.text) and _BULLET.match(line.text)):
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
    textpage: pypdfium2.PdfTextPage, text: str, span: tuple[int, int], page: int, levels: Mapping[int, int]
) -> _PdfLine:
    first, end = span
    words = order_ligatures(textpage, text[first:end].rstrip(), first)
    size = round(measure_size(textpage, first), 1)
    left, height = locate(textpage, first)
    advance = measure_advance(textpage, first, first + len(words) - 1)
    level = levels.get(find_content(textpage, first), 0) if levels else 0
    written = _SOFT.sub("", words[:-1]) + words[-1:]
    turned = is_turned(textpage, first)
    return _PdfLine(written, size, height, page, left, advance, level, turned)


def _drop_margins(pages: list[list[_PdfLine]]) -> list[list[_PdfLine]]:
    """Drop ornaments, and what returns at the edges of pages: their heads, feet and numbers.

    That is a first or last line that most pages share apart from its numbers. It is also one of the three
    at an edge that a third of the pages have at the same height: the same words, or a label and a number,
    or words that begin or end with a number that counts the pages.
    """
    pages = [[line for line in page if not _ORNAMENT.fullmatch(line.text)] for page in pages]
    if len(pages) < _FEWEST:
        return pages
    outermost = Counter(_mask_numbers(line) for page in pages for line in {*page[:1], *page[-1:]})
    placed = Counter(
        place for page in pages for place in {one for line in _find_edges(page) for one in _find_places(line)}
    )
    common = {shape for shape, count in outermost.items() if count > len(pages) / 2}
    fixed = {place for place, count in placed.items() if count >= max(_FEWEST, len(pages) / 3)}

    def is_furniture(page: list[_PdfLine], line: _PdfLine) -> bool:
        is_outermost = line in (page[0], page[-1]) and _mask_numbers(line) in common
        return is_outermost or (line in _find_edges(page) and not fixed.isdisjoint(_find_places(line)))

    return [[line for line in page if not is_furniture(page, line)] for page in pages]


def _add_margins(outline: Outline, pages: list[list[_PdfLine]], kept: list[list[_PdfLine]]) -> None:
    """Add what returns at the edges of pages once, at the end; an ornament or a label with a number is none."""
    dropped = (line for page, rest in zip(pages, kept, strict=True) for line in page if line not in rest)
    once = {_mask_numbers(line): line.text for line in dropped if not _ORNAMENT.fullmatch(line.text)}
    said = [
        text for masked, text in once.items() if len(masked) > _LABEL or masked.replace(" ", "").isalpha()
    ]
    outline.end_headings()
    for text in said:
        outline.add_paragraph(text)


def _find_edges(page: list[_PdfLine]) -> list[_PdfLine]:
    return page if len(page) <= 2 * _EDGE else [*page[:_EDGE], *page[-_EDGE:]]


def _find_places(line: _PdfLine) -> Iterator[tuple[str, int]]:
    """The words and the height of a line; a short one may have another number on each page.

    In a longer one the number of a page is told by what it counts: ``By-law # 8209-25, page 6 of 10``.
    """
    height = round(line.height / _TOLERANCE)
    masked = _mask_numbers(line)
    yield masked if len(masked) <= _LABEL else line.text, height
    for found in _PAGE.finditer(line.text):
        yield f"{line.text[: found.start()]}{int(found[0]) - line.page:+}{line.text[found.end() :]}", height


def _mask_numbers(line: _PdfLine) -> str:
    return _NUMBER.sub("0", line.text)


def _join_lines(lines: list[_PdfLine]) -> Outline:
    """Join the lines to headings, flowing text and code, each at its page."""
    find_heading = _find_headings(lines)
    drops = Counter(
        round(one.height - other.height) for one, other in pairwise(lines) if one.height > other.height
    )
    flow = _Flow(_measure_width(lines), drops.most_common(1)[0][0] if drops else 0)
    typed = sum(len(line.text) for line in lines if line.advance)
    is_typewritten = 2 * typed > sum(len(line.text) for line in lines)

    def find_level(line: _PdfLine) -> int:
        return find_heading(line) or (_CODE if line.advance and not is_typewritten else 0)

    for level, group in groupby(lines, key=find_level):
        run = list(group)
        flow.outline.start_place(run[0].page)
        words = " ".join(line.text for line in run)
        if level > 0 and len(words) <= 2 * _LONGEST_HEADING:  # a longer one is a paragraph in larger type
            flow.outline.add_heading(level, words)
        elif level == _CODE and 2 * sum(reads_as_prose(line.text) for line in run) <= len(run):
            flow.add_code(run)
        else:
            flow.add_body(run)
    return flow.outline


def _measure_width(lines: list[_PdfLine]) -> int:
    """The characters of a full line: nine of ten lines are not longer."""
    lengths = sorted(len(line.text) for line in lines)
    return lengths[9 * len(lengths) // 10]


def _find_headings(lines: list[_PdfLine]) -> Callable[[_PdfLine], int]:
    """What tells the level of a line that is a heading, from 1, and 0 for any other.

    Tags say what the author meant, where there are some. A single one may be the title of a file whose other
    headings are in larger type.
    """
    if sum(line.level > 0 for line in lines) >= _FEWEST_TAGS:
        return lambda line: line.level
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text)
    least = _LARGER * sizes.most_common(1)[0][0]
    short = [line for line in lines if len(line.text) <= _LONGEST_HEADING and not line.is_turned]
    large = {line for line in short if line.size >= least}
    larger = sorted({line.size for line in large}, reverse=True)
    levels = {size: level for level, size in enumerate(larger, 1)}
    return lambda line: levels.get(line.size, 0) if line in large else 0


class _Flow:
    """Joins lines to flowing text in an outline.

    ``width`` counts the characters of a full line; a much shorter line ends a paragraph. ``drop`` is the
    distance of two lines within a paragraph, in points.
    """

    def __init__(self, width: int, drop: float) -> None:
        self.outline = Outline()
        self._width = width
        self._drop = drop

    def add_body(self, lines: list[_PdfLine]) -> None:
        """Add paragraphs."""
        for line, following in zip_longest(lines, lines[1:]):
            joint = _find_joint(line, following, self._width, self._drop) if following else "\n\n"
            self.outline.write((_HYPHENATED.sub("", line.text) if joint == "" else line.text) + joint)
            if following:
                self.outline.start_place(following.page)

    def add_code(self, lines: list[_PdfLine]) -> None:
        """Add lines of code between fences, indented as they are on the page."""
        left = min(line.left for line in lines)
        drops = [max(0.0, one.height - other.height) for one, other in pairwise(lines)]
        step = min(filter(None, drops), default=0.0)
        fence = find_fence("\n".join(line.text for line in lines), 3)
        self.outline.write(fence)
        for line, drop in zip(lines, (0.0, *drops), strict=True):
            self.outline.start_place(line.page)
            self.outline.write("\n\n" if drop > _APART * step else "\n")
            self.outline.write(" " * round((line.left - left) / line.advance) + line.text)
        self.outline.write(f"\n{fence}\n\n")


def _find_joint(before: _PdfLine, line: _PdfLine, width: int, drop: float) -> str:
    """The text between two lines: none in a hyphenated word, a space, or line feeds."""
    last = before.text
    if _HYPHENATED.search(last) and line.text[:1].islower():
        return ""
    ended = last.endswith((".", "!", "?", ":", ";", "。"))
    short = len(last) < 0.75 * width
    rise = line.height - before.height if before.page == line.page else 0.0
    apart = -rise > _APART * drop
    capital = line.text[:1].isupper() or line.text[:1].isdigit()
    is_cell = 0 < rise <= _CELL * drop and line.left > before.left
    if _BULLET.match(line.text) or apart or (not is_cell and short and (ended or capital)):
        return "\n\n" if ended and not _BULLET.match(line.text) else "\n"
    return " "
