"""Pairs the delimiters of emphasis (CommonMark § 6.2, and the appendix's "process emphasis")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from unicodedata import category

from .tree import Mark, MarkKind, Node, Text

PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
"""What a backslash escapes (CommonMark § 2.4)."""

MAX_EMPHASIS: Final = 1000
"""Characters of emphasis. Longer text has none, so that a stream waits no longer for its end."""


class Delimiters:
    """A run of ``*``, ``_`` or ``~~``, and what it became part of."""

    __slots__ = ("char", "closes", "closing", "end", "length", "opening", "opens", "place", "size", "start")

    def __init__(self, source: str, start: int, end: int, place: int) -> None:
        self.char = char = source[start]
        self.length = self.size = end - start
        self.start, self.end = start, end
        self.place = place
        """The index in the nodes at which the run stands."""
        before, after = source[start - 1 : start] or " ", source[end : end + 1] or " "
        signs = _is_punctuation(before), _is_punctuation(after)
        left = not after.isspace() and (not signs[1] or before.isspace() or signs[0])
        right = not before.isspace() and (not signs[0] or after.isspace() or signs[1])
        # "It is part of a left-flanking delimiter run and either (a) not part of a right-flanking delimiter
        # run or (b) … preceded by a Unicode punctuation character."
        self.opens = left and (char != "_" or not right or signs[0])
        self.closes = right and (char != "_" or not left or signs[1])
        self.opening: list[MarkKind] = []
        self.closing: list[MarkKind] = []

    def nodes(self) -> list[Node]:
        """The marks that the run became, and what is left of it as text."""
        nodes: list[Node] = []
        place = self.start
        for kind in self.closing:
            end = place + (1 if kind is MarkKind.EMPHASIS else 2)
            nodes.append(Mark(kind, False, place, end))
            place = end
        if self.length:
            nodes.append(Text(self.char * self.length, place, place + self.length))
            place += self.length
        for kind in reversed(self.opening):
            end = place + (1 if kind is MarkKind.EMPHASIS else 2)
            nodes.append(Mark(kind, True, place, end))
            place = end
        return nodes


def pair(runs: Sequence[Delimiters]) -> tuple[list[tuple[Delimiters, Delimiters]], list[Delimiters]]:
    """Pair ``runs``. Returns the pairs, and the runs that may still be opened by what follows."""
    active: list[Delimiters] = []
    pairs: list[tuple[Delimiters, Delimiters]] = []
    bottoms: dict[tuple[str, int, bool], int] = {}
    """By kind of closer, the number of active runs below which no opener is."""
    for closer in runs:
        key = (closer.char, closer.size % 3, closer.opens)
        while closer.closes and closer.length:
            place = _find_opener(active, closer, bottoms.get(key, 0))
            if place < 0:
                bottoms[key] = len(active)
                break
            opener = active[place]
            del active[place + 1 :]
            for other, bottom in bottoms.items():
                bottoms[other] = min(bottom, place + 1)
            _join(opener, closer)
            pairs.append((opener, closer))
            if not opener.length:
                active.pop()
        if closer.opens and closer.length:
            active.append(closer)
    return pairs, active


def _find_opener(active: Sequence[Delimiters], closer: Delimiters, bottom: int) -> int:
    """The index of the last active run that ``closer`` closes; -1 if there is none from ``bottom`` on."""
    for place in range(len(active) - 1, bottom - 1, -1):
        opener = active[place]
        if closer.start - opener.end > MAX_EMPHASIS:
            return -1
        if opener.char != closer.char:
            continue
        if opener.char == "~":
            if opener.length == closer.length:
                return place
            continue
        # "If one of the delimiters can both open and close …, the sum of the lengths … must not be a
        # multiple of 3 unless both lengths are multiples of 3."
        both = opener.closes or closer.opens
        if not (both and (opener.size + closer.size) % 3 == 0 and (opener.size % 3 or closer.size % 3)):
            return place
    return -1


def _join(opener: Delimiters, closer: Delimiters) -> None:
    count = 2 if opener.length >= 2 and closer.length >= 2 else 1
    strong = MarkKind.STRONG if count == 2 else MarkKind.EMPHASIS
    kind = MarkKind.STRUCK if opener.char == "~" else strong
    opener.opening.append(kind)
    closer.closing.append(kind)
    opener.length -= count
    closer.length -= count


def _is_punctuation(char: str) -> bool:
    return char in PUNCTUATION or (char > "\x7f" and category(char)[0] in "PS")
