"""What an answer source is doing while a person waits for the first words, such as "Reading 6 passages".

The choice of a listener is a context variable, as the language of a turn is. It holds in the task that
makes it, so no answer source has to pass it on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Final

from citations import AnswerEvent, ReferencesFound, TextDelta, TextReplaced

from ..languages import Sentence, say

_LISTENER: Final[ContextVar[Callable[[str], None] | None]] = ContextVar("listener", default=None)


@contextlib.contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """In this block ``listener`` gets each step, as a sentence in the language of the turn."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report_searching(title: str) -> None:
    """Report that the source with this title is being searched."""
    _report(say(Sentence.SEARCHING, title=title))


def report_reading(count: int) -> None:
    """Report that ``count`` passages were found, and are being read."""
    _report(say(Sentence.READING, count=count))


def report_waiting() -> None:
    """Report that the model is slow, and is still waited for."""
    _report(say(Sentence.STILL_WAITING))


def report_event(event: AnswerEvent) -> None:
    """Report what an event of an answer tells: passages are being read, or an answer is being written."""
    match event:
        case ReferencesFound(references=references) if references:
            report_reading(len(references))
        case TextDelta(text=text) | TextReplaced(text=text) if text.strip():
            _report(say(Sentence.WRITING))


def _report(step: str) -> None:
    if listener := _LISTENER.get():
        listener(step)
