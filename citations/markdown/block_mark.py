"""Where the source has markup of whole blocks, for a reader that doesn't know all kinds of them."""

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
"""What stands at a place.

- ``block``: the first line of a paragraph
- ``code``: the first line of indented code
- ``fence``: what opens fenced code
- ``html``: the first line of an HTML block
- ``heading``: the line of an ATX heading; one that is underlined began as a paragraph
- ``rule``: the line of a thematic break
- ``header``: a table's header that begins with a pipe
- ``bare header``: a table's header that begins with its first cell
- ``row``: a table's row
- ``markup``: what makes the block what it is: ``#``, an underline, a thematic break, a table's delimiters
- ``pipe``: what stands between two cells
- ``end``: the end of a heading or of a table's row
- ``definition``: the end of a link definition, which began as a paragraph
"""


class BlockMark(NamedTuple):
    """``text[start:end]`` of the source is this part; where a line begins, it is its first place.

    ``blank`` is the blank line that could stand in front of that line and isn't there. ``opened`` is
    the first marker of the line, ``>`` of a quote or ``-`` of a list item, that opens one.
    ``column`` counts a header's columns; of a pipe it is the number of the cell behind it, from 0.
    ``outer`` says that a line stands in none of the quotes and list items that were open above it,
    ``late`` that it opens a list with another number than 1, and stands in no other.
    """

    part: Part
    start: int
    end: int
    blank: str = ""
    opened: str = ""
    column: int = 0
    outer: bool = False
    late: bool = False
