"""Writes units of one text on one line of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

from ..document import Markup
from .inline import CUT, find_pairs, write_inline
from .passage import Passage
from .sentences import Unit

_BULLET: Final = re.compile(
    r"\A(?P<mark>[-*+•‣▪◦–—o]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_MARK: Final = re.compile(r"[*_~\[\]]")
_SENTENCE_END: Final = re.compile(r"""[.!?…。！？｡।॥؟۔:][]"'”’»)*_`」』）]*$""")
_QUOTED: Final = re.compile(r"(?:^|\n)[ \t]*(?:>[ \t]?)+")
_HAIR_SPACE: Final = "\u200a"
"""White space that is hardly visible. Emphasis begins and ends beside white space (CommonMark § 6.2)."""


def join_units(
    passage: Passage, units: Sequence[Unit], shown: Set[Unit], highlighted: Sequence[Unit] = ()
) -> str:
    """Write what is shown of the units of one text on one line, with ``…`` where others are left out.

    White space stands between them where the document has some.
    """
    line, end, was_bold, is_cut = "", 0, False, False
    for unit in units:
        words = _write_words(passage, unit) if unit in shown else ""
        if words:
            is_bold = unit in highlighted
            # Chinese and Japanese have no space between sentences.
            space = " " if unit.start > end else _HAIR_SPACE * (is_bold or was_bold)
            line += f"{space * bool(line)}{CUT} " if is_cut else space * bool(line)
            line += f"**{words}**" if is_bold else words
            end, was_bold, is_cut = unit.end, is_bold, False
        is_cut = is_cut or unit not in shown
    return mark_cuts(line, False, is_cut) if line else line


def mark_cuts(line: str, is_cut_before: bool, is_cut_after: bool) -> str:
    """Write ``…`` at the ends of a line where it is cut, unless it stands there already."""
    before = f"{CUT} " * (is_cut_before and not line.lstrip("*").startswith(CUT))
    return before + line + f" {CUT}" * (is_cut_after and not line.rstrip("*").endswith(CUT))


def _write_words(passage: Passage, unit: Unit) -> str:
    """Write a sentence or an item on one line, without its bullet."""
    text = read_text(passage, unit)
    if passage.markup is Markup.MARKDOWN:
        text = _QUOTED.sub(" ", _drop_half_pairs(passage, unit)).strip()
    if unit.kind == "item" and unit.opens:
        text = _BULLET.sub("", text)
    return write_inline(text, passage.markup)


def _drop_half_pairs(passage: Passage, unit: Unit) -> str:
    """The text of a unit without the marks of emphasis and links whose partner stands in another sentence."""
    text = read_text(passage, unit)
    if unit.kind not in ("sentence", "item") or not _MARK.search(text):
        return text
    first, last = find_opening(passage, unit), _find_end(passage, unit)
    if first == last:
        return text
    offset = unit.start - first.start
    halves: list[tuple[int, int]] = []
    for pair in find_pairs(passage.text[first.start : last.end]):
        places = [(mark.start - offset, mark.end - offset) for mark in pair]
        inside = [(start, end) for start, end in places if start >= 0 and end <= len(text)]
        halves += inside if len(inside) == 1 else []
    for start, end in sorted(halves, reverse=True):
        text = text[:start] + text[end:]
    return text


def find_opening(passage: Passage, unit: Unit) -> Unit:
    """The first unit of the paragraph, item, row or code of a unit, as far as the passage has it.

    A paragraph that begins with a small letter goes on with the sentence above it.
    """
    place = passage.units.index(unit)
    while place and _goes_on(passage, passage.units[place - 1], passage.units[place]):
        place -= 1
    return passage.units[place]


def _find_end(passage: Passage, unit: Unit) -> Unit:
    """The last unit of the paragraph, item, row or code of a unit."""
    place = passage.units.index(unit)
    while place + 1 < len(passage.units) and _goes_on(passage, *passage.units[place : place + 2]):
        place += 1
    return passage.units[place]


def _goes_on(passage: Passage, before: Unit, unit: Unit) -> bool:
    are_sentences = before.kind == unit.kind == "sentence"
    return not unit.opens or (are_sentences and passage.text[unit.start].islower())


def is_whole(passage: Passage, unit: Unit) -> bool:
    """Whether a unit ends as a sentence does."""
    return unit.kind in ("sentence", "item") and bool(_SENTENCE_END.search(read_text(passage, unit)))


def read_bullet(passage: Passage, unit: Unit) -> str:
    """The sign or number before an item, such as ``•``, ``2.`` or ``(a)``; empty for other units."""
    bullet = _BULLET.match(read_text(passage, unit)) if unit.kind == "item" and unit.opens else None
    return bullet["mark"] if bullet else ""


def read_text(passage: Passage, unit: Unit) -> str:
    """The text of a unit, as the document has it."""
    return passage.text[unit.start : unit.end]
