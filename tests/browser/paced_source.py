"""An answer source for tests that says what the test tells it to, when the test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

from bot.sources import AnswerSource, SourceError
from citations import AnswerEvent, TextDelta


@dataclass(slots=True)
class PacedSource(AnswerSource):
    """Gives each question what :meth:`say` was told, as it is told, until :meth:`end`."""

    title: str = "Plant care"
    ended: int = 0
    """Answers that are over, whether they came to their end or were broken off."""
    _told: asyncio.Queue[AnswerEvent | SourceError | None] = field(default_factory=asyncio.Queue)

    def say(self, *events: AnswerEvent | str) -> None:
        """What comes next of the answer under way; a string is text."""
        for event in events:
            self._told.put_nowait(TextDelta(event) if isinstance(event, str) else event)

    def end(self) -> None:
        """The answer is complete."""
        self._told.put_nowait(None)

    def fail(self) -> None:
        """The answer breaks off."""
        self._told.put_nowait(SourceError("the upstream was cut"))

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        try:
            while (told := await self._told.get()) is not None:
                if isinstance(told, SourceError):
                    raise told
                yield told
        finally:
            self.ended += 1


def pieces(text: str, length: int) -> Iterable[str]:
    """``text`` in pieces of ``length`` characters."""
    return (text[start : start + length] for start in range(0, len(text), length))
