"""What can go wrong, and whose fault it is.

::

    CitationError                 everything this library raises
    ├── AnswerFormatError         the provider sent something that is not an answer
    ├── EventStreamError          the provider's bytes are no stream of events
    └── LabelFormatError          the caller's label catalogue is faulty

A :class:`Problem` is a finding that is not an exception: the answer was rendered all the same, and
the problem says what was dropped, repaired or left as text.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about an answer or an activity.

    ``code`` is a stable kebab-case name, ``path`` the JSON path of the place (``$.text``,
    ``$.entities[0].citation[2].position``), ``message`` one line for a person: what is wrong, what
    it causes, and what to do about it.
    """

    code: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.code} {self.path} {self.message}"


class CitationError(Exception):
    """The root of this library's errors."""


class AnswerFormatError(CitationError):
    """A provider's response can't be read as an answer; ``path`` is the JSON path of the ``fault``.

    In a stream ``place`` says in which of its documents that path is: ``line 3``, ``event 3``.
    """

    def __init__(self, fault: str, path: str = "$", place: str = "") -> None:
        super().__init__(f"{place}: {path}: {fault}" if place else f"{path}: {fault}")
        self.fault = fault
        self.path = path
        self.place = place


class EventStreamError(CitationError):
    """The bytes are no event stream, or one made to exhaust its reader."""


class LabelFormatError(CitationError):
    """A label catalogue is faulty; ``faults`` holds every fault found, one line each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults
