"""Markdown as CommonMark reads it: the one place that meets markdown-it-py.

:func:`read_layout` says what stands where in the source, to find markers and to change nothing
else. :func:`read_outcome` says what a reader gets, to check what was written.
"""

from __future__ import annotations

from .inline import Bracket, Kind, Span, Tail
from .layout import Inline, Layout, Raw, clean_text, read_layout
from .outcome import Definition, Link, Outcome, read_outcome

__all__ = [
    "Bracket",
    "Definition",
    "Inline",
    "Kind",
    "Layout",
    "Link",
    "Outcome",
    "Raw",
    "Span",
    "Tail",
    "clean_text",
    "read_layout",
    "read_outcome",
]
