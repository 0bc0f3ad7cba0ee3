"""Who answers: every answer source has the shape of :class:`AnswerSource`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from citations import AnswerEvent


class SourceError(Exception):
    """A source could not answer; ``spoken`` is the sentence that the person reads, never the cause."""

    spoken = "I could not reach the place that answers questions. Please try again in a moment."


class AnswerSource(Protocol):
    """What the bot needs of a source: answer events for a question, and a few words about itself."""

    @property
    def title(self) -> str:
        """What is being asked, for the page's header and the log: a folder's name, a model's name."""

    async def open(self) -> None:
        """Make ready: index, connect. Called once, before the first question."""

    async def close(self) -> None:
        """Give everything back."""

    def answer(self, question: str) -> AsyncIterator[AnswerEvent]:
        """Answer one question: text deltas and references in any order, then the end.

        Raises :class:`SourceError` where it can't.
        """

    async def suggestions(self) -> tuple[str, ...]:
        """A few questions that this source can answer well, for the welcome."""

    async def facts(self) -> dict[str, str | int]:
        """Short facts for the page and ``/readyz``, such as ``{"documents": 12}``."""
