"""An answer source for tests that says what the test tells it to, question by question."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from bot.sources import AnswerSource
from citations import AnswerEvent, TextDelta

ScriptStep = AnswerEvent | Exception | float | None


@dataclass(slots=True)
class ScriptedSource(AnswerSource):
    """Says, fails, waits (a number: seconds) and ends (None) as it was told for each question."""

    title: str = "Plant care"
    over: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    """The questions whose generator has been closed, in order."""
    _told: defaultdict[str, asyncio.Queue[ScriptStep]] = field(
        default_factory=lambda: defaultdict(asyncio.Queue[ScriptStep])
    )

    def tell(self, question: str, *told: ScriptStep | str) -> None:
        """What comes next of the answer to ``question``; a string is text."""
        for one in told:
            self._told[question].put_nowait(TextDelta(one) if isinstance(one, str) else one)

    async def closed(self, question: str) -> None:
        """Wait until the generator that answers ``question`` is closed."""
        async with asyncio.timeout(60):
            while await self.over.get() != question:
                pass

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        try:
            while (told := await self._told[question].get()) is not None:
                if isinstance(told, Exception):
                    raise told
                if isinstance(told, float):
                    await asyncio.sleep(told)
                else:
                    yield told
        finally:
            self.over.put_nowait(question)
