"""PDF: the text of its pages, flowing again, with headings where the letters are larger."""

from __future__ import annotations

import ctypes
import re
import threading
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, zip_longest
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium

from ..passage import Section, SourceDocument, UnreadableError
from .outline import Heading, cut_sections

LOCK: Final = threading.Lock()
"""PDFium may be called from one thread at a time."""
_LARGER: Final = 1.12
"""A heading's letters are larger than the body's by this factor."""
_APART: Final = 1.35
"""Lines that are this much further apart than usual belong to two paragraphs."""
_LONGEST_HEADING: Final = 120
_HYPHENATED: Final = re.compile(r"(?<=[^\W\d_])(?:-|\u00ad|\u2010|\ufffe|\x02)$")
_SOFT: Final = re.compile("[\u00ad\ufffe\x02]")
_BULLET: Final = re.compile(r"(?:[-*•‣▪◦–—]|\(?\d{1,3}[.)]|[a-z]\))\s+\S")
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _PdfLine:
    text: str
    size: float
    """The size of its first letter, in points."""
    height: float
    """Where it stands on its page: the distance of its foot from the page's, in points."""
    page: int


def read(data: bytes) -> SourceDocument:
    """The document in a PDF.

    Raises :class:`UnreadableError` where it is encrypted, damaged, or scanned (pages, but no text).
    """
    with LOCK:
        pages, title = _pages(data)
    if not pages:
        raise UnreadableError("it has no pages")
    if b"/EncryptedPayload" in data:
        # ISO 32000-2, 7.6.7: what can be read is the wrapper, which says how to open the document in it.
        raise UnreadableError("it is encrypted")
    if not any(pages):
        raise UnreadableError("it is scanned: its pages are pictures without text (run it through OCR first)")
    lines = [line for page in _without_margins(pages) for line in page]
    return _join_lines(lines, title)


def _pages(data: bytes) -> tuple[list[list[_PdfLine]], str | None]:
    try:
        source = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        reason = "it is encrypted" if "password" in str(error).lower() else "it is damaged"
        raise UnreadableError(reason) from error
    try:
        pages = [_lines(source[number], number + 1) for number in range(len(source))]
        return pages, source.get_metadata_value("Title").strip() or None
    except pypdfium2.PdfiumError as error:
        raise UnreadableError("it is damaged") from error
    finally:
        source.close()


def _lines(page: pypdfium2.PdfPage, number: int) -> list[_PdfLine]:
    textpage = page.get_textpage()
    text = textpage.get_text_range()
    found: list[_PdfLine] = []
    place = 0
    for line in text.splitlines(keepends=True):
        if words := _SOFT.sub("", line.strip()[:-1]) + line.strip()[-1:]:
            first = place + len(line) - len(line.lstrip())
            size = round(float(pdfium.FPDFText_GetFontSize(textpage.raw, first)), 1)
            found.append(_PdfLine(words, size, _height(textpage, first), number))
        place += len(line)
    textpage.close()
    page.close()
    return found


def _height(textpage: pypdfium2.PdfTextPage, character: int) -> float:
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage.raw, character, x, y)
    return y.value


def _without_margins(pages: list[list[_PdfLine]]) -> list[list[_PdfLine]]:
    """Without the first and last lines that most pages share, but for their numbers."""
    if len(pages) < 3:
        return pages
    edges = Counter(_shape(line) for page in pages for line in {*page[:1], *page[-1:]})
    common = {shape for shape, count in edges.items() if count > len(pages) / 2}
    return [
        [
            line
            for place, line in enumerate(page)
            if not (place in (0, len(page) - 1) and _shape(line) in common)
        ]
        for page in pages
    ]


def _shape(line: _PdfLine) -> str:
    return _NUMBER.sub("0", line.text)


def _join_lines(lines: list[_PdfLine], title: str | None) -> SourceDocument:
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text)
    normal = sizes.most_common(1)[0][0]
    larger = sorted({line.size for line in lines if _is_heading(line, normal)}, reverse=True)
    drops = Counter(
        round(one.height - other.height) for one, other in pairwise(lines) if one.height > other.height
    )
    flow = _Flow(max(len(line.text) for line in lines), drops.most_common(1)[0][0] if drops else 0)
    for level, run in groupby(
        lines, key=lambda line: larger.index(line.size) + 1 if _is_heading(line, normal) else 0
    ):
        if level:
            flow.add_heading(level, list(run))
        else:
            flow.add_body(list(run))
    return flow.build(title)


def _is_heading(line: _PdfLine, normal: float) -> bool:
    return line.size >= normal * _LARGER and len(line.text) <= _LONGEST_HEADING


class _Flow:
    """Writes lines as flowing text, and where its headings stand and its pages begin."""

    def __init__(self, width: int, drop: float) -> None:
        self._width = width
        """Characters of the longest line: a much shorter one ends a paragraph."""
        self._drop = drop
        """Points from one line to the next within a paragraph."""
        self._pieces: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self._starts: list[int] = []
        self._pages: list[int] = []

    def add_heading(self, level: int, lines: list[_PdfLine]) -> None:
        start = self._length
        self._turn(lines[0].page)
        title = " ".join(line.text for line in lines)
        self._write(title + "\n\n")
        self._headings.append(Heading(start, self._length, level, title))

    def add_body(self, lines: list[_PdfLine]) -> None:
        self._turn(lines[0].page)
        for line, following in zip_longest(lines, lines[1:]):
            joint = _joint(line, following, self._width, self._drop) if following else "\n\n"
            self._write(_HYPHENATED.sub("", line.text) if joint == "" else line.text)
            self._write(joint)
            if following:
                self._turn(following.page)

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _turn(self, page: int) -> None:
        if not self._pages or self._pages[-1] != page:
            self._starts.append(self._length)
            self._pages.append(page)

    def build(self, title: str | None) -> SourceDocument:
        text = "".join(self._pieces)
        found = tuple(
            part for section in cut_sections(text, self._headings) for part in self._by_page(section)
        )
        top = next((heading.title for heading in self._headings if heading.level == 1), None)
        return SourceDocument(text=text, sections=found, title=title or top)

    def _by_page(self, section: Section) -> Iterator[Section]:
        """A section cut where a page begins."""
        first = bisect_right(self._starts, section.start)
        last = bisect_left(self._starts, section.end)
        bounds = (section.start, *self._starts[first:last], section.end)
        for number, (start, end) in enumerate(pairwise(bounds)):
            yield replace(section, start=start, end=end, page=self._pages[first + number - 1])


def _joint(before: _PdfLine, line: _PdfLine, width: int, drop: float) -> str:
    """What stands between two lines: a space within a paragraph, nothing within a word cut in two."""
    last = before.text
    if _HYPHENATED.search(last) and line.text[:1].islower():
        return ""
    ended = last.endswith((".", "!", "?", ":", ";", "。"))
    short = len(last) < 0.75 * width
    apart = before.page == line.page and before.height - line.height > _APART * drop
    capital = line.text[:1].isupper() or line.text[:1].isdigit()
    if _BULLET.match(line.text) or apart or (short and (ended or capital)):
        return "\n\n" if ended and not _BULLET.match(line.text) else "\n"
    return " "
