"""The markers of a text: pairs of brackets that may name a reference.

:mod:`.positions` decides which of them do, because references may arrive after the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..markdown import Bracket, Inline, InlineSpan, Layout
from ..model.dialect import Dialect
from .grammar import Key, Marker, Names, split_numbered

_BETWEEN: Final = re.compile(r"[\s,;]*")
_DIGIT: Final = re.compile(r"\d")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|//|www\.", re.IGNORECASE)


def find_markers(layout: Layout, dialect: Dialect | None = None) -> tuple[Marker, ...]:
    """The markers of a text in the order of their start, an outer one before the inner.

    ``dialect`` None finds all dialects, and :attr:`Dialect.NONE` finds none. An escaped bracket is no
    marker. Nor is one in code, HTML, an image or a link definition, where CommonMark shows no brackets.
    """
    found: list[Marker] = []
    if dialect is Dialect.NONE:
        return ()
    for inline in layout.inlines:
        if inline.brackets:
            found.extend(markers_of(inline, dialect))
    return tuple(found)


def markers_of(inline: Inline, dialect: Dialect | None) -> list[Marker]:
    """The markers of one inline text, or of a settled part of it."""
    if dialect is Dialect.NONE:
        return []
    images = [span for span in inline.spans if span.kind == "image"]
    links, numbers = dialect is not Dialect.NUMBERED, dialect is not Dialect.NAMED_LINK
    markers: list[Marker] = []
    numbered: list[tuple[int, int, Marker]] = []
    for bracket in inline.brackets:
        if not (
            bracket.link or bracket.lenient or _DIGIT.search(inline.content, bracket.start, bracket.close)
        ):
            continue
        if images and _is_inside(bracket.start, images):
            continue
        inside = inline.content[bracket.start + 1 : bracket.close - 1]
        if links or (bracket.link and split_numbered(_unwrap(inside))):
            markers.extend(_find_named(inline, bracket, inside))
        if numbers:
            _add_numbered(numbered, inline, bracket, inside)
    markers.extend(marker for _, _, marker in numbered)
    if formulas := [span for span in inline.spans if span.kind == "formula"]:
        markers = [_behind_formula(marker, inline, formulas) for marker in markers]
    markers.sort(key=lambda marker: (marker.start, -marker.keys[0].end))
    return markers


def _behind_formula(marker: Marker, inline: Inline, formulas: list[InlineSpan]) -> Marker:
    """``marker`` with the rest of the formula around it, if it stands in one.

    A formula in the lines of a quote doesn't count.
    """
    before = bisect_right(formulas, marker.start, key=lambda span: inline.place(span.start)) - 1
    if before < 0:
        return marker
    formula = formulas[before]
    start, end = inline.place(formula.start), inline.place_end(formula.end)
    whole = end - start == formula.end - formula.start
    if not whole or not start <= marker.start or max(key.end for key in marker.keys) > end:
        return marker
    return replace(marker, rest=inline.content[formula.start + marker.start - start : formula.end])


def _is_inside(offset: int, spans: list[InlineSpan]) -> bool:
    before = bisect_right(spans, offset, key=lambda span: span.start)
    return before > 0 and offset < spans[before - 1].end


def _unwrap(inside: str) -> str:
    """The inside of ``[1]`` in ``[[1]](url)``, by which some models link a number to its source."""
    return inside[1:-1] if inside.startswith("[") and inside.endswith("]") else inside


def _find_named(inline: Inline, bracket: Bracket, inside: str) -> Iterator[Marker]:
    tails = ((bracket.link,) if bracket.link else ()) + bracket.lenient
    keys = tuple(Key((tail.target,), inline.place_end(tail.end), tail.target) for tail in tails)
    if keys:
        yield Marker(dialect=Dialect.NAMED_LINK, start=inline.place(bracket.start), keys=keys, name=inside)


def _add_numbered(
    numbered: list[tuple[int, int, Marker]], inline: Inline, bracket: Bracket, inside: str
) -> None:
    """Add the marker of this pair, or extend the marker inside it: ``[[1]]``, ``[[1], [2]]``."""
    if bracket.link and _SCHEME.match(bracket.link.target):
        # `[1](https://elsewhere)` is a link with the text 1, not a citation.
        return
    if parts := split_numbered(inside):
        marker = _read_numbered(inline, bracket, parts[0], parts[1])
        numbered.append((bracket.start, bracket.close, marker))
        return
    wrapped: list[tuple[int, int, Marker]] = []
    edge = bracket.close - 1
    while numbered and numbered[-1][0] > bracket.start:
        if not _BETWEEN.fullmatch(inline.content, numbered[-1][1], edge):
            break
        edge = numbered[-1][0]
        wrapped.append(numbered.pop())
    if wrapped and _BETWEEN.fullmatch(inline.content, bracket.start + 1, edge):
        markers = [marker for _, _, marker in reversed(wrapped)]
        names = tuple((key.spellings, key.shown) for marker in markers for key in marker.keys)
        locator = "; ".join(marker.locator for marker in markers if marker.locator)
        numbered.append((bracket.start, bracket.close, _read_numbered(inline, bracket, names, locator)))
    else:
        numbered.extend(reversed(wrapped))


def _read_numbered(inline: Inline, bracket: Bracket, names: Names, locator: str) -> Marker:
    end = inline.place_end(bracket.close)
    return Marker(
        dialect=Dialect.NUMBERED,
        start=inline.place(bracket.start),
        keys=tuple(Key(spellings, end, shown) for spellings, shown in names),
        locator=locator,
    )
