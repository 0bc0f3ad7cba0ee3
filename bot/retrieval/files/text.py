"""Plain text: one section, or several where headings are underlined."""

from __future__ import annotations

from ..passage import SourceDocument
from .decode import decode
from .markdown import find_underlined
from .outline import Heading, first_line_title, sections


def read(data: bytes) -> SourceDocument:
    """The document in a text file. Raises ``UnreadableError`` for what is no text."""
    text = decode(data)
    headings = list(find_underlined(text))
    title = first_line_title(text)
    if title and headings:  # above headings, a line that stands alone is the title and not a statement
        start = text.index(title)
        headings.insert(0, Heading(start, start + len(title), 0, title))
    return SourceDocument(text=text, sections=sections(text, headings), title=title)
