"""This module has the limits of reading one file, and the reasons to skip a file that is beyond them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """What reading one file may cost, and what may come of it.

    ``seconds`` are those of the clock, and ``memory`` counts the bytes of the process that reads.
    ``characters`` are about 5,000 printed pages, which one person can't have written as one document.
    ``passages`` are what such a text has. Both keep one file from filling the index.
    """

    seconds: float = 30.0
    memory: int = 512_000_000
    characters: int = 10_000_000
    passages: int = 20_000

    @property
    def too_slow(self) -> str:
        """The reason for a file that takes too long."""
        return f"it takes longer than {self.seconds:g} s to read"

    @property
    def too_hungry(self) -> str:
        """The reason for a file that needs too much memory."""
        return f"it needs more than {self.memory // 1_000_000} MB of memory to read"

    @property
    def too_long(self) -> str:
        """The reason for a file with too much text."""
        return f"it has too much text (the limit is {self.characters:,} characters)"

    @property
    def too_many(self) -> str:
        """The reason for a file with too many passages."""
        return f"it has too many passages (the limit is {self.passages:,})"


CRASHED = "it makes its reader crash"
"""The reason for a file in which the process ended that read it."""
