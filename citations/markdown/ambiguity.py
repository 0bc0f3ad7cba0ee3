"""Blocks that some clients' engines take for text of the paragraph above."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from markdown_it.token import Token

from .hazards import ALIVE

_LISTS: Final = frozenset({"ordered_list_open", "bullet_list_open"})
_CONTAINERS: Final = frozenset({"blockquote_open", "list_item_open", *_LISTS})
_PARAGRAPHS: Final = frozenset({"paragraph_close", "code_block", "table_close"})
"""What a list may not interrupt to some engine."""
_FAR: Final = re.compile(r" {4}|\t").search
_ENDED: Final = frozenset({"heading_close", "hr", "fence", *(_CONTAINERS - _LISTS)})
"""Blocks that end in every engine, so that code directly below them is code."""


def ambiguous_lists(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Lists that can't interrupt a paragraph, directly below one or on the line of a quote or item there.

    "In order for a list item to interrupt a paragraph, it must start with 1", and not be empty. micromark
    applies this to the lists inside, too. Then their content is text, and a fence doesn't end with its
    item.
    """
    lines: list[str] = []
    for number, token in enumerate(tokens):
        if token.type not in _LISTS or not token.map or not number:
            continue
        line, first = token.map[0], _first_of_line(tokens, number)
        above = tokens[first - 1]
        if not first or above.type not in _PARAGRAPHS:
            continue
        if tokens[number + 1].info not in ("", "1") or _is_empty(tokens[number + 2], line):
            lines = lines or text.split("\n")
            # A blank line doesn't end code to micromark.
            behind = above.type == "code_block" or bool(lines[line - 1].strip(" \t>"))
            nested = first < number
            # Elsewhere it is one and the same, unless what is indented far could be code.
            if behind and (
                nested or any(map(_FAR, lines[line : token.map[1]])) or _has_fence(tokens, number)
            ):
                yield lines[line]


def _first_of_line(tokens: Sequence[Token], number: int) -> int:
    """The number of the outermost container that begins on the line of ``tokens[number]``."""
    line = tokens[number].map
    while number and (above := tokens[number - 1]).type in _CONTAINERS and above.map and line:
        if above.map[0] != line[0]:
            break
        number -= 1
    return number


def _has_fence(tokens: Sequence[Token], number: int) -> bool:
    """Whether the list that ``tokens[number]`` opens has a fence."""
    level = tokens[number].level
    inside = takewhile(lambda place: tokens[place].level > level, range(number + 1, len(tokens)))
    return any(tokens[place].type == "fence" for place in inside)


def _is_empty(first: Token, line: int) -> bool:
    """Whether the list item of the token ``first`` has nothing on its first ``line``."""
    return first.type == "list_item_close" or not first.map or first.map[0] > line


def ambiguous_code(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Indented code directly below text, which would be live if it were text, too.

    "An indented code block cannot interrupt a paragraph" (CommonMark § 4.4). Behind tables, quotes and
    lists, engines differ on whether that text is a paragraph and continues.
    """
    lines: list[str] = []
    for number, token in enumerate(tokens):
        if token.type != "code_block" or not token.map or not number or tokens[number - 1].type in _ENDED:
            continue
        lines = lines or text.split("\n")
        if lines[token.map[0] - 1].strip(" \t>") and ALIVE.search(token.content):
            yield token.content
