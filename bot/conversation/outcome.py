"""The reasons why an answer ends before it is complete, with their sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ..languages import Sentence
from ..sources import SourceError


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reason why an answer ended; ``name`` is for the log.

    ``message`` is sent where there is no text of the answer, unless another answer says it (``is_said``).
    ``suffix`` goes below the text otherwise.
    """

    name: str
    message: Sentence
    suffix: Sentence
    is_said: bool = False


STOPPED: Final = Outcome("stopped", Sentence.STOPPED, Sentence.STOPPED_SUFFIX)
STOPPED_TOO: Final = replace(STOPPED, is_said=True)
TOO_SLOW: Final = Outcome("too slow", Sentence.TOO_SLOW, Sentence.TOO_SLOW_SUFFIX)
CRASHED: Final = Outcome("crashed", Sentence.CRASHED, Sentence.CRASHED_SUFFIX)
BUSY: Final = Outcome("busy", Sentence.BUSY, Sentence.BUSY_SUFFIX)
CLOSING: Final = Outcome("closing", Sentence.CLOSING, Sentence.CLOSING_SUFFIX)
UNREADABLE: Final = Outcome("unreadable", Sentence.UNREADABLE, Sentence.UNREADABLE_SUFFIX)


def find_outcome(error: SourceError) -> Outcome:
    """The outcome with the sentences of ``error``."""
    return Outcome("source failed", error.message, error.suffix)
