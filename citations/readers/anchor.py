r"""Finds the words that a provider cites: its offsets count bytes, UTF-16 units or code points, or are wrong.

Most providers send the words with their offsets. The words are right, and the offsets are a hint.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import Final, NamedTuple

from ..model.errors import Problem

_BLOCK: Final = 1024
"""Characters that are measured at once."""
_FAR: Final = 65_536
"""Characters around an offset in which its words are looked for."""
_SHOWN: Final = 40
"""Characters of words that a problem quotes."""


class OffsetUnit(Enum):
    """What an offset counts, likelier ones first: the encoding that has such units, and bytes per unit."""

    CODE_POINTS = ("", 1)
    UTF_16 = ("utf-16-le", 2)
    UTF_8 = ("utf-8", 1)

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


class MeasuredText:
    """A text that may grow, in which an offset of any unit is found without measuring the text again."""

    def __init__(self, text: str = "") -> None:
        self._pieces = [text] if text else []
        self.length = len(text)
        """Code points so far."""
        self._marks: dict[OffsetUnit, list[int]] = {unit: [0] for unit in OffsetUnit}
        """The length before each block of :data:`_BLOCK` characters, in each unit."""

    @property
    def text(self) -> str:
        """The text so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def add(self, text: str) -> None:
        """Add the next piece."""
        self._pieces.append(text)
        self.length += len(text)

    def followed_by(self, text: str) -> MeasuredText:
        """The text with ``text`` behind it, which :meth:`add` will add."""
        longer = MeasuredText(self.text + text)
        longer._marks = self._marks
        return longer

    def code_points(self, offset: int, unit: OffsetUnit) -> int | None:
        """``offset`` in code points; None if it is outside, or inside a character."""
        text, marks = self.text, self._marks[unit]
        while len(marks) * _BLOCK <= len(text):
            start = (len(marks) - 1) * _BLOCK
            marks.append(marks[-1] + unit.length(text[start : start + _BLOCK]))
        number = max(0, bisect_right(marks, offset) - 1)
        start = number * _BLOCK
        found = unit.code_points(text[start : start + _BLOCK], offset - marks[number])
        return None if found is None else start + found

    def floor(self, offset: int, unit: OffsetUnit) -> int | None:
        """``offset`` in code points, or the start of the character that it is in; None if it is outside."""
        inside = self.code_points(offset, unit)
        if inside is not None or offset < 0:
            return inside
        found = (self.code_points(offset - back, unit) for back in range(1, min(offset, 3) + 1))
        place = next((place for place in found if place is not None), None)
        return None if place == self.length else place


class TextRange(NamedTuple):
    """``text[start:end]``, in code points."""

    start: int
    end: int


def anchor_words(
    text: str | MeasuredText,
    words: str,
    start: int,
    end: int | None = None,
    unit: OffsetUnit = OffsetUnit.CODE_POINTS,
) -> TextRange | None:
    """The place of ``words`` in ``text``, near the provider's offsets ``start`` and ``end``.

    ``unit`` is what the provider's documentation says. It is tried first, then the other units, each also
    with an inclusive end. If no slice equals the words, they are where they occur nearest to ``start``.
    None if they don't occur. ``end`` is None where the provider gives none.

    >>> answer = "Zürich ist groß. Bern ist die Hauptstadt."
    >>> anchor_words(answer, "Bern ist die Hauptstadt.", 19, 43)
    TextRange(start=17, end=41)
    """
    measured = text if isinstance(text, MeasuredText) else MeasuredText(text)
    for sought in dict.fromkeys((words, words.strip())):
        if sought and (
            found := _slice_of(measured, sought, start, end, unit) or _nearest(measured, sought, start, unit)
        ):
            return found
    return None


def place_span(
    text: str | MeasuredText, start: int, end: int, unit: OffsetUnit = OffsetUnit.CODE_POINTS
) -> TextRange | None:
    """The place of a span without words; ``end`` is exclusive. None if it is no place in ``text``.

    An offset inside a character counts as the character's start.
    """
    measured = text if isinstance(text, MeasuredText) else MeasuredText(text)
    first, last = (measured.floor(offset, unit) for offset in (start, end))
    return TextRange(first, last) if first is not None and last is not None and first <= last else None


def not_placed(path: str, words: str = "") -> Problem:
    """The problem of a citation without a place in the text. ``path`` is its JSON path."""
    about = f"the words {words[:_SHOWN]!r}" if words.strip() else "the place"
    return Problem(
        "citation-not-placed",
        path,
        f"{about} of a citation can't be found in the answer: it has no badge there",
    )


def _slice_of(
    measured: MeasuredText, words: str, start: int, end: int | None, unit: OffsetUnit
) -> TextRange | None:
    """The place in the first unit in which the offsets give ``words``."""
    for one in dict.fromkeys((unit, *OffsetUnit)):
        first = measured.code_points(start, one)
        if first is None or not measured.text.startswith(words, first):
            continue
        place = TextRange(first, first + len(words))
        if end is None or place.end in (measured.code_points(end, one), measured.code_points(end + 1, one)):
            return place
    return None


def _nearest(measured: MeasuredText, words: str, start: int, unit: OffsetUnit) -> TextRange | None:
    """The occurrence of ``words`` that begins nearest to the offset."""
    text, hint = measured.text, measured.floor(start, unit)
    hint = len(text) if hint is None and start > 0 else hint or 0
    before = text.rfind(words, max(0, hint - _FAR), hint + len(words))
    behind = text.find(words, hint, hint + _FAR + len(words))
    found = [place for place in (before, behind) if place >= 0]
    place = min(found, key=lambda place: abs(place - hint), default=None)
    return None if place is None else TextRange(place, place + len(words))
