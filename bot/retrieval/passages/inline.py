"""Writes a document's words as inline Markdown without active content.

A document's text must not become a marker, a link or an image of the answer. So every character that
Markdown interprets becomes an HTML entity, which shows as that character. Code stays code, in which
Markdown interprets nothing.
"""

from __future__ import annotations

import re
from typing import Final

from citations.markdown import escape_text

from ..document import LOST, Markup, find_fence
from .plain import strip_to_pieces

CUT: Final = "…"
"""What stands where something is left out."""
_SPACE: Final = re.compile(r"\s+")
_CELL: Final = re.compile(r"(?<!\\)\|")
_OPTION: Final = re.compile(r"(?<![\w-])--(?=\w)")
"""The hyphens of ``--verbose``, which Web Chat's typographer would make a dash."""


def write_inline(text: str, markup: Markup) -> str:
    """Write a run of text on one line: links as their words, without emphasis, and code as code."""
    if markup is not Markup.MARKDOWN:
        return _escape(_SPACE.sub(" ", text).strip())
    pieces = (
        _write_code_span(piece) if is_code else _escape(_SPACE.sub(" ", piece))
        for piece, is_code in strip_to_pieces(text)
    )
    return "".join(pieces).strip()


def _escape(text: str) -> str:
    return _OPTION.sub("&#45;-", escape_text(text)).replace(LOST, "…")


def _write_code_span(code: str) -> str:
    """Write a code span, whose fence is longer than any run of backticks in it (CommonMark § 6.1)."""
    code = _SPACE.sub(" ", code).strip()
    if not code:
        return ""
    fence = find_fence(code, 1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{pad}{code}{pad}{fence}"


def split_cells(row: str) -> list[str]:
    """The cells of a row such as ``| Berlin | 150 |``, without the escapes of their pipes."""
    if not row:
        return []
    cells = _CELL.split(row.strip().removeprefix("|").removesuffix("|"))
    return [cell.strip().replace("\\|", "|") for cell in cells]


def write_cell(words: str) -> str:
    """Escape the pipes of inline Markdown for a cell, where even code can't hold one (GFM § 4.10)."""
    return words.replace("|", "\\|")
