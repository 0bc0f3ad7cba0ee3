"""This module strips the markup of inline Markdown."""

from __future__ import annotations

import html
import re
from typing import Final

_STEPS: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"!\[([^\]\n]*)\]\([^()\n]*\)", r"\1"),  # images
        (r"\[([^\[\]\n]+)\]\(<?[^()\s]*>?(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)", r"\1"),  # links
        (r"\[([^\[\]\n]+)\]\[[^\[\]\n]*\]", r"\1"),  # reference links
        (r"<((?:https?://|mailto:)[^<>\s]+)>", r"\1"),  # autolinks
        (r"</?[A-Za-z][^<>\n]{0,200}>", " "),  # tags
        (r"(?<!\\)(\*\*\*|\*\*|~~)(?=\S)(.{1,400}?)(?<=\S)\1", r"\2"),
        (r"(?<![\\\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\*(?![\w*])", r"\1"),
        (r"(?<![\\\w_])(__?)(?=[^\s_])(.{1,300}?)(?<=[^\s_])\1(?![\w_])", r"\2"),
        (r"[ \t]*\{#[\w-]+\}[ \t]*$", ""),  # heading anchors
    )
)
_CODE: Final = re.compile(r"(?<!`)(`{1,3})(?!`)(.{1,400}?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def strip_markup(markdown: str) -> str:
    """Return the words of a run of inline Markdown, without emphasis, links, code marks and HTML.

    >>> plain("**Book** with [the desk](https://x.example 'x') or `cli`.")
    'Book with the desk or cli.'
    """
    pieces: list[str] = []
    start = 0
    for code in _CODE.finditer(markdown):
        pieces += (_strip(markdown[start : code.start()]), code[2].strip())
        start = code.end()
    return "".join((*pieces, _strip(markdown[start:])))


def _strip(markdown: str) -> str:
    for pattern, replacement in _STEPS:
        markdown = pattern.sub(replacement, markdown)
    return html.unescape(_ESCAPE.sub(r"\1", markdown))
