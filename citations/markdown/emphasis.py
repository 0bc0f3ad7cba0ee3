"""Emphasis and strikethrough: which ``*``, ``_`` and ``~`` belong together (CommonMark § 6.2).

markdown-it-py pairs them. Links are read as text here, because a sanitized text shows them so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, link_pairs
from markdown_it.rules_inline.state_inline import Delimiter

_RUNS: Final = re.compile(r"\*+|_+|~+")
_MARKDOWN: Final = MarkdownIt("zero")


def find_emphasis(content: str, opaque: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[int]]:
    """The emphasised ranges of ``content``, and the offsets of delimiters without a partner.

    The first and the last character of a range are its delimiters. Strong text has two ranges. ``opaque`` are
    the ranges in which nothing is a delimiter, in order.
    """
    state = StateInline(content, _MARKDOWN, {}, [])
    state.delimiters.extend(_delimiters(state, opaque))
    link_pairs(state)
    places = [one.token for one in state.delimiters]
    found = [(one.token, places[one.end] + 1) for one in state.delimiters if one.end >= 0]
    paired = {place for start, end in found for place in (start, end - 1)}
    return found, [place for place in places if place not in paired]


def _delimiters(state: StateInline, opaque: Sequence[tuple[int, int]]) -> Iterator[Delimiter]:
    """The delimiters outside ``opaque``. Each has its offset in the place of a token."""
    behind = 0
    for start, end in (*opaque, (len(state.src), len(state.src))):
        for run in _RUNS.finditer(state.src, behind, max(behind, start)):
            sign, length = run[0][0], len(run[0])
            opens, closes, _ = state.scanDelims(run.start(), sign != "_")
            tilde = sign == "~"
            # "One or two tildes" are closed by as many (GFM § "Strikethrough").
            marker = -length if tilde else ord(sign)
            pairs = not tilde or length <= 2
            for place in range(*run.span()):
                yield Delimiter(
                    marker=marker,
                    length=0 if tilde else length,
                    token=place,
                    end=-1,
                    open=opens and pairs,
                    close=closes and pairs,
                )
        behind = max(behind, end)
