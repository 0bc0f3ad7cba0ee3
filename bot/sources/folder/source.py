"""A local folder of documents as an answer source: no key, no account, no internet."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from citations import AnswerEvent, Origin, OriginKnown, Reference, ReferencesFound, TextDelta

from .. import SourceError
from ..open_ai import OpenAIWriter
from .cache import cache_directory
from .compose import Numbered, greeting, nothing_found, number, reference, written
from .engine import EngineError
from .extract import Quote, extract
from .generate import generated
from .index import FolderIndex, IndexReport
from .query import Query, read_question
from .rank import Found, coverage, rank
from .smalltalk import is_smalltalk

_log = logging.getLogger(__name__)

PASSAGES: Final = 8
"""Passages from which an answer's sentences are chosen."""
_GIVEN: Final = 6
"""Passages that a model is given."""
_WORTH_ASKING: Final = 0.25
"""The coverage of a question below which a model is not asked either."""
_SHARED_WORDS: Final = 2
"""One word in common is chance: with two, the best passage's heading may be what was meant."""
_RESCAN: Final = 5.0
"""Seconds between two looks at the folder."""
_WAIT: Final = 2.0
"""Seconds that a question waits for changed files to be indexed."""
_SUGGESTIONS: Final = 4
_CONSIDERED: Final = 40
"""Questions from headings that are tried for suggestions."""

_QUOTED: Final = Origin(slogan="Quoted from your documents", generated=False)
_NOT_WRITTEN: Final = (
    "The model that writes the answers could not answer, so these are sentences from your documents."
)


@dataclass(frozen=True, slots=True)
class _Search:
    """What was found for one question."""

    query: Query
    ranked: list[Found]
    quotes: tuple[Quote, ...]


class FolderSource:
    """Answers from the documents in a folder, in their own words or (with a writer) a model's.

    ``document_base`` is the URL that the app serves the folder at, ending in ``/``: a passage links
    to its document below it. ``cache`` replaces the user's cache directory.
    """

    def __init__(
        self,
        folder: Path,
        *,
        document_base: str,
        cache: Path | None = None,
        writer: OpenAIWriter | None = None,
    ) -> None:
        self._folder = folder
        self._document_base = document_base
        self._writer = writer
        self._index = FolderIndex(folder, cache_directory(folder, cache))
        self._update: asyncio.Task[IndexReport] | None = None
        self._scanned = 0.0
        self._interval = _RESCAN
        self._suggestions: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The folder's name."""
        return self._folder.resolve().name

    @property
    def report(self) -> IndexReport:
        """What is indexed, and what was skipped and why."""
        return self._index.report

    async def open(self) -> None:
        """Index the folder. Raises ``OSError`` where it can't be read."""
        started = time.monotonic()
        report = await asyncio.to_thread(self._index.update)
        self._scanned = time.monotonic()
        _log.info(
            "indexed: %d documents, %d passages, %d skipped, %.1f s",
            report.documents,
            report.passages,
            len(report.skipped),
            self._scanned - started,
        )
        self._suggestions = await asyncio.to_thread(self._find_suggestions)

    async def close(self) -> None:
        """Finish an update that is under way, and close the writer's connections."""
        if self._update:
            await asyncio.wait({self._update})
        if self._writer:
            await self._writer.close()

    async def suggestions(self) -> tuple[str, ...]:
        """Up to four questions from the documents' headings, each of which was asked and is answered."""
        return self._suggestions

    async def facts(self) -> dict[str, str | int]:
        """How many documents, passages and skipped files there are, and how the model is."""
        report = self.report
        facts: dict[str, str | int] = {
            "source": "folder",
            "documents": report.documents,
            "passages": report.passages,
            "skipped": len(report.skipped),
        }
        if self._writer:
            model = self._writer.upstream.facts()
            facts |= {"model": model["source"], "model answers": model["answers"]}
        return facts

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the passages that fit the question, or say that none does.

        Close the generator to hang up on the model. Raises :class:`SourceError` where the index
        can't be read, and where the model stops in the middle of its answer.
        """
        if is_smalltalk(question):
            yield OriginKnown(_QUOTED)
            yield TextDelta(greeting(self._suggestions))
            return
        await self._refresh()
        try:
            found = await asyncio.to_thread(self._search, question)
        except EngineError as error:
            raise SourceError(str(error)) from error
        if self._writer and coverage(found.query, found.ranked) >= _WORTH_ASKING:
            async with contextlib.aclosing(self._generated(self._writer, question, found)) as events:
                async for event in events:
                    yield event
        else:
            for event in self._extracted(found):
                yield event

    def _search(self, question: str) -> _Search:
        query = read_question(question, self._index.engine, self._index.languages)
        ranked = rank(query, self._index.engine, PASSAGES)
        return _Search(query, ranked, extract(query, ranked))

    def _extracted(self, found: _Search, notice: str = "") -> list[AnswerEvent]:
        """The sentences that answer, each with its marker."""
        preface = f"{notice}\n\n" if notice else ""
        if not found.quotes:
            said = nothing_found(self._near(found), self._suggestions)
            return [OriginKnown(_QUOTED), TextDelta(preface + said)]
        passages = number(quote.found.passage for quote in found.quotes)
        text = preface + written(found.quotes, passages)
        return [OriginKnown(_QUOTED), ReferencesFound(self._references(passages)), TextDelta(text)]

    async def _generated(
        self, writer: OpenAIWriter, question: str, found: _Search
    ) -> AsyncGenerator[AnswerEvent, None]:
        """What the model writes over the best passages, or the quoted sentences if it writes nothing."""
        references = self._references(number(one.passage for one in found.ranked[:_GIVEN]))
        begun = False
        try:
            async with contextlib.aclosing(generated(writer, question, references)) as events:
                async for event in events:
                    begun = True
                    yield event
        except SourceError as error:
            if begun:
                raise
            _log.warning("the model did not answer: %s", error)
            for event in self._extracted(found, _NOT_WRITTEN):
                yield event

    def _references(self, passages: Sequence[Numbered]) -> tuple[Reference, ...]:
        return tuple(
            reference(one, self._document_base, self._index.modified(one.passage.path)) for one in passages
        )

    async def _refresh(self) -> None:
        """Index what changed in the folder, if it was not looked at just now; waits only a little."""
        if self._update is None or self._update.done():
            if time.monotonic() - self._scanned < self._interval:
                return
            self._update = asyncio.create_task(asyncio.to_thread(self._index.update))
        started = time.monotonic()
        done, _ = await asyncio.wait({self._update}, timeout=_WAIT)
        if not done:
            return  # the question is answered from what is indexed so far
        self._scanned = time.monotonic()
        self._interval = max(_RESCAN, 20 * (self._scanned - started))
        if error := self._update.exception():
            _log.warning("the folder could not be looked through: %s", error)

    def _near(self, found: _Search) -> tuple[str, ...]:
        """The question that the best passage's heading asks, where they share words with the one asked."""
        if not found.ranked or len(found.ranked[0].terms) < _SHARED_WORDS:
            return ()
        best = found.ranked[0]
        place = (best.passage.path, best.passage.heading)
        asked = (question for path, question in self._index.questions if (path, question) == place)
        return tuple(question for question in asked if self._search(question).quotes)

    def _find_suggestions(self) -> tuple[str, ...]:
        """One question of each document in turn, as long as it is answered from that document."""
        found: dict[str, None] = {}
        for path, question in self._index.questions[:_CONSIDERED]:
            quotes = self._search(question).quotes if len(found) < _SUGGESTIONS else ()
            if quotes and max(quotes, key=lambda quote: quote.worth).place[0] == path:
                found[question] = None
        return tuple(found)
