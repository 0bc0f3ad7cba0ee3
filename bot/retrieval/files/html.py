"""Reads HTML: headings, paragraphs, lists and tables, without the page's navigation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from typing import Final

from citations.text import SMALL_DIGITS

from ..document import LOST, SourceDocument
from .decode import decode_page
from .elements import list_names, read_number
from .mathml import MathExpression
from .outline import Outline, TableCell, clean_title
from .shown import is_hiding

_SILENT, _NAVIGATION = (list_names("html", kind) for kind in ("silent", "navigation"))
_FIELDS: Final = frozenset(
    ("text", "search", "tel", "url", "email", "number", "date", "time", "month", "week")
)
"""The types of inputs whose values are shown."""
BLOCKS: Final = list_names("html", "block") | {"dialog", "nav"}
"""The elements that begin on a line or in a cell of their own."""
_VOID: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_HIDING: Final = frozenset(("hidden", "popover"))
_INLINE: Final = frozenset(("br", "text", "sup", "sub", "input", "img"))
_CELLS: Final = frozenset(("td", "th", "tr"))
_NAMED: Final = re.compile(r"[^\W_]")
_SPAN: Final = re.compile(r"\s*\+?(\d{1,5})", re.ASCII)
_COMMENT_END: Final = re.compile("--!?>")
_DECLARATION_END: Final = re.compile(">")
_TYPED: Final = re.compile(r"[<>]|&(?=#?\w+;)")
"""What Markdown reads as a tag, a quotation or a character reference (CommonMark § 2.5, 5.1, 6.6)."""
_APART: Final = re.compile(r"[^\W\d_]\d|\d[^\W\d_]|[a-zß-ÿ.,:;!?)%€$£][A-ZÀ-Þ]")
"""Two characters between which a style sets two elements apart where they touch: ``12.10`` and ``Für``."""
_BELOW: Final = 6
"""A summary is a heading of its details, below those of levels 1 to 6."""


def read(data: bytes) -> SourceDocument:
    """Read an HTML file. Raises ``UnreadableError`` for bytes that are not text."""
    return parse_page(decode_page(data))


def parse_page(source: str) -> SourceDocument:
    """Read the text of an HTML page, without its navigation unless there is nothing else."""
    document = _parse(source, _NAVIGATION)
    return document if document.sections else _parse(source, frozenset())


def write_markdown(source: str) -> str:
    """Write a block of HTML as Markdown: its headings, paragraphs, lists, tables and code.

    Markdown between the tags stays Markdown, as in many generators of sites.
    """
    page = _MarkdownPage(_SILENT, Outline(marks=True))
    page.handle_data(unescape(_feed(page, source)))
    return page.build().text


def _parse(source: str, navigation: frozenset[str]) -> SourceDocument:
    page = _Page(_SILENT | navigation, Outline())
    page.handle_data(unescape(_feed(page, source)))
    return page.build()


def _feed(page: _Page, source: str) -> str:
    """Feed a page what has tags, and return the rest.

    Behind the last ">" no tag is complete. The parser would look for an end from each "<" on.
    """
    end = source.rfind(">") + 1
    page.feed(source[:end])
    page.close()
    return source[end:]


def _read_span(attributes: Mapping[str, str | None], name: str) -> int:
    found = _SPAN.match(attributes.get(name) or "")
    return int(found[1]) if found else 1


def _read_heading(tag: str, attributes: Mapping[str, str | None]) -> int:
    """The level of a heading, also of one by its role (WAI-ARIA 1.2, § 5.4); 0 for any other block."""
    is_heading = attributes.get("role") == "heading"
    return read_number(attributes.get("aria-level"), 2) if is_heading else _HEADINGS.get(tag, 0)


class _Page(HTMLParser):
    """Writes an outline from start tags, end tags and text.

    Most end tags are optional (HTML § 13.1.2.4), so the start of a block also ends the block before.
    """

    def __init__(self, dropped: frozenset[str], outline: Outline) -> None:
        super().__init__(convert_charrefs=True)
        self._outline = outline
        self._dropped = dropped
        self._inside: list[str] = []
        """The dropped elements that are open."""
        self._words: list[str] = []
        self._title: str | None = None
        self._in_title = self._has_drawing = False
        self._equation = MathExpression()
        self._rows: list[list[TableCell]] = []
        self._spans = (1, 1)
        """The columns and rows of the cell that is open."""
        self._tables = 0
        """The number of open tables. Inner tables become text of the outer one's cells."""
        self._cell = False
        self._heading = 0
        self._summary = False
        """Whether a summary is open. All of it is one heading."""
        self._details = 0
        """The number of open details."""
        self._item = False
        self._lists: list[int] = []
        """The number of the next item of each open list; 0 where items have none."""
        self._small = ""
        """The name of the element that is open and has small digits."""
        self._has_ended = self._are_beside = False
        """Whether an element has ended just now, and whether another one has begun right behind it."""
        self._preformatted = False
        """Whether a ``pre`` is open outside tables, in which white space stays."""

    def parse_html_declaration(self, i: int) -> int:
        """Where the comment or declaration at ``i`` ends; one without an end goes on to the file's.

        The parser of the standard library looks for each missing end anew. It fails on unknown
        declarations, which are comments too (HTML § 13.2.5.41 to 13.2.5.52).
        """
        end = _COMMENT_END if self.rawdata.startswith("<!--", i) else _DECLARATION_END
        found = end.search(self.rawdata, i + len("<!"))
        return found.end() if found else len(self.rawdata)

    def parse_comment(self, i: int, report: bool = True) -> int:  # noqa: ARG002 - as in the base
        """Where the comment at ``i`` ends."""
        return self.parse_html_declaration(i)

    parse_pi = parse_html_declaration  # a processing instruction is a comment in HTML (§ 13.2.5.6)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._begins_title(tag):
            self._words, self._in_title = [], True
            return
        names = dict(attrs)
        if self._inside or self._is_dropped(tag, names):
            self._are_beside = True
            if tag in BLOCKS and not self._inside:
                self._flush()
            # Within a dropped element, only elements of its own name are counted.
            if tag not in _VOID and (not self._inside or tag == self._inside[-1]):
                self._inside.append(tag)
        else:
            self._open(tag, names)

    def _begins_title(self, tag: str) -> bool:
        self._has_drawing = self._has_drawing or tag == "svg"
        is_first = tag == "title" and self._title is None and not self._has_drawing
        return is_first and not self._inside

    def _is_dropped(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Whether an element is not shown. An open dialog is, and a button in a heading or above its text."""
        if tag in self._dropped and "aria-expanded" not in attributes and "open" not in attributes:
            return tag != "button" or not (self._heading or self._summary)
        # What is only hidden from screen readers can be read, such as the level of a rule: A or AA.
        style = attributes.get("style")
        return not _HIDING.isdisjoint(attributes) or (style is not None and is_hiding(style))

    def _open(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        self._are_beside = self._are_beside or self._has_ended
        if tag in BLOCKS:
            self._equation.end("math")  # as HTML § 13.2.6.5 does
            self._open_block(tag, attributes)
        elif tag == "math" or self._equation:
            if (joint := self._equation.start(tag)) and self._words:
                self._words[-1] = self._words[-1].rstrip()  # blanks between elements are not shown
            self._words.append(joint)
        elif tag in _INLINE:
            self._open_inline(tag, attributes)

    def _open_block(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if self._tables and tag in _CELLS:
            self._end_cell()
            self._cell = tag != "tr"
            if self._tables == 1:
                self._spans = _read_span(attributes, "colspan"), _read_span(attributes, "rowspan")
            if tag == "tr":
                self._rows.append([])
        elif self._preformatted and tag != "pre":
            if self._words and not self._words[-1].endswith("\n"):
                self._words.append("\n")
        else:
            self._flush()
            self._tables += tag == "table"
            self._details += tag == "details" and not self._tables
            self._summary = self._summary or (tag == "summary" and not self._tables)
            self._item = tag == "li" or (self._item and tag == "p")
            if tag in ("ol", "ul"):
                self._lists.append(_read_span(attributes, "start") if tag == "ol" else 0)
            self._preformatted = tag == "pre" and not (self._tables or self._summary)
            self._heading = _read_heading(tag, attributes) if not self._summary else 0

    def _open_inline(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if tag in ("sup", "sub"):
            self._small = tag
        elif tag == "img":  # one whose alternative is empty is an ornament (HTML § 4.8.4.4)
            self._words.append(LOST if _NAMED.search(attributes.get("alt", "a") or "") else "")
        elif tag != "input":  # a break, or a text in a drawing
            self._words.append("\n" if tag == "br" else " ")
        elif (attributes.get("type") or "text").lower() in _FIELDS:
            self._words.append(f" {attributes.get('value') or ''} ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title" and self._in_title:
            self._title = " ".join("".join(self._words).split())
            self._words, self._in_title = [], False
        elif self._inside:
            if tag == self._inside[-1]:
                self._inside.pop()
        elif self._equation:
            self._equation.end(tag)
        elif tag not in BLOCKS:
            self._has_ended, self._small = True, ""
        elif self._tables and tag in _CELLS:
            self._end_cell()
        elif tag == "table" and self._tables:
            self._end_table()
        elif tag in ("summary", "details") and not self._tables:
            self._end_details(tag)
        elif tag == "pre" or not self._preformatted:
            self._flush()
            del self._lists[len(self._lists) - (tag in ("ol", "ul")) :]

    def _end_details(self, tag: str) -> None:
        # In Markdown an empty line divides a block of HTML, so that the end of details may stand alone.
        level = _BELOW + max(1, self._details)
        if tag == "summary" and self._summary:
            self._heading = level
        self._end_summary()
        if tag == "details":
            self._outline.end_headings(level)
            self._details = max(0, self._details - 1)

    def _end_cell(self) -> None:
        """End the cell that is open; words in none, such as a caption, stand above the table."""
        if self._tables == 1:
            words = self._take_lines()
            if not self._cell:
                self._outline.add_paragraph(" ".join(words.split()))
            else:
                if not self._rows:
                    self._rows.append([])
                self._rows[-1].append(TableCell(words, *self._spans))
        else:
            self._words.append(" ")
        self._cell = self._tables > 1

    def _end_table(self) -> None:
        self._end_cell()
        self._tables -= 1
        if not self._tables:
            rows, self._rows = self._rows, []
            self._outline.add_cells(rows)

    def handle_data(self, data: str) -> None:
        if not self._inside or self._in_title:
            self._words.append(data if self._preformatted else self._write_words(data.replace("\n", " ")))

    def _write_words(self, words: str) -> str:
        """Write digits as small ones where they are, and a space between words that a style sets apart."""
        small = SMALL_DIGITS[self._small[-1]] if self._small else {}
        if small and all(ord(sign) in small for sign in words.strip()):
            words = words.translate(small)
        before = self._words[-1] if self._words else ""
        are_apart = self._are_beside and _APART.match(before[-1:] + words[:1])
        self._has_ended = self._are_beside = False
        return f" {words}" if are_apart else words

    def _end_summary(self) -> None:
        """Write the words so far, also those of a summary. One that has no end is no heading."""
        self._summary = False
        self._flush()

    def _flush(self) -> None:
        """Write the words so far as a heading, item or paragraph; within a cell or summary, continue that."""
        if self._tables or self._summary:
            self._words.append(" ")
            return
        if self._preformatted:
            self._outline.add_code("".join(self._words))
            self._words, self._preformatted = [], False
            return
        text = self._take_lines()
        if text and self._heading:
            self._outline.add_heading(self._heading, text)
        elif text and self._item:
            self._add_item(text)
        else:
            self._outline.add_paragraph(text)
        self._heading = 0
        self._item = self._item and not text

    def _take_lines(self) -> str:
        """The lines of words so far. A picture stands for words only where there are some on both sides."""
        lines = (" ".join(line.split()).strip(f"{LOST} ") for line in "".join(self._words).split("\n"))
        self._words = []
        return "\n".join(line for line in lines if line)

    def _add_item(self, text: str) -> None:
        number = self._lists[-1] if self._lists else 0
        self._outline.add_item(text, max(0, len(self._lists) - 1), f"{number}." if number else "")
        if number:
            self._lists[-1] += 1

    def build(self) -> SourceDocument:
        """The document of the page."""
        while self._tables:
            self._end_table()
        self._end_summary()
        document = self._outline.build()
        return replace(document, title=self._choose_title() or document.title)

    def _choose_title(self) -> str | None:
        """The page's title, without the name of the site before or behind a heading of level 1.

        A sign divides them. Other words are the title's own, and may stand nowhere else.
        """
        title = clean_title(self._title)
        headings = self._outline.list_headings(level=1)
        if title is None or title in headings:
            return title
        whole = [
            heading
            for heading in headings
            if re.search(rf"(?:\A|[^\w\s]\s*){re.escape(heading)}(?:\s*[^\w\s]|\Z)", title)
        ]
        first = [heading for heading in whole if title.startswith(heading)]
        only = whole if len(headings) == 1 else []
        return (first or only or [title])[0]


class _MarkdownPage(_Page):
    """A page whose text shows in Markdown what it says: ``&lt;b&gt;`` is no tag there, either."""

    def handle_data(self, data: str) -> None:
        super().handle_data(data if self._preformatted else _TYPED.sub(lambda sign: escape(sign[0]), data))
