"""Where the source has markup of whole blocks, for a reader that doesn't know all kinds of them."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple


class Part(Enum):
    """What stands at a place."""

    BLOCK = auto()
    """The first line of a paragraph or of code."""
    HTML = auto()
    """The first line of an HTML block."""
    DEFINITION = auto()
    """The end of a link definition, which began as a paragraph."""
    HEADING = auto()
    """The line of an ATX heading; one that is underlined began as a paragraph."""
    RULE = auto()
    """The line of a thematic break."""
    HEADER = auto()
    """A table's header that begins with a pipe."""
    BARE_HEADER = auto()
    """A table's header that begins with its first cell."""
    ROW = auto()
    """A table's row."""
    MARKUP = auto()
    """What makes the block what it is: ``#``, an underline, a thematic break, a table's delimiters."""
    PIPE = auto()
    """What stands between two cells."""
    END = auto()
    """The end of a heading or of a table's row."""


class Mark(NamedTuple):
    """``text[start:end]`` of the source is this part; where a line begins, it is its first place.

    ``blank`` is the blank line that could stand in front of that line and isn't there. ``opened`` is
    the first marker of the line, ``>`` of a quote or ``-`` of a list item, that opens one.
    ``column`` counts a header's columns; of a pipe it is the number of the cell behind it, from 0.
    """

    part: Part
    start: int
    end: int
    blank: str = ""
    opened: str = ""
    column: int = 0
