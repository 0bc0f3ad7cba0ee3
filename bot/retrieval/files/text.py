"""Reads plain text: one section, or several where headings are underlined."""

from __future__ import annotations

from ..document import SourceDocument
from .decode import decode
from .markdown import find_underlined
from .outline import find_title_line
from .sections import DocumentHeading, cut_sections, find_title


def read(data: bytes) -> SourceDocument:
    """Read a text file. Raises ``UnreadableError`` for bytes that are not text."""
    text = decode(data)
    headings = list(find_underlined(text))
    title = find_title_line(text)
    if title and headings:  # above headings, a separate line is the title and not a statement
        start = text.index(title)
        headings.insert(0, DocumentHeading(start, start + len(title), 0, title))
    title = title or find_title(headings)
    return SourceDocument(text=text, sections=cut_sections(text, headings), title=title)
