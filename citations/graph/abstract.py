"""The beginning of a passage as plain text. Clients may show it as text or read it as Markdown."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from ..model.link_definition import clean_name

_PAIRED: Final = re.compile(r"(\*\*|__|~~|(?<!`)`++)(?=\S)(.+?)(?<=\S)\1")
"""Emphasis and code, whose delimiters are removed without a gap: "in **three days**." ends in "days"."""
_MARKUP: Final = re.compile(r"!(?=\[)|[<>\[\]`]|[*_~|#]{2,}|(?:^|(?<=\s))[#>*|-]+(?=\s|\Z)")
_SIGNS: Final = re.compile(r"[!<>\[\]`*_~|#-]")


def write_abstract(text: str, length: int) -> str:
    """The first ``length`` characters of ``text`` as one line, without Markdown and HTML syntax."""
    beginning = unescape(text[:length])
    if _SIGNS.search(beginning):
        beginning = _MARKUP.sub(" ", _PAIRED.sub(r"\2", beginning))
    return clean_name(beginning, length)
