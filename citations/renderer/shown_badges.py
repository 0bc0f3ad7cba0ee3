"""The badges that a text which grows shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..model.citation import Citation

_BADGE: Final = re.compile(r"\[(\d+)\]")
_LONGEST: Final = len("[20]")


class ShownBadges:
    """Reads a text that only grows at its end, each character once."""

    def __init__(self) -> None:
        self._numbers: set[int] = set()
        self._length = 0

    def choose(self, citations: Sequence[Citation], text: str, end: str = "") -> tuple[Citation, ...]:
        """Those of ``citations`` whose badge stands in ``text``, or in ``end``, which may change."""
        self._numbers.update(map(int, _BADGE.findall(text, max(0, self._length - _LONGEST))))
        self._length = len(text)
        shown = self._numbers.union(map(int, _BADGE.findall(end)))
        return tuple(citation for citation in citations if citation.position in shown)
