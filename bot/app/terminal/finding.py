"""What ``python app.py doctor`` says: one sentence a line, and for a fault what mends it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    """How a part of a deployment is: it works, there is something to know, or it does not work."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: its grade, a sentence, and what to do."""

    grade: Grade
    sentence: str
    mend: str = ""

    def __str__(self) -> str:
        return f"{self.grade:<6} {self.sentence}{' ' if self.mend else ''}{self.mend}"


def good(sentence: str) -> Finding:
    """A part that works."""
    return Finding(Grade.OK, sentence)


def note(sentence: str, mend: str = "") -> Finding:
    """Something to know, that breaks nothing."""
    return Finding(Grade.NOTE, sentence, mend)


def fault(sentence: str, mend: str) -> Finding:
    """A part that does not work."""
    return Finding(Grade.FAULT, sentence, mend)


def reason(error: Exception) -> str:
    """Why another server did not answer as it should, in the system's words where it has some."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    system = getattr(error, "os_error", error)
    if isinstance(system, OSError) and system.strerror:
        return system.strerror
    unread = isinstance(error, ValueError | LookupError | TypeError)
    return "its response can't be read" if unread else str(error)
