"""Reads PDF: it joins the lines of the pages, and finds headings by tags or by larger type."""

from __future__ import annotations

import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise, zip_longest
from typing import Final

import pypdfium2

from citations.text.languages import either

from ...languages import LANGUAGES
from ..document import SourceDocument, UnreadableError, find_fence
from ..passages import reads_as_prose
from .outline import Outline, clean_title
from .pdf_lines import BULLET, UNKNOWN, PdfLine, read_pages

LOCK: Final = threading.Lock()
"""Only one thread at a time may call PDFium."""
_LARGER: Final = 1.12
"""The least size of a heading's type, relative to the body's."""
_APART: Final = 1.35
"""The least distance of two paragraphs, relative to the usual distance of lines."""
_LONGEST_HEADING: Final = 120
_FEWEST_TAGS: Final = 2
"""With fewer headings in its tags, a file is read by the size of its type."""
_CELL: Final = 4
"""The most lines of a cell, beside which the next cell of its row begins."""
_HYPHENATED: Final = re.compile(r"(?<=[^\W\d_])(?:-|\u00ad|\u2010|\ufffe|\x02)$")
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


def read(data: bytes) -> SourceDocument:
    """Read a PDF. Raises :class:`UnreadableError` where it is encrypted, or scanned and so without text."""
    with LOCK:
        pages, title, unread = _read_pages(data)
    if not pages:
        raise UnreadableError("it has no pages")
    if b"/EncryptedPayload" in data:
        # ISO 32000-2, 7.6.7: the readable pages are a wrapper, which says how to open the payload.
        raise UnreadableError("it is encrypted")
    if not any(pages) and unread[UNKNOWN]:
        raise UnreadableError("its fonts do not say which letters they show (run it through OCR first)")
    if not any(pages):
        raise UnreadableError("it is scanned: its pages are pictures without text (run it through OCR first)")
    kept, margins = _split_margins(pages)
    if not any(kept):  # each page says the same
        kept, margins = pages, []
    outline = _join_lines([line for page in kept for line in page])
    outline.add_margins(_list_margins(margins))
    document = outline.build(title, unread)
    return document if document.title == title else replace(document, title=_check_title(document.title))


def _read_pages(data: bytes) -> tuple[list[list[PdfLine]], str | None, Counter[str]]:
    """Read the lines of each page, the title in the file's properties, and what is not read."""
    try:
        source = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        reason = "it is protected by a password" if "password" in str(error).lower() else "it is damaged"
        raise UnreadableError(reason) from error
    try:
        unread = Counter[str]()
        pages = read_pages(source, unread)
        return pages, clean_title(source.get_metadata_value("Title")), unread
    finally:
        source.close()


def _check_title(heading: str | None) -> str | None:
    """The first heading in the largest type, unless it is the number or name of a chapter."""
    title = clean_title(heading)
    return None if title and _CHAPTER.match(title) else title


def _split_margins(pages: list[list[PdfLine]]) -> tuple[list[list[PdfLine]], list[PdfLine]]:
    """Part the pages from what returns at their edges: their heads, feet and numbers. Ornaments are dropped.

    That is a first or last line that most pages share apart from its numbers. It is also one of the three
    at an edge that a third of the pages have at the same height: the same words, or a label and a number,
    or words that begin or end with a number that counts the pages.
    """
    pages = [[line for line in page if not _ORNAMENT.fullmatch(line.text)] for page in pages]
    if len(pages) < _FEWEST:
        return pages, []
    outermost = Counter(_mask_numbers(line) for page in pages for line in {*page[:1], *page[-1:]})
    common = {shape for shape, count in outermost.items() if count > len(pages) / 2}
    places = {line: set(_find_places(line)) for page in pages for line in _find_edges(page)}
    placed = Counter(
        place
        for page in pages
        for place in set[tuple[str, int]]().union(*map(places.__getitem__, _find_edges(page)))
    )
    fixed = {place for place, count in placed.items() if count >= max(_FEWEST, len(pages) / 3)}
    outer = {line for page in pages for line in (*page[:1], *page[-1:]) if _mask_numbers(line) in common}
    margins = {line: None for line, found in places.items() if line in outer or not fixed.isdisjoint(found)}
    return [[line for line in page if line not in margins] for page in pages], list(margins)


def _list_margins(lines: list[PdfLine]) -> Iterator[str]:
    """Yield what returns at the edges of pages once, but labels whose number changes with the page."""
    said = defaultdict[str, dict[str, None]](dict)
    for line in lines:
        said[_mask_numbers(line)][line.text] = None
    for masked, texts in said.items():
        if len(masked) > _LABEL or len(texts) == 1:
            yield next(iter(texts))


def _find_edges(page: list[PdfLine]) -> list[PdfLine]:
    return page if len(page) <= 2 * _EDGE else [*page[:_EDGE], *page[-_EDGE:]]


def _find_places(line: PdfLine) -> Iterator[tuple[str, int]]:
    """The words and the height of a line; a short one may have another number on each page.

    In a longer one the number of a page is told by what it counts: ``By-law # 8209-25, page 6 of 10``.
    """
    height = round(line.height / _TOLERANCE)
    masked = _mask_numbers(line)
    yield masked if len(masked) <= _LABEL else line.text, height
    for found in _PAGE.finditer(line.text):
        yield f"{line.text[: found.start()]}{int(found[0]) - line.page:+}{line.text[found.end() :]}", height


def _mask_numbers(line: PdfLine) -> str:
    return _NUMBER.sub("0", line.text)


def _join_lines(lines: list[PdfLine]) -> Outline:
    """Join the lines to headings, flowing text and code, each at its page."""
    find_heading = _find_headings(lines)
    drops = Counter(
        round(one.height - other.height) for one, other in pairwise(lines) if one.height > other.height
    )
    flow = _Flow(_measure_width(lines), drops.most_common(1)[0][0] if drops else 0)
    typed = sum(len(line.text) for line in lines if line.advance)
    is_typewritten = 2 * typed > sum(len(line.text) for line in lines)

    def find_level(line: PdfLine) -> int:
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


def _measure_width(lines: list[PdfLine]) -> int:
    """The characters of a full line: nine of ten lines are not longer."""
    lengths = sorted(len(line.text) for line in lines)
    return lengths[9 * len(lengths) // 10]


def _find_headings(lines: list[PdfLine]) -> Callable[[PdfLine], int]:
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

    def add_body(self, lines: list[PdfLine]) -> None:
        """Add paragraphs."""
        for line, following in zip_longest(lines, lines[1:]):
            joint = _find_joint(line, following, self._width, self._drop) if following else "\n\n"
            self.outline.write((_HYPHENATED.sub("", line.text) if joint == "" else line.text) + joint)
            if following:
                self.outline.start_place(following.page)

    def add_code(self, lines: list[PdfLine]) -> None:
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


def _find_joint(before: PdfLine, line: PdfLine, width: int, drop: float) -> str:
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
    if BULLET.match(line.text) or apart or (not is_cell and short and (ended or capital)):
        return "\n\n" if ended and not BULLET.match(line.text) else "\n"
    return " "
