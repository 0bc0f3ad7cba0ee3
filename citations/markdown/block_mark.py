"""The places of block markup in the source, for a client that doesn't know all kinds of blocks."""

from __future__ import annotations

from typing import Literal, NamedTuple

Part = Literal[
    "block",
    "code",
    "fence",
    "html",
    "heading",
    "rule",
    "header",
    "bare header",
    "row",
    "markup",
    "pipe",
    "end",
    "definition",
]
"""The parts of block markup.

- ``block``: the first line of a paragraph
- ``code``: the first line of indented code
- ``fence``: the opening of fenced code
- ``html``: the first line of an HTML block
- ``heading``: the line of an ATX heading; one that is underlined began as a paragraph
- ``rule``: the line of a thematic break
- ``header``: a table's header that begins with a pipe
- ``bare header``: a table's header that begins with its first cell
- ``row``: a table's row
- ``markup``: the markup of a block: ``#``, an underline, a thematic break, a table's delimiters
- ``pipe``: the separator of two cells
- ``end``: the end of a heading or of a table's row
- ``definition``: the end of a link definition, which began as a paragraph
"""


class BlockMark(NamedTuple):
    """``text[start:end]`` of the source is this part. At the beginning of a line it is the line's first mark.

    ``blank`` is the blank line that is missing above that line. ``opened`` is the line's first marker
    that opens a container: ``>`` of a quote or ``-`` of a list item. ``column`` counts a header's
    columns; for a pipe it is the number of the cell behind it, from 0. ``outer`` says that none of the
    containers above continues. ``apart`` is the text above the line without which some engines take a
    list or code for text.
    """

    part: Part
    start: int
    end: int
    blank: str = ""
    opened: str = ""
    column: int = 0
    outer: bool = False
    apart: str = ""
