"""What a process that reads is asked, and the limits of reading one file, with the reasons to skip it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


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


LONGEST_TEXT: Final = 10_000_000
"""Characters of about 5,000 printed pages, which one person can't have written as one document."""
CRASHED = "it makes its reader crash"
"""The reason for a file in which the process ended that read it."""
TEXT: Final = "text"
"""The request for a file's text: its record, whether its bytes are new ones, and its passages' records."""
LABELS: Final = "labels"
"""The request for the labels in a file's metadata: their ids."""
TOO_HUNGRY: Final = 7
"""The exit code of a child whose file needs more memory than there is."""
