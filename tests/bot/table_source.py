"""An answer source for tests: a table of questions, and ways to be slow or to fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from bot.sources import AnswerSource, SourceError
from citations import AnswerEvent, Origin, OriginKnown, Reference, ReferencesFound, TextDelta

WATER = Reference(
    id="1",
    name="Watering plants.md",
    text="# Ferns\n\nA fern wants **moist** soil: water it twice a week. [A link](https://evil.example/)",
    page=3,
    document_url="http://127.0.0.1/documents/plants.md",
)
LIGHT = Reference(id="2", name="Light", url="https://example.com/light", text="Ferns like shade.")


@dataclass(slots=True)
class TableSource(AnswerSource):
    """Answers what it knows about ferns; ``gate`` holds back the answers to ``slow``."""

    title: str = "Plant care"
    base: str = "http://127.0.0.1/documents/"
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[str] = field(default_factory=list)
    opened: int = 0
    closed: int = 0
    cancelled: int = 0

    async def open(self) -> None:
        self.opened += 1

    async def close(self) -> None:
        self.closed += 1

    async def suggestions(self) -> tuple[str, ...]:
        return ("How often should I water a fern?", "Where should a fern stand?")

    async def facts(self) -> dict[str, str | int]:
        return {"documents": 2}

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        self.asked.append(question)
        if question == "fail":
            raise SourceError("canary-secret-cause")
        if question == "crash":
            raise ZeroDivisionError("canary-secret-cause")
        if question == "slow":
            await self._wait()
        yield OriginKnown(Origin(slogan="Quoted from your documents", generated=False))
        if "fern" not in question and question != "slow":
            yield TextDelta("I found nothing about this in your documents.")
            return
        water = Reference(
            id="1", name=WATER.name, text=WATER.text, page=3, document_url=f"{self.base}plants.md"
        )
        yield ReferencesFound((water, LIGHT))
        yield TextDelta("Water a fern **twice a week** [1], ")
        yield TextDelta("and give it shade [1][2].")

    async def _wait(self) -> None:
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
