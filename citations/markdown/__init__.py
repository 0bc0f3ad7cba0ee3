"""Markdown as CommonMark reads it: the one place that meets markdown-it-py.

:class:`LayoutReader` and :func:`read_layout` say what stands where in the source, to find markers
and to change nothing else. :func:`read_markdown` says what a reader gets, to check what was written:
that is markdown-it-py's own reading, and shares nothing with ours.
"""

from __future__ import annotations

from .construct import Bracket, Kind, LinkTarget, Span
from .escape import escape_text
from .hazards import ADDRESS, ATTRIBUTE, DELIMITER
from .inline_buffer import Inline
from .layout import Layout, Raw, clean_text
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
    "Kind",
    "Layout",
    "LayoutReader",
    "Link",
    "LinkTarget",
    "MarkdownReading",
    "Raw",
    "Signs",
    "Span",
    "clean_text",
    "escape_text",
    "read_definition",
    "read_layout",
    "read_markdown",
    "read_words",
    "sanitize",
]
