"""Reads inline Markdown as the library does, and writes a document's words as such without active content.

A document's text must not become a marker, a link or an image of the answer. So every character that
Markdown interprets becomes an HTML entity, which shows as that character. Code stays code, in which
Markdown interprets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from citations.markdown import (
    Break,
    Code,
    Formula,
    Mark,
    Marker,
    MarkerKind,
    MarkerReader,
    Text,
    Typed,
    Where,
    escape_text,
    read_inline,
)

from ..document import LOST, Markup, find_fence
from .passage import Passage

CUT: Final = "…"
"""What stands where something is left out."""
_SPACE: Final = re.compile(r"\s+")
_CELL: Final = re.compile(r"(?<!\\)\|")
_OPTION: Final = re.compile(r"(?<![\w-])--(?=\w)")
"""The hyphens of ``--verbose``, which Web Chat's typographer would make a dash."""
_ANCHOR: Final = re.compile(r"(?<![ \t])[ \t]*+\{#[\w-]++\}[ \t]*+$")
_TAG: Final = re.compile(r"</?[A-Za-z]")
_OPENING: Final = {"$$": "$$", "\\)": "(", "\\]": "["}
"""What stands before a formula, by what ends it. In a document, ``\\[`` is mostly an escaped bracket."""

_UNSEEN: Final = re.compile(
    # A tag of Hugo that has the words of a link; a template's part of its address; the sign of a footnote;
    # the name of a file in place of a picture's words; the attributes behind a link, which kramdown and
    # Pandoc give it. Code stays as it is.
    r"""(?P<code>(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`))
    |\{\{[<%][^{}]{0,200}?\btext="(?P<text>[^"{}]*)"[^{}]{0,200}[>%]\}\}
    |(?<=\]\()\{[{%][^{}\n]{0,200}[}%]\}
    |(?<=[\w.,;:!?)”“"’»*_])\[\^[\w-]{1,40}\](?!:)
    |(?<=!\[)[^\[\]\n]{1,100}\.(?:png|jpe?g|gif|svg|webp)(?=\])
    |(?<=[)\]*_`])\{:?[ \t]*+
      (?:(?:[.\#][\w:-]++|[\w:-]++=(?:"[^"\n]*+"|'[^'\n]*+'|[^\s{}"']++))[ \t]*+)++\}""",
    re.VERBOSE | re.IGNORECASE,
)
"""What a site shows of none of its sentences, or as other words."""


def strip_markup(markdown: str) -> str:
    """The words of a run of inline Markdown, without emphasis, links, code marks and HTML.

    >>> strip_markup("**Book** with [the desk](https://x.example 'x') or `cli`.")
    'Book with the desk or cli.'
    """
    return "".join(piece for piece, _ in strip_to_pieces(markdown))


def write_headings(passage: Passage) -> str:
    """Write the title of a passage's document and the headings above it; empty where there are none."""
    headings = map(strip_markup, (passage.title or "", *passage.headings))
    # A document's title often is its first heading.
    distinct = dict.fromkeys(" ".join(heading.split()) for heading in headings)
    return " › ".join(filter(None, distinct))


def strip_to_pieces(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield what :func:`strip_markup` returns in pieces, each with whether it is code.

    >>> list(strip_to_pieces("**Call [`cli`](x)** now"))
    [('Call ', False), ('cli', True), (' now', False)]
    """
    if any(sign in markdown for sign in ("{", "[^", "![")):
        markdown = _UNSEEN.sub(lambda sign: sign["code"] or sign["text"] or "", markdown)
    for is_code, pieces in groupby(_read_pieces(markdown), itemgetter(1)):
        yield "".join(words for words, _ in pieces), is_code


def find_pairs(markdown: str) -> Iterator[tuple[Mark, Mark]]:
    """Yield the marks at which emphasis and links begin and end in the inline Markdown of a paragraph."""
    opened: list[Mark] = []
    for node in read_inline(markdown, _ReferenceLinks()):
        if isinstance(node, Mark) and node.opens:
            opened.append(node)
        elif isinstance(node, Mark) and opened:
            yield opened.pop(), node


def _read_pieces(markdown: str) -> Iterator[tuple[str, bool]]:
    for node in read_inline(_ANCHOR.sub("", markdown), _ReferenceLinks()):
        match node:
            case Code(text):
                yield text.strip(), True
            case Text(text):
                yield text, False
            case Typed(_, words):
                yield " " if _TAG.match(words) else words, False
            case Formula(closing, text):
                yield f"{_OPENING[closing]}{text}{closing[-len(_OPENING[closing]) :]}", False
            case Break(hard):
                yield " " if hard else "\n", False
            case Marker(title=words):
                yield from _read_pieces(words)


class _ReferenceLinks(MarkerReader):
    """Finds reference links, whose definitions may stand elsewhere in the document."""

    _alone = -1
    """Where the last brackets end that no label follows."""

    def number(self, inside: str, start: int, end: int, *, where: Where = Where.TEXT) -> None:  # noqa: ARG002
        self._alone = end

    def reference(self, inside: str, label: str, start: int, end: int) -> Marker | None:  # noqa: ARG002
        if start == self._alone or "[" in inside:
            return None
        # Where the words were read before, the marker stands behind them.
        return Marker(MarkerKind.NAME, (), start, end, title="" if start == end else inside)


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
