"""The limits of reading one file, and the reasons to skip a file that is beyond them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """What reading one file may cost the process that reads: seconds of the processor, and bytes of memory.

    A process that takes none of the processor for so many seconds hangs.
    """

    seconds: float = 30.0
    memory: int = 400_000_000

    @property
    def too_slow(self) -> str:
        """The reason for a file that takes too long."""
        return f"it takes longer than {self.seconds:g} s to read"

    @property
    def too_hungry(self) -> str:
        """The reason for a file that needs too much memory."""
        return f"it needs more than {self.memory // 1_000_000} MB of memory to read"


CRASHED = "it makes its reader crash"
"""The reason for a file in which the process ended that read it."""
