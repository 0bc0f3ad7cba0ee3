"""Shapes that took more than linear time once, each with the route that it was found on."""

from __future__ import annotations

from .shapes import Shape

KEPT: tuple[tuple[Shape, str], ...] = (
    (Shape("#", "heading"), "webchat"),
    (Shape("# ", "heading"), "email"),
    (Shape("a", "name of a source"), "msteams"),
    (Shape("a ://", "paragraph"), "doubts"),
    (Shape("a", "beginning"), "doubts"),
    (Shape("+.@?", "paragraph"), "spans"),
    (Shape("\u2028", "definition"), "spans"),
    (Shape("([1]", "paragraph"), "directlinespeech"),
    (Shape("and ", "paragraph"), "search"),
    (Shape("a ", "paragraph"), "search"),
    (Shape("?", "paragraph"), "search"),
    (Shape("[", "beginning"), "check webchat"),
    (Shape("![[", "beginning"), "check webchat"),
    (Shape("> ", "definition"), "check webchat"),
    (Shape("\\", "address"), "webchat"),
    (Shape("a|", "header"), "webchat"),
)
STREAMED: tuple[tuple[Shape, str], ...] = (
    (Shape("-  ", "beginning"), "stream to msteams"),
    (Shape("-  ", "beginning"), "stream to webchat"),
    (Shape("a ", "paragraph"), "stream to webchat"),
    (Shape("a ", "paragraph"), "stream to msteams"),
    (Shape("a", "items"), "stream to webchat"),
    (Shape("a ", "paragraphs"), "stream to msteams"),
    (Shape("a", "headings"), "stream to webchat"),
    (Shape("[#", "paragraph"), "stream to webchat"),
    (Shape("a [1]", "rows"), "stream to webchat"),
    (Shape("a [1]", "rows"), "stream to msteams"),
    (Shape("- a", "quoted lines"), "stream to msteams"),
    (Shape("*a **b ", "beginning"), "stream to msteams"),
    (Shape("<at>", "paragraph"), "stream to webchat"),
)
"""Streams whose time is linear."""
