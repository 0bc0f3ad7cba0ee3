"""Why an answer ended before it was complete, and how the person is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..messages import Sentence
from ..sources import SourceError


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why an answer ended: ``name`` is for the log.

    ``message`` is the whole message where nothing of the answer was there; ``suffix`` is the line
    below what was.
    """

    name: str
    message: Sentence
    suffix: Sentence


STOPPED: Final = Outcome("stopped", Sentence.STOPPED, Sentence.STOPPED_SUFFIX)
TOO_SLOW: Final = Outcome("too slow", Sentence.TOO_SLOW, Sentence.TOO_SLOW_SUFFIX)
CRASHED: Final = Outcome("crashed", Sentence.CRASHED, Sentence.CRASHED_SUFFIX)
BUSY: Final = Outcome("busy", Sentence.BUSY, Sentence.BUSY_SUFFIX)
CLOSING: Final = Outcome("closing", Sentence.CLOSING, Sentence.CLOSING_SUFFIX)
UNREADABLE: Final = Outcome("unreadable", Sentence.UNREADABLE, Sentence.UNREADABLE_SUFFIX)


def outcome_of_error(error: SourceError) -> Outcome:
    """The outcome with the sentences of ``error``."""
    return Outcome("source failed", error.message, error.suffix)
