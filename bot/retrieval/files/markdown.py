"""Markdown: its headings, and its text as it is written.

CommonMark 0.31 § 4.2 and 4.3 say what a heading is. Front matter and comments are not text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from ..passage import Markup, SourceDocument
from ..plain import strip_markup
from .decode import decode
from .outline import Heading, cut_sections

_FRONT_MATTER: Final = re.compile(r"---[ \t]*\n(?P<body>.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE: Final = re.compile(r"^title:[ \t]*(?P<title>\S.*?)[ \t]*$", re.MULTILINE)
_FENCED: Final = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_ATX: Final = re.compile(
    r"^ {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>[^\n]*?))?(?:[ \t]+#+)?[ \t]*$", re.MULTILINE
)
_UNDERLINED: Final = re.compile(
    # One line that stands alone above its underline; neither a list, a quote, a table nor a heading.
    r"(?:\A|(?<=\n\n)|(?<=^\n))(?P<title> {0,3}(?![-+*>|#=]|\d+[.)]|\s)[^\n]{1,200})"
    r"\n {0,3}(?P<mark>=+|-{3,})[ \t]*$",
    re.MULTILINE,
)


def read(data: bytes) -> SourceDocument:
    """The document in a Markdown file. Raises ``UnreadableError`` for what is no text."""
    text = decode(data)
    front = _FRONT_MATTER.match(text)
    fences = [match.span() for match in _FENCED.finditer(text)]
    gaps = [span for span in _comments(text) if not _within(span[0], fences)]
    gaps = [front.span(), *gaps] if front else gaps
    found = sorted((*_atx_headings(text), *find_underlined(text)), key=lambda heading: heading.start)
    hidden = sorted((*fences, *gaps))
    headings = [heading for heading in found if not _within(heading.start, hidden)]
    return SourceDocument(
        text=text,
        sections=cut_sections(text, headings, gaps),
        title=_front_title(front) or _first_title(headings),
        markup=Markup.MARKDOWN,
    )


def _comments(text: str) -> Iterator[tuple[int, int]]:
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        yield start, end + 3
        start = text.find("<!--", end)


def _atx_headings(text: str) -> Iterator[Heading]:
    for match in _ATX.finditer(text):
        if title := strip_markup(match["title"] or "").strip():
            yield Heading(match.start(), match.end(), len(match["marks"]), title)


def find_underlined(text: str) -> Iterator[Heading]:
    """Lines with a line of ``=`` or ``-`` below them."""
    for match in _UNDERLINED.finditer(text):
        level = 1 if match["mark"].startswith("=") else 2
        yield Heading(match.start(), match.end(), level, strip_markup(match["title"]).strip())


def _within(place: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a place lies in one of some spans that are in order."""
    before = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return before >= 0 and spans[before][0] <= place < spans[before][1]


def _front_title(front: re.Match[str] | None) -> str | None:
    found = _FRONT_TITLE.search(front["body"] or "") if front else None
    return found["title"].strip("'\"") if found else None


def _first_title(headings: list[Heading]) -> str | None:
    return next((heading.title for heading in headings if heading.level == 1), None)
