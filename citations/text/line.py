"""Text of others as one line that people see: names, titles, beginnings of passages."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import Final

from .grapheme import divides

MAX_TITLE: Final = 120
"""Characters of a title. Web Chat shows about 60 in a row of its list."""
_INVISIBLE: Final = re.compile(
    # Controls, lone surrogates, bidi controls, zero-width characters, tags, interlinear annotations and
    # private use. Scripts and emoji need the two joiners, so they are missing here.
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00"
    "\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_OPENS: Final = re.compile(r'(?:^|(?<=[\s(\[{“‘«—–-]))"')
_PAIRED: Final = re.compile(r"(\*\*|__|~~|(?<!`)`++)(?=\S)(.+?)(?<=\S)\1")
"""Emphasis and code, whose delimiters are removed without a gap: "in **three days**." ends in "days"."""
_MARKUP: Final = re.compile(r"!(?=\[)|[<>\[\]`]|[*_~|#]{2,}|(?:^|(?<=\s))[#>*|-]+(?=\s|\Z)")
_SIGNS: Final = re.compile(r"[!<>\[\]`*_~|#-]")


def clean_name(name: str, limit: int = MAX_TITLE) -> str:
    """``name`` as one line of visible text in NFC, truncated at a word to ``limit`` characters.

    Straight double quotes become curly ones, so that a title needs no escapes.
    """
    name = name[: limit * 20]
    if not name.isascii() or not name.isprintable():
        name = _INVISIBLE.sub(lambda match: " " if match[0].isspace() else "", name)
        name = unicodedata.normalize("NFC", name)
    if '"' in name:
        name = _OPENS.sub("“", name).replace('"', "”")
    return clip(" ".join(name.split()), limit)


def clip(text: str, limit: int, ellipsis: str = "…") -> str:
    """``text`` truncated at a word to at most ``limit`` characters, including the ellipsis."""
    if len(text) <= limit:
        return text
    most = limit - len(ellipsis)
    cut = text.rfind(" ", 0, most + 1)
    if cut < most // 2:
        cut = most
        while divides(text, cut):
            cut -= 1
    return text[:cut].rstrip() + ellipsis


def write_abstract(text: str, length: int) -> str:
    """The first ``length`` characters of ``text`` as one line, without Markdown and HTML syntax."""
    beginning = unescape(text[:length])
    if _SIGNS.search(beginning):
        beginning = _MARKUP.sub(" ", _PAIRED.sub(r"\2", beginning))
    return clean_name(beginning, length)
