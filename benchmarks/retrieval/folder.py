"""This module asks the folder a question on the default path, and keeps what a person is shown."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import html
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.languages import speaking
from bot.retrieval.meaning.embedder import Embedder
from bot.sources import EarlierTurn
from bot.sources.folder import FolderSource
from bot.sources.permission import EVERYTHING
from citations import AnswerEvent, Reference, ReferencesFound
from citations.model import KindKnown
from citations.readers import text_of

_NUMBER: Final = re.compile(r"\d+")
_MARKER: Final = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer as a person sees it: its kind, its text, and the passages behind its badges."""

    kind: str
    """``answered``, ``unsure`` or ``nothing``."""
    text: str
    passages: tuple[str, ...]
    seconds: float

    @property
    def hash(self) -> str:
        """A short hash of the kind and the text; an answer that reads the same keeps its grade."""
        return hashlib.sha256(f"{self.kind}\n{self.text}".encode()).hexdigest()[:12]

    def says(self, gold: Sequence[str]) -> bool:
        """Return whether the text has the words of one of these passages."""
        text = find_letters(_MARKER.sub("", self.text))
        return any(find_letters(words) in text for words in gold)

    def finds(self, gold: Sequence[str], first: int) -> bool:
        """Return whether one of the ``first`` passages has the words of one of these passages."""
        passages = [find_letters(part) for part in self.passages[:first]]
        return any(find_letters(words) in part for words in gold for part in passages)

    def shows(self, gold: Sequence[str]) -> bool:
        """Return whether the text, or a passage behind a badge, has the words of one of these passages."""
        passages = [find_letters(part) for part in self.passages]
        return self.says(gold) or any(find_letters(words) in part for words in gold for part in passages)


class AskedFolder:
    """The folder source over one folder of documents, as the bot asks it."""

    def __init__(self, folder: Path, cache: Path, embedder: Embedder | None) -> None:
        self._runner = asyncio.Runner()
        self._source = FolderSource(
            folder, document_base="https://documents.test/", cache=cache, embedder=embedder
        )
        self._runner.run(self._open())

    async def _open(self) -> None:
        """Open the source, and wait until all of its passages have vectors."""
        await self._source.open()
        await self._source.wait_until_read()
        complete = False
        while not complete:
            await asyncio.sleep(0.2)
            complete = len(set(_NUMBER.findall(str((await self._source.facts()).get("meaning"))))) < 2

    def ask(self, question: str, before: str | None = None, language: str = "en") -> ShownAnswer:
        """Ask a question after the question ``before`` it in the same conversation."""
        return self._runner.run(self._ask(question, before, language))

    async def _ask(self, question: str, before: str | None, language: str) -> ShownAnswer:
        with speaking(language):
            earlier = (await self._turn(before),) if before else ()
            started = time.perf_counter()
            events = await self._read(question, earlier)
            seconds = time.perf_counter() - started
        passages = tuple(_describe(reference) for reference in _list_references(events))
        return ShownAnswer(_find_kind(events), text_of(events), passages, seconds)

    async def _turn(self, question: str) -> EarlierTurn:
        events = await self._read(question, ())
        return EarlierTurn(question, text_of(events), tuple(_list_references(events)))

    async def _read(self, question: str, earlier: tuple[EarlierTurn, ...]) -> list[AnswerEvent]:
        stream = self._source.answer_for(question, EVERYTHING, earlier)
        async with contextlib.aclosing(stream) as answer:
            return [event async for event in answer]

    def close(self) -> None:
        """End the source."""
        self._runner.run(self._source.close())
        self._runner.close()


def _list_references(events: Sequence[AnswerEvent]) -> list[Reference]:
    return [one for event in events if isinstance(event, ReferencesFound) for one in event.references]


def _find_kind(events: Sequence[AnswerEvent]) -> str:
    known = [event.kind for event in events if isinstance(event, KindKnown)]
    return known[-1] if known else "answered" if _list_references(events) else "nothing"


def _describe(reference: Reference) -> str:
    page = f", page {reference.page}" if reference.page else ""
    return f"[{reference.id}] {reference.name}{page}\n{reference.text or ''}"


def find_letters(text: str) -> str:
    """Return the letters and digits of a text, without markup, escapes and line breaks."""
    return re.sub(r"[\W_]+", "", html.unescape(text)).casefold()
