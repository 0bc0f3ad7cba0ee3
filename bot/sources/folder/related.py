"""A word that no document has, as words that the documents do have."""

from __future__ import annotations

from typing import Final

from .engine import Engine

_SHORTEST: Final = 5
"""Letters of a word that may be misspelt; shorter words are near to too many others."""
_PART: Final = 4
"""Letters of the shortest part of a compound."""
_LINKS: Final = ("", "s", "es", "n", "en")
"""What Germanic languages put between the parts."""
_SAME: Final = 2
"""Letters at the start that a misspelt word has right."""
_VOCABULARY: Final = 2000
_LONGER: Final = 5
"""Compounds that a word may stand for, by beginning them."""


def related(stem: str, engine: Engine) -> list[tuple[str, ...]]:
    """Terms for an unknown stem, each with its spellings; empty where nothing is near.

    The parts of a compound (``Hotelkosten`` → ``hotel``, ``kosten``), the compounds that it begins
    (``Reisekosten`` → ``reisekostenabrechnung``), else the words that differ by one slip of a finger.
    """
    if len(stem) < _SHORTEST or any(character.isdigit() for character in stem):
        return []
    if parts := _parts(stem, engine):
        return [(part,) for part in parts]
    if longer := engine.vocabulary(stem, _LONGER):
        return [tuple(longer)]
    near = [word for word in engine.vocabulary(stem[:_SAME], _VOCABULARY) if _one_slip(stem, word)]
    return [tuple(near)] if near else []


def _parts(stem: str, engine: Engine) -> tuple[str, str] | None:
    for place in range(len(stem) - _PART, _PART - 1, -1):
        head, tail = stem[:place], stem[place:]
        if not engine.frequency(tail):
            continue
        for link in _LINKS:
            bare = head.removesuffix(link)
            if len(bare) >= _PART and bare + link == head and engine.frequency(bare):
                return bare, tail
    return None


def _one_slip(one: str, other: str) -> bool:
    """Whether two words differ by one letter: missing, added, wrong, or two in the wrong order."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1 or one == other:
        return False
    place = next((at for at, letter in enumerate(one) if letter != other[at]), len(one))
    if len(one) < len(other):
        return one[place:] == other[place + 1 :]
    if one[place + 1 :] == other[place + 1 :]:
        return True
    swapped = one[place : place + 2][::-1] + one[place + 2 :]
    return swapped == other[place:]
