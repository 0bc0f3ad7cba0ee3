"""The errors that the library raises, and the problems that it reports.

::

    CitationError                 the base of all errors of this library
    ├── AnswerFormatError         a provider's response is not an answer
    ├── EventStreamError          a provider's bytes are not a stream of events
    └── LabelFormatError          the catalogue of labels is faulty

A :class:`Problem` is a finding and not an exception: the answer is rendered all the same. The problem
says what was dropped, repaired or left as text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

_PLAIN: Final = re.compile(r"[@A-Za-z_][A-Za-z0-9_@-]*")


def at(path: str, step: str | int) -> str:
    """``path`` extended by an array's index or an object's key, which is quoted if needed."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    return f"{path}.{step}" if _PLAIN.fullmatch(step) else f"{path}[{json.dumps(step)}]"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about an answer or an activity.

    ``code`` is a stable kebab-case name. ``path`` is a JSON path, such as
    ``$.entities[0].citation[2].position``. ``message`` is one line for a person: what is wrong, what it
    causes, and how to repair it.
    """

    code: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.code} {self.path} {self.message}"


class CitationError(Exception):
    """The base class of this library's errors."""


class AnswerFormatError(CitationError):
    """A provider's response is not an answer; ``path`` is the JSON path of the ``fault``.

    In a stream, ``place`` names the document that the path is in: ``line 3``, ``event 3``.
    """

    def __init__(self, fault: str, path: str = "$", place: str = "") -> None:
        super().__init__(f"{place}: {path}: {fault}" if place else f"{path}: {fault}")
        self.fault = fault
        self.path = path
        self.place = place


class EventStreamError(CitationError):
    """The bytes are not an event stream, or they would exhaust the memory of their reader."""


class LabelFormatError(CitationError):
    """A label catalogue is faulty; ``faults`` has one line for each fault."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults
