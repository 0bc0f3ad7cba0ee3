"""Plain text: one section, or several where headings are underlined."""

from __future__ import annotations

from ..passage import SourceDocument
from .decode import decode
from .markdown import find_underlined
from .outline import Heading, cut_sections, find_title_line


def read(data: bytes) -> SourceDocument:
    """The document in a text file. Raises ``UnreadableError`` for what is no text."""
    text = decode(data)
    headings = list(find_underlined(text))
    title = find_title_line(text)
    if title and headings:  # above headings, a line that stands alone is the title and not a statement
        start = text.index(title)
        headings.insert(0, Heading(start, start + len(title), 0, title))
    return SourceDocument(text=text, sections=cut_sections(text, headings), title=title)
