"""Reads plain text: one section, or several where headings are underlined."""

from __future__ import annotations

import re
from typing import Final

from ..document import SourceDocument
from .decode import decode
from .markdown import find_underlined
from .sections import DocumentHeading, cut_sections, find_title

_LONGEST_TITLE: Final = 150
_WORD_FIRST: Final = re.compile(r"""[¿¡"'“„«‹(\[]?[^\W_]""")


def read(data: bytes) -> SourceDocument:
    """Read a text file. Raises ``UnreadableError`` for bytes that are not text."""
    text = decode(data)
    headings = list(find_underlined(text))
    title = _find_title_line(text)
    if title and headings:  # above headings, a separate line is the title and not a statement
        start = text.index(title)
        headings.insert(0, DocumentHeading(start, start + len(title), 0, title))
    title = title or find_title(headings)
    return SourceDocument(text=text, sections=cut_sections(text, headings), title=title)


def _find_title_line(text: str) -> str | None:
    """The first line if it is short, begins with a word, and has an empty line below."""
    first, _, rest = text.lstrip().partition("\n")
    stands_alone = rest.strip() and not rest.split("\n", 1)[0].strip()
    is_title = stands_alone and len(first) <= _LONGEST_TITLE and _WORD_FIRST.match(first)
    return first.strip() if is_title else None
