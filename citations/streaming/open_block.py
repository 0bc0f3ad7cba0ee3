"""What is decided of the block at the end of a growing text, and as what it may be shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..markdown import Block, Leaf, List, Paragraph, Quote

_CONTAINERS: Final = r"(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])[ \t]++(?:\[[ xX]\][ \t]++)?)*+"
_DECIDED: Final = re.compile(
    rf" {{0,3}}{_CONTAINERS}(?:#{{1,6}}[ \t]+)?[^\S\x00-\x7f]*"
    # Words, also behind a quotation mark, asterisks or underscores; a number that counts no item.
    r"(?:[^\W\d_]|[^\x00-\x7f\s]|[\"'“‘„«(]+[^\W_]|[*_]{1,3}[^\W_]"
    r"|[0-9]{1,9}(?:[^0-9.)|]|[.)][^\s|])|[0-9]{10}"
    # Signs that begin no block with what stands behind them.
    r"|``?[^`]|~~?[^~]|\$[^$]|:[ \t]*[^\W\d_]|\[(?![ xX]\]))"
)
"""The beginning of a line whose block no more text of the line changes."""
_PIPED: Final = re.compile(rf" {{0,3}}{_CONTAINERS}\|")
_DELIMITERS: Final = re.compile(r"[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?+-*+:?+[ \t]*+)*+")
"""The delimiter row of a table."""


def decided(text: str, *, appends: bool) -> str:
    """``text`` without a last line that may still become another block.

    With ``appends``, a line with a pipe may become a table's header.
    """
    head, _, line = text.rpartition("\n")
    start = len(text) - len(line)
    cut = len(text) if _DECIDED.match(line) else start
    if "|" in line:
        if _PIPED.match(line) or _in_table(head):
            cut = start
        elif appends:
            cut = min(cut, start + _before_pipe(line))
    if cut <= start:
        above = head.rpartition("\n")[2]
        # The line above may be the header of a table.
        if "|" in above and not _in_table(head) and (appends or _PIPED.match(above)):
            cut = min(cut, len(head) - len(above) + (_before_pipe(above) if appends else 0))
    return text[:cut]


def _before_pipe(line: str) -> int:
    """The length of what is shown in front of a pipe: nothing where it alone would be another block."""
    before = line[: line.index("|")].rstrip()
    return len(before) if _DECIDED.match(before) else 0


def _in_table(text: str) -> bool:
    """Whether ``text`` ends in a table."""
    block = text.rstrip("\n").rpartition("\n\n")[2].split("\n") if not text.endswith("\n\n") else []
    return any(_DELIMITERS.fullmatch(line) for line in block[1:])


def last_leaf(tokens: Sequence[Leaf], *, headings: bool) -> Leaf | None:
    """The last token with content: an inline text of a paragraph, else the block itself.

    With ``headings``, the text of a heading counts as that of a paragraph.
    """
    for place in range(len(tokens) - 1, -1, -1):
        token = tokens[place]
        if token.type == "inline":
            above = tokens[place - 1]
            grows = above.type == "paragraph_open" or (headings and above.type == "heading_open")
            return token if grows else above
        if token.nesting == 0:
            return token
    return None


def without_empty_end(block: Block) -> Block | None:
    """``block`` without an item or a quote at its end whose text has not come yet."""
    match block:
        case List(items=(*items, last)):
            blocks = _without_empty_last(last.blocks)
            kept = (*items, replace(last, blocks=blocks)) if blocks else tuple(items)
            return replace(block, items=kept) if kept else None
        case Quote(blocks=inside):
            blocks = _without_empty_last(inside)
            return replace(block, blocks=blocks) if blocks else None
        case Paragraph(inline=()):
            return None
    return block


def _without_empty_last(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    while blocks:
        *others, last = blocks
        if kept := without_empty_end(last):
            return (*others, kept)
        blocks = tuple(others)
    return ()
