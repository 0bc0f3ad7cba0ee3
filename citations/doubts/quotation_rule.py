"""Quotations of a sentence that none of its passages has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .source_text import SourceText

LEAST_WORDS: Final = 5
_QUOTED: Final = re.compile(r"[“„]([^“”„]+)[“”]|(?<!\w)\"([^\"]+)\"(?!\w)|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›")
_LEFT_OUT: Final = re.compile(r"\[[^\[\]]*\]|…|\.\.\.+|\s{2,}|\d+")
_CHANGED: Final = re.compile(r"\[(\w)\](?=\w)")
"""A letter whose case was changed: ``[N]obody``."""
_WORD: Final = re.compile(r"\w+")


def find_doubtful_quotations(sentence: str, passages: Sequence[SourceText]) -> Iterator[str]:
    """The quotations of ``sentence`` with five words or more that none of ``passages`` has.

    What is left out of a quotation, or stands in brackets in it, need not be in the passage. Nor need its
    digits, which the rule of numbers compares.
    """
    if sentence.isascii() and '"' not in sentence:
        return
    for match in _QUOTED.finditer(sentence):
        quoted = match[match.lastindex or 0].strip()
        pieces = [_WORD.findall(piece.lower()) for piece in _LEFT_OUT.split(_CHANGED.sub(r"\1", quoted))]
        if sum(map(len, pieces)) < LEAST_WORDS:
            continue
        spaced = [f" {' '.join(piece)} " for piece in pieces if piece]
        if not any(all(piece in one.spaced for piece in spaced) for one in passages):
            yield quoted
