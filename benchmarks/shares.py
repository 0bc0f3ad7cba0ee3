"""Shares with their intervals, of what stands alone and of what is alike within a document."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

_SEED = 20


class Counted(NamedTuple):
    """``part`` of ``whole``, with the two for each document."""

    groups: tuple[tuple[int, int], ...]

    @property
    def part(self) -> int:
        return sum(part for part, _ in self.groups)

    @property
    def whole(self) -> int:
        return sum(whole for _, whole in self.groups)

    def __str__(self) -> str:
        if not self.whole:
            return "none"
        alone = all(whole <= 1 for _, whole in self.groups)
        # No draw of documents has what none of them has.
        low, high = self._wilson() if alone or self.part in (0, self.whole) else self._bootstrap()
        share = f"{self.part / self.whole:.1%}"
        return f"{share} ({self.part} of {self.whole}; {low:.1%} to {high:.1%})"

    def _wilson(self) -> tuple[float, float]:
        """Wilson's interval with 95 % confidence."""
        z, n, p = 1.96, self.whole, self.part / self.whole
        middle, width = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (middle - width) / (1 + z * z / n)), min(1.0, (middle + width) / (1 + z * z / n))

    def _bootstrap(self) -> tuple[float, float]:
        """The interval of 2,000 draws of documents: claims of one document are alike."""
        dice = random.Random(_SEED)
        shares = []
        for _ in range(2000):
            drawn = dice.choices(self.groups, k=len(self.groups))
            whole = sum(one for _, one in drawn)
            shares.append(sum(part for part, _ in drawn) / whole if whole else 0)
        shares.sort()
        return shares[50], shares[1950]


def count(found: Iterable[tuple[str, bool]]) -> Counted:
    """Count what is true, for each group."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for group, one in found:
        groups[group].append(one)
    return Counted(tuple((sum(ones), len(ones)) for ones in groups.values()))
