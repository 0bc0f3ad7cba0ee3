"""Plain text: one section, unless headings are underlined."""

from __future__ import annotations

from ..passage import Document
from .decode import decode
from .markdown import underlined_headings
from .outline import first_line_title, sections


def read(data: bytes) -> Document:
    """The document in a text file. Raises ``UnreadableError`` for what is no text."""
    text = decode(data)
    headings = tuple(underlined_headings(text))
    title = headings[0].title if headings else first_line_title(text)
    return Document(text=text, sections=sections(text, headings), title=title)
