"""Markdown as CommonMark reads it. Only this package imports markdown-it-py.

:func:`read_layout` and :class:`LayoutReader` say what stands where in the source. They serve to find
markers and to change nothing else. :func:`read_markdown` says what a reader gets, to verify what was
written. That is markdown-it-py's own reading and shares no code with the other. :func:`sanitize` makes a
hostile text harmless, and :func:`escape_text` writes plain text as Markdown.
"""

from __future__ import annotations

from .construct import Bracket, InlineSpan, Kind, LinkTarget
from .emphasis import find_emphasis
from .escape import escape_text
from .hazards import ADDRESS, ATTRIBUTE, DELIMITER
from .inline_buffer import Inline
from .layout import Layout, Raw, clean_offsets, clean_text, removed_by_cleaning
from .layout_reader import LayoutReader, read_layout
from .outcome import Definition, Link, MarkdownReading, read_definition, read_markdown
from .sanitizer import sanitize
from .visible_text import Signs, read_words

__all__ = [
    "ADDRESS",
    "ATTRIBUTE",
    "DELIMITER",
    "Bracket",
    "Definition",
    "Inline",
    "InlineSpan",
    "Kind",
    "Layout",
    "LayoutReader",
    "Link",
    "LinkTarget",
    "MarkdownReading",
    "Raw",
    "Signs",
    "clean_offsets",
    "clean_text",
    "escape_text",
    "find_emphasis",
    "read_definition",
    "read_layout",
    "read_markdown",
    "read_words",
    "removed_by_cleaning",
    "sanitize",
]
