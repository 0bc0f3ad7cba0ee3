"""An answer source that says the question."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Final

from bot.sources import AnswerSource
from citations import AnswerEvent, TextDelta

ANSWER: Final = "You asked "


@dataclass(slots=True)
class Echo(AnswerSource):
    """Says what it was asked, when ``gate`` is open."""

    title: str = "Echo"
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[str] = field(default_factory=list)

    async def open(self) -> None:
        self.gate.set()

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        self.asked.append(question)
        await self.gate.wait()
        yield TextDelta(f"{ANSWER}{question}.")
