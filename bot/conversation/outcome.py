"""Why an answer ended before it was complete, and how the person is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..sources import SourceError

GENERAL_EXCUSE: Final = "Something went wrong while I was answering. Please try again."
MAYBE_LOST: Final = "I can't tell whether all of this reached you. If something is missing, please ask again."


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why an answer ended: ``name`` is for the log.

    ``spoken`` is the whole message where nothing of the answer was there; ``notice`` is the line
    below what was.
    """

    name: str
    spoken: str
    notice: str


STOPPED: Final = Outcome("stopped", "I stopped before I had an answer.", "You stopped this answer here.")
TOO_SLOW: Final = Outcome(
    "too slow",
    "That took longer than I can wait. Please try again, or ask for something narrower.",
    "This answer is not complete: the rest took longer than I can wait.",
)
CRASHED: Final = Outcome(
    "crashed",
    GENERAL_EXCUSE,
    "This answer is not complete: something went wrong while I was writing it. Please try again.",
)
BUSY: Final = Outcome(
    "busy",
    "I have too many questions to answer right now. Please ask again in a moment.",
    "This answer is not complete: I have too many questions to answer right now.",
)
CLOSING: Final = Outcome(
    "closing",
    "I am being restarted and could not answer. Please ask again in a moment.",
    "This answer is not complete: I am being restarted. Please ask again in a moment.",
)
UNREADABLE: Final = Outcome(
    "unreadable",
    "I could not read what the answer source sent me. Please try again in a moment.",
    "This answer is not complete: I could not read what came next. Please try again.",
)


def outcome_of_error(error: SourceError) -> Outcome:
    """The source's own sentences."""
    return Outcome("source failed", error.spoken, error.notice)
