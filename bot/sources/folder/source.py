"""This module answers from a local folder of documents, without key, account or internet."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import functools
import logging
import time
from collections.abc import AsyncGenerator
from pathlib import Path, PurePosixPath
from typing import Final

from citations import AnswerEvent, AnswerKind, LabelRanking, TextDelta

from ...messages import Sentence, say
from ...retrieval.cache import choose_cache_directory
from ...retrieval.elliptic import CompleteQuestion
from ...retrieval.embedder import Embedder
from ...retrieval.engine import EngineError
from ...retrieval.index import FolderIndex
from ...retrieval.known_file import KnownFile
from ...retrieval.labels import FolderLabels
from ...retrieval.meaning import PartMeaning
from ...retrieval.part import IndexPart, IndexReport
from ...retrieval.search import Documents, Scope, SearchResult, search, suggest
from ...retrieval.smalltalk import is_smalltalk
from .. import EarlierTurn, SourceError
from ..notice import prepend_notice
from ..open_ai import OpenAIWriter
from ..open_ai_embedder import OpenAIEmbedder
from ..permission import EVERYTHING, Permission, place_of
from ..question_completion import QuestionCompleter
from ..replies import explain_search, quoted, suggest_questions
from ..step import report_reading
from .folder_view import FolderWithin
from .generation import generate
from .result_events import describe_ranked, list_events, name_unquotable, write_nearest_passages
from .status import IndexedFile, IndexStatus

_log = logging.getLogger(__name__)

_MODEL_PASSAGES: Final = 6
"""The model receives this many passages at most."""
_SCAN_INTERVAL: Final = 5.0
"""The least seconds between two scans of the folder."""
_SCAN_TIMEOUT: Final = 2.0
"""Seconds that a question waits until changed files are indexed."""


class FolderSource:
    """Answers from the documents in a folder, in their own words or, with a ``writer``, in a model's.

    ``document_base`` is the URL of the folder in the app, and ends in ``/``. A passage links to its
    document below that URL. ``cache`` replaces the user's cache directory. ``ranking`` adds labels to
    those in the documents' metadata. With an ``embedder``, passages are found by their meaning too. A
    document whose label encrypts is quoted, or passed to a model, only where the permission allows
    extraction.
    """

    def __init__(  # noqa: PLR0913 - all but the folder are optional parts, given by name
        self,
        folder: Path,
        *,
        document_base: str,
        cache: Path | None = None,
        writer: OpenAIWriter | None = None,
        ranking: LabelRanking | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._completer = QuestionCompleter(writer)
        self._embedder = embedder
        self._index = FolderIndex(folder, choose_cache_directory(folder, cache), embedder)
        self._documents = Documents(self._index, document_base, FolderLabels(ranking))
        self._update: asyncio.Task[IndexReport] | None = None
        self._scan_time = 0.0
        self._interval = _SCAN_INTERVAL
        self._suggestions: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The folder's name."""
        return self._folder.resolve().name

    @property
    def report(self) -> IndexReport:
        """The numbers of documents and passages, and the files that were skipped."""
        return self._index.report

    async def open(self) -> None:
        """Index the folder. Raises ``OSError`` where it can't be read."""
        if isinstance(self._embedder, OpenAIEmbedder):
            await self._embedder.open()
        started = time.monotonic()
        report = await asyncio.to_thread(self._index.update)
        self._scan_time = time.monotonic()
        _log.info(
            "indexed: %d documents, %d passages, %d skipped, %.1f s",
            report.documents,
            report.passages,
            len(report.skipped),
            self._scan_time - started,
        )
        self._suggestions = await self.suggestions_for(EVERYTHING)

    async def close(self) -> None:
        """Wait for a running update, end the embedding, and close the connections to models."""
        if self._update:
            await asyncio.wait({self._update})
        if isinstance(self._embedder, OpenAIEmbedder):
            await self._embedder.close()
        await asyncio.to_thread(self._index.close)
        if self._writer:
            await self._writer.close()

    async def status(self) -> IndexStatus:
        """Return the documents that can be asked, those that are being read, and those that are skipped."""
        return await asyncio.to_thread(self._describe_status)

    def _describe_status(self) -> IndexStatus:
        try:
            part = self._index.whole
        except EngineError:
            return IndexStatus(skipped=self.report.skipped)
        files = tuple(
            self._describe_file(part, known) for _, known in sorted(part.known.items()) if not known.reason
        )
        return IndexStatus(files=files, skipped=self.report.skipped)

    def _describe_file(self, part: IndexPart, known: KnownFile) -> IndexedFile:
        indexed = dt.datetime.fromtimestamp(known.indexed, dt.UTC) if known.indexed else None
        return IndexedFile(
            path=known.path,
            title=part.names[known.path],
            format=PurePosixPath(known.path).suffix.lower().removeprefix("."),
            size=known.size,
            passages=known.passages,
            label=self._documents.describe(part, known.path).reference.label,
            indexed=indexed.isoformat(timespec="seconds") if indexed else None,
        )

    async def suggestions(self) -> tuple[str, ...]:
        """Return up to four questions from the documents' headings that the documents answer."""
        return self._suggestions

    async def facts(self) -> dict[str, str | int]:
        """Return the numbers of documents, passages and skipped files, and the state of the model."""
        return self._collect_facts(self.report, self._index.meaning)

    def _collect_facts(self, report: IndexReport, meaning: PartMeaning | None) -> dict[str, str | int]:
        facts: dict[str, str | int] = {
            "source": "folder",
            "documents": report.documents,
            "passages": report.passages,
            "skipped": len(report.skipped),
        }
        if meaning:
            facts["meaning"] = meaning.progress
        return facts | self._writer.facts() if self._writer else facts

    async def try_model(self) -> None:
        """Try whether the model answers, if there is one; its facts and the log say so."""
        if self._writer:
            await self._writer.try_once()

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from all documents, as :meth:`answer_for` does."""
        return self.answer_for(question, EVERYTHING)

    def answer_after(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from all documents, after the person's earlier turns."""
        return self.answer_for(question, EVERYTHING, earlier)

    def within(self, permission: Permission) -> FolderWithin:
        """Return an answer source that has only the documents that ``permission`` lets a person see."""
        return FolderWithin(self, permission)

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Return suggestions from the documents that ``permission`` lets a person see."""
        return await asyncio.to_thread(lambda: suggest(self._find_scope(permission)))

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """Return the facts about the documents that ``permission`` lets a person see."""
        scope = await asyncio.to_thread(self._find_scope, permission)
        return self._collect_facts(scope.part.report(), scope.part.meaning)

    async def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the passages that match the question, show the nearest ones, or say that none does.

        A question that leaves something out is completed by the person's ``earlier`` ones, and the
        answer says so. A model reads the passages unless the documents say nothing about the question.
        Closing the generator ends the request to the model. Raises :class:`SourceError` where the index
        can't be read, and where the model fails in the middle of its answer.
        """
        if is_smalltalk(question):
            yield quoted()
            yield TextDelta(say(Sentence.SMALLTALK))
            for suggested in suggest_questions((), await self._suggest(permission)):
                yield suggested
            return
        await self._refresh()
        try:
            scope = await asyncio.to_thread(self._find_scope, permission)
            complete = await self._completer.complete(
                question, earlier, lambda turn: scope.may_quote(map(place_of, turn.references))
            )
            before = earlier[-1].references if complete.taken_up else ()
            near = frozenset(map(place_of, before))
            result = await self._search(complete, scope, near)
        except EngineError as error:
            raise SourceError(str(error)) from error
        answered = self._answer(complete.text, result, permission)
        notice = explain_search(question, complete.text, result.replaced, result.missing)
        async with contextlib.aclosing(prepend_notice(answered, notice)) as events:
            async for event in events:
                yield event

    async def _search(self, complete: CompleteQuestion, scope: Scope, near: frozenset[str]) -> SearchResult:
        return await asyncio.to_thread(search, complete.text, scope, taken_up=complete.taken_up, near=near)

    async def _answer(
        self, question: str, result: SearchResult, permission: Permission
    ) -> AsyncGenerator[AnswerEvent, None]:
        if self._writer and result.kind is not AnswerKind.NOTHING:
            async with contextlib.aclosing(self._generate(self._writer, question, result)) as events:
                async for event in events:
                    yield event
        else:
            suggestions = await self._suggest(permission) if result.kind is AnswerKind.NOTHING else ()
            for event in await asyncio.to_thread(list_events, result, self._documents, suggestions):
                yield event

    def _find_scope(self, permission: Permission) -> Scope:
        if permission is EVERYTHING:
            return self._documents.find_scope()
        may_see = permission.may_see if permission.sees else None
        return self._documents.find_scope(may_see, permission.may_extract)

    async def _suggest(self, permission: Permission) -> tuple[str, ...]:
        return self._suggestions if permission is EVERYTHING else await self.suggestions_for(permission)

    async def _generate(
        self, writer: OpenAIWriter, question: str, result: SearchResult
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the model's answer over the best passages; fall back to quotes if it writes nothing."""
        references = describe_ranked(result, self._documents, _MODEL_PASSAGES)
        has_begun = False
        report_reading(len(references))
        writing = generate(
            writer, question, references, functools.partial(write_nearest_passages, result, references)
        )
        try:
            async with contextlib.aclosing(writing) as events:
                async for event in events:
                    has_begun = True
                    yield event
            for named in name_unquotable(result, self._documents, len(references)):
                yield named
        except SourceError as error:
            if has_begun:
                raise
            _log.warning("the model did not answer: %s", error)
            notice = say(Sentence.MODEL_FAILED_SO_QUOTED if result.quotes else Sentence.MODEL_FAILED)
            for other in await asyncio.to_thread(list_events, result, self._documents, (), notice):
                yield other

    async def _refresh(self) -> None:
        """Index changed files unless the last scan was just now; wait two seconds at most."""
        if self._update is None or self._update.done():
            if time.monotonic() - self._scan_time < self._interval:
                return
            self._update = asyncio.create_task(asyncio.to_thread(self._index.update))
        started = time.monotonic()
        done, _ = await asyncio.wait({self._update}, timeout=_SCAN_TIMEOUT)
        if not done:
            return  # the question is answered from what is indexed so far
        self._scan_time = time.monotonic()
        self._interval = max(_SCAN_INTERVAL, 20 * (self._scan_time - started))
        if error := self._update.exception():
            _log.warning("the folder could not be looked through: %s", error)
