"""A partial marker at the end of a truncated answer: ``[Acme-Product-Cat``, ``[1``, ``【3:0†so``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ..markdown import Inline, Layout
from ..model.citation import Use
from ..model.dialect import Dialect
from .grammar import PLACE, Marker

_LONGEST: Final = 300
"""Characters of a partial marker. Anything longer is text."""
_LONGEST_NUMBERED: Final = 120
_WORDS: Final = ("docs", "documents", "sources", "refs", "references")
_ESCAPED: Final = re.compile(r"\\[!-/:-@\[-`{-~]")
_WIDE: Final = re.compile(r"[【［][^\[\]【】［］]*\Z")
_TARGET: Final = re.compile(r"\]\([^()\n]*\Z")
_WRAPPED: Final = re.compile(r"\[(?:\[[^\[\]]*\][\s,;]*)+\Z")
_WRAPPED_REST: Final = re.compile(r"(?:\[[^\[\]]*\][\s,;]*)*\s*")
_NUMBERED: Final = re.compile(
    r"[ \t]*(?P<word>[A-Za-z]*)(?P<sign>[ \t]*[.:]?[ \t]*\#?[ \t]*)"
    rf"(?P<rest>\d{{1,9}}(?:[ \t]*(?:[\#,;:&†–—-].*|an?d?|and\b.*|(?:{PLACE}|§).*)?)?)?",
    re.IGNORECASE | re.DOTALL,
)


def find_half_marker(layout: Layout, dialect: Dialect | None) -> Use | None:
    """The partial marker at the end of a text, as a use that shows nothing; None if there is none.

    ``dialect`` None finds partial markers of all dialects, and :attr:`Dialect.NONE` finds none. None is
    found in code, nor behind an open code span.
    """
    if dialect is Dialect.NONE:
        return None
    inline = layout.inlines[-1] if layout.inlines else None
    # A target follows its bracket directly, without a space or line break.
    behind = layout.text[inline.place_end(len(inline.content)) :] if inline else "\n"
    if inline is None or behind.strip(" \t"):
        return None
    tail = _tail(inline)
    found = _half(tail + behind, dialect)
    if found is None or "`" in tail[: found[0]]:
        return None
    before = len(inline.content) - len(tail)
    start, end = (min(before + place, len(inline.content)) for place in found)
    return Use(inline.place(start), inline.place_end(end), (), "")


def ends_text(text: str, half: Use) -> bool:
    """Whether nothing stands behind the partial marker ``half`` but the markers that its bracket wraps."""
    return _WRAPPED_REST.fullmatch(text, half.end) is not None


def outside(markers: Iterable[Marker], halves: Iterable[Use]) -> Iterator[Marker]:
    """The markers that overlap none of ``halves``."""
    taken = tuple(halves)
    return (
        marker
        for marker in markers
        if not any(half.start < marker.keys[0].end and marker.start < half.end for half in taken)
    )


def _tail(inline: Inline) -> str:
    """The end of a text, in which other characters replace brackets that belong to no marker."""
    start = max(0, len(inline.content) - _LONGEST)
    tail = inline.content[start:]
    for span in reversed(inline.spans):
        if span.end <= start:
            break
        first, last = max(span.start, start) - start, span.end - start
        tail = f"{tail[:first]}{'x' * (last - first)}{tail[last:]}"
    return _ESCAPED.sub("xx", tail)


def _half(tail: str, dialect: Dialect | None) -> tuple[int, int] | None:
    """The start and end of the partial marker in ``tail``."""
    numbers, names = dialect is not Dialect.NAMED_LINK, dialect is not Dialect.NUMBERED
    if numbers and (wide := _WIDE.search(tail)) and _is_numbered(tail[wide.start() + 1 :]):
        return wide.start(), len(tail)
    if names:
        target = _TARGET.search(tail)
        # `[name]` without its target is complete only in a dialect without targets.
        close = target.start() if target else len(tail) - 1 if tail.endswith("]") else -1
        named = dialect is Dialect.NAMED_LINK or target
        if close >= 0 and named and (start := _opener(tail[:close])) >= 0:
            return start, len(tail)
    start = _opener(tail)
    if start < 0:
        return None
    if numbers and _WRAPPED.match(tail, start):
        return start, start + 1
    return (start, len(tail)) if names or _is_numbered(tail[start + 1 :]) else None


def _opener(tail: str) -> int:
    """The offset of the last ``[`` that no ``]`` closes; -1 if there is none."""
    closed = 0
    for place in range(len(tail) - 1, -1, -1):
        if tail[place] == "]":
            closed += 1
        elif tail[place] == "[":
            if not closed:
                return place
            closed -= 1
    return -1


def _is_numbered(inside: str) -> bool:
    """Whether ``inside`` may be the beginning of ``[1, 2]``, ``[Source #1]`` or ``[1, p. 6]``."""
    found = _NUMBERED.fullmatch(inside) if len(inside) <= _LONGEST_NUMBERED else None
    if found is None:
        return False
    word = found["word"].lower()
    if found["sign"] or found["rest"]:
        return word in {"", *_WORDS, *(one.removesuffix("s") for one in _WORDS)}
    return any(one.startswith(word) for one in _WORDS)
