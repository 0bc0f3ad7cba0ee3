"""This module strips the markup of inline Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

_STEPS: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\\\n", " "),  # hard line breaks
        (r"!\[([^\]\n]{0,400})\]\([^()\n]*+\)", r"\1"),  # images
        (
            (
                r"\[([^\[\]]++)\]\(\s*+(?:<[^<>\n]*+>|(?:[^()\s]|\([^()\s]*+\))*+)"
                r"(?:\s++(?:\"[^\"]{0,1000}\"|'[^']{0,1000}'|\([^()]*+\)))?\s*+\)"
            ),
            r"\1",
        ),  # links
        (r"\[([^\[\]]+)\]\[[^\[\]\n]*\]", r"\1"),  # reference links
        (r"<((?:https?://|mailto:)[^<>\s]+)>", r"\1"),  # autolinks
        (r"</?[A-Za-z][^<>]{0,200}>", " "),  # tags
        (r"(?<!\\)(\*\*\*|\*\*|~~)(?=\S)(.{1,400}?)(?<=\S)\1", r"\2"),
        (r"(?<![\\\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\*(?![\w*])", r"\1"),
        (r"(?<![\\\w_])(__?)(?=[^\s_])(.{1,300}?)(?<=[^\s_])\1(?![\w_])", r"\2"),
        (r"(?<![ \t])[ \t]*+\{#[\w-]++\}[ \t]*+$", ""),  # heading anchors
    )
)
_CODE: Final = re.compile(r"(?<![`\\])(`{1,3})(?!`)(.{1,400}?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_STAND_IN: Final = re.compile("\ue000(\\d+)\ue001")
"""The number of a code span, between private characters, while the text around it is stripped."""


def strip_markup(markdown: str) -> str:
    """Return the words of a run of inline Markdown, without emphasis, links, code marks and HTML.

    >>> strip_markup("**Book** with [the desk](https://x.example 'x') or `cli`.")
    'Book with the desk or cli.'
    """
    return "".join(piece for piece, _ in strip_to_pieces(markdown))


def strip_to_pieces(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield what :func:`strip_markup` returns in pieces, each with whether it is code.

    >>> list(strip_to_pieces("**Call [`cli`](x)** now"))
    [('Call ', False), ('cli', True), (' now', False)]
    """
    codes: list[str] = []

    def stand_in(code: re.Match[str]) -> str:
        codes.append(code[2].strip())
        return f"\ue000{len(codes) - 1}\ue001"

    text = _CODE.sub(stand_in, markdown.replace("\ue000", "").replace("\ue001", ""))
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    # The odd ones of these pieces are the numbers of code spans.
    for index, piece in enumerate(_STAND_IN.split(html.unescape(_ESCAPE.sub(r"\1", text)))):
        if index % 2:
            yield codes[int(piece)], True
        elif piece:
            yield piece, False
