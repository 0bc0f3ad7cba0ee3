r"""Finds the words that a provider cites: its offsets count bytes, UTF-16 units or code points, or are wrong.

Most providers send the words with their offsets. The words are right, and the offsets are a hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from ..model.errors import Problem

_SHOWN: Final = 40
"""Characters of words that a problem quotes."""


class OffsetUnit(Enum):
    """What an offset counts. The value is the encoding that has such units, and bytes per unit."""

    CODE_POINTS = ("", 1)
    UTF_8 = ("utf-8", 1)
    UTF_16 = ("utf-16-le", 2)

    def code_points(self, text: str, offset: int) -> int | None:
        """``offset`` in code points of ``text``; None if it is outside, or inside a character."""
        encoding, width = self.value
        if not encoding or text.isascii():
            return offset if 0 <= offset <= len(text) else None
        encoded = text.encode(encoding, "surrogatepass")
        if not 0 <= offset * width <= len(encoded):
            return None
        try:
            before = encoded[: offset * width].decode(encoding, "surrogatepass")
        except UnicodeDecodeError:
            return None
        # Half of a pair can be decoded by itself.
        return len(before) if text.startswith(before) else None

    def length(self, text: str) -> int:
        """The length of ``text`` in this unit."""
        encoding, width = self.value
        return len(text.encode(encoding, "surrogatepass")) // width if encoding else len(text)


class TextRange(NamedTuple):
    """``text[start:end]``, in code points."""

    start: int
    end: int


def anchor_words(
    text: str, words: str, start: int, end: int | None = None, unit: OffsetUnit = OffsetUnit.CODE_POINTS
) -> TextRange | None:
    """The place of ``words`` in ``text``, near the provider's offsets ``start`` and ``end``.

    ``unit`` is what the provider's documentation says. It is tried first, then the other units, each also
    with an inclusive end. If no slice equals the words, they are where they occur nearest to ``start``.
    None if they don't occur. ``end`` is None where the provider gives none.

    >>> answer = "Zürich ist groß. Bern ist die Hauptstadt."
    >>> anchor_words(answer, "Bern ist die Hauptstadt.", 19, 43)
    TextRange(start=17, end=41)
    """
    for sought in dict.fromkeys((words, words.strip())):
        if sought and (
            found := _slice_of(text, sought, start, end, unit) or _nearest(text, sought, start, unit)
        ):
            return found
    return None


def place_span(
    text: str, start: int, end: int, unit: OffsetUnit = OffsetUnit.CODE_POINTS
) -> TextRange | None:
    """The place of a span without words; ``end`` is exclusive. None if it is no place in ``text``.

    An offset inside a character counts as the character's start.
    """
    first, last = (_floor(text, offset, unit) for offset in (start, end))
    return TextRange(first, last) if first is not None and last is not None and first <= last else None


def not_placed(path: str, words: str = "") -> Problem:
    """The problem of a citation without a place in the text. ``path`` is its JSON path."""
    about = f"the words {words[:_SHOWN]!r}" if words.strip() else "the place"
    return Problem(
        "citation-not-placed",
        path,
        f"{about} of a citation can't be found in the answer: it has no badge there",
    )


def _slice_of(text: str, words: str, start: int, end: int | None, unit: OffsetUnit) -> TextRange | None:
    """The place in the first unit in which the offsets give ``words``."""
    for one in dict.fromkeys((unit, *OffsetUnit)):
        first = one.code_points(text, start)
        if first is None or not text.startswith(words, first):
            continue
        if end is None or first + len(words) in _ends(text, end, one):
            return TextRange(first, first + len(words))
    return None


def _ends(text: str, end: int, unit: OffsetUnit) -> Iterator[int | None]:
    yield unit.code_points(text, end)
    yield unit.code_points(text, end + 1)


def _nearest(text: str, words: str, start: int, unit: OffsetUnit) -> TextRange | None:
    """The occurrence of ``words`` that begins nearest to the offset."""
    hint = _floor(text, start, unit)
    hint = len(text) if hint is None and start > 0 else hint or 0
    before, behind = text.rfind(words, 0, hint + len(words)), text.find(words, hint)
    found = [place for place in (before, behind) if place >= 0]
    place = min(found, key=lambda place: abs(place - hint), default=None)
    return None if place is None else TextRange(place, place + len(words))


def _floor(text: str, offset: int, unit: OffsetUnit) -> int | None:
    """``offset`` in code points, or the start of the character that it is in; None if it is outside."""
    if not 0 <= offset <= unit.length(text):
        return None
    found = (unit.code_points(text, offset - back) for back in range(min(offset, 3) + 1))
    return next((place for place in found if place is not None), None)
