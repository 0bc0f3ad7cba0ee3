"""This module answers from a local folder of documents, without key, account or internet."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import errno
import functools
import os
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from citations import AnswerEvent, AnswerKind, Dialect, LabelRanking, Reference, TextDelta
from citations.markers import AnswerSoFar

from ...messages import Sentence, say
from ...retrieval.added import AddedFiles
from ...retrieval.cache import choose_cache_directory
from ...retrieval.elliptic import CompleteQuestion
from ...retrieval.embedder import Embedder
from ...retrieval.engine import EngineError
from ...retrieval.index import FolderIndex
from ...retrieval.known_file import KnownFile
from ...retrieval.labels import FolderLabels
from ...retrieval.meaning import PartMeaning
from ...retrieval.part import IndexPart, IndexReport
from ...retrieval.progress import IndexProgress
from ...retrieval.search import Documents, Scope, SearchResult, search
from ...retrieval.smalltalk import is_smalltalk
from .. import EarlierTurn, SourceError
from ..model_writer import ModelWriter
from ..notice import prepend_notice
from ..open_ai_embedder import OpenAIEmbedder
from ..permission import EVERYTHING, Permission, place_of
from ..question_completion import QuestionCompleter
from ..replies import explain_search, quoted, suggest_questions
from ..source_limit import SelectiveSource
from ..step import report_reading
from .generation import Generation
from .result_events import describe_ranked, list_events, name_unquotable, write_nearest_passages
from .status import IndexedFile, IndexStatus
from .suggestion_cache import SuggestionCache, suggest_in_language
from .upkeep import IndexUpkeep

_MODEL_PASSAGES: Final = 6
"""The model receives this many passages at most."""
_SUGGESTION_TIMEOUT: Final = 1.5
"""Seconds that the suggestions of a greeting wait for the first update, which may be reading files."""


class FolderSource(SelectiveSource):
    """Answers from the documents in a folder, in their own words or, with a ``writer``, in a model's.

    ``document_base`` is the URL of the folder in the app, and ends in ``/``. A passage links to its
    document below that URL. ``cache`` replaces the user's cache directory. ``ranking`` adds labels to
    those in the documents' metadata. With an ``embedder``, passages are found by their meaning too. With
    ``may_add``, files that this machine's user adds are searched like those of the folder. A
    document whose label encrypts is quoted, or passed to a model, only where the permission allows
    extraction.
    """

    def __init__(  # noqa: PLR0913 - all but the folder are optional parts, given by name
        self,
        folder: Path,
        *,
        document_base: str,
        cache: Path | None = None,
        writer: ModelWriter | None = None,
        ranking: LabelRanking | None = None,
        embedder: Embedder | None = None,
        may_add: bool = False,
    ) -> None:
        home = choose_cache_directory(folder, cache)
        # A served bot has an index of its own, which never holds what was added for one machine's user.
        home = home / "local" if may_add else home
        self.added = AddedFiles(home) if may_add else None
        """The files that this machine's user added to the folder; None where there may be none."""
        self._folder = folder
        self._writer = writer
        self._completer = QuestionCompleter(writer)
        self._embedder = embedder
        self._index = FolderIndex(folder, home, embedder, home=home if may_add else None)
        self._documents = Documents(self._index, document_base, FolderLabels(ranking))
        self._upkeep = IndexUpkeep(self._index)
        self._suggested = SuggestionCache()

    @property
    def title(self) -> str:
        """The folder's name."""
        return self._folder.resolve().name

    @property
    def report(self) -> IndexReport:
        """The numbers of documents and passages, and the files that were skipped."""
        return self._index.report

    @property
    def knows_meaning(self) -> bool:
        """Whether a question is compared with all passages by meaning; True without an embedder."""
        meaning = self._index.whole.meaning
        return meaning is None or meaning.is_complete

    @property
    def is_read(self) -> bool:
        """Whether all files of the folder were read once, as far as they can be read."""
        return self._upkeep.is_read

    @property
    def unread(self) -> int:
        """The number of files that are to be read, or are being read."""
        return self._progress.total - self._progress.read

    @property
    def stalled(self) -> int:
        """The seconds since the last step of a reading that does not move; 0 where all is well."""
        return self._progress.stalled

    @property
    def _progress(self) -> IndexProgress:
        return self._index.progress

    async def open(self) -> None:
        """Begin to read the folder. Raises ``OSError`` where it is no folder."""
        if not self._folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(self._folder))
        if isinstance(self._embedder, OpenAIEmbedder):
            await self._embedder.open()
        await self._upkeep.open()

    async def close(self) -> None:
        """End a running update and the embedding, and close the connections to models."""
        await self._upkeep.close()
        if isinstance(self._embedder, OpenAIEmbedder):
            await self._embedder.close()
        if self._writer:
            await self._writer.close()

    async def wait_until_read(self) -> None:
        """Wait until the files that the folder has now were read."""
        await self._upkeep.wait_until_read()

    async def look_again(self) -> None:
        """Have the index follow the folder now, and wait for a moment until it does."""
        await self._upkeep.refresh(now=True)

    async def notice_changes(self, *, now: bool = False) -> None:
        """Begin to read what has changed in the folder, and wait for nothing.

        Unless ``now`` is true, a folder that was listed just now is not listed again.
        """
        self._upkeep.begin_refresh(now=now)

    async def suggestions(self) -> tuple[str, ...]:
        """Return up to four questions that the documents answer."""
        await self._upkeep.wait_for_first(_SUGGESTION_TIMEOUT)
        return await self.suggestions_for(EVERYTHING)

    async def facts(self) -> dict[str, str | int]:
        """Return the numbers of documents, passages and skipped files, and the state of the model.

        While files are being read, ``reading`` says how far that is. ``stalled`` counts the seconds for which
        it does not move, if it does not.
        """
        facts = self._collect_facts(self.report, self._index.whole.meaning)
        if self.unread:
            facts["reading"] = f"{self._progress.read} of {self._progress.total}"
        if self.stalled:
            facts["stalled"] = self.stalled
        return facts

    async def status(self) -> IndexStatus:
        """Return the documents that can be asked, those that are being read, and those that are skipped."""
        return await asyncio.to_thread(self._describe_status)

    def _describe_status(self) -> IndexStatus:
        part = self._index.whole
        documents = (one for _, one in sorted(part.known.items()) if not one.reason)
        return IndexStatus(
            files=tuple(self._describe_file(part, one) for one in documents),
            reading=self._progress.reading,
            read=self._progress.read,
            waiting=self._progress.waiting,
            skipped=self.report.skipped,
            stalled=self.stalled,
        )

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

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a document by the name that a reader tells it apart by, and by its label."""
        return self._describe_in(self._index.whole, path)

    def _describe_in(self, part: IndexPart, path: str) -> Reference | None:
        if path not in part.known:
            return None
        reference = self._documents.describe(part, path).reference
        return replace(reference, name=part.names.get(path) or reference.name)

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

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Return suggestions from the documents that ``permission`` lets a person see."""
        return await asyncio.to_thread(self._find_suggestions, permission)

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
            for suggested in suggest_questions((), await self.suggestions_for(permission)):
                yield suggested
            return
        await self._refresh()
        try:
            scope = await asyncio.to_thread(self._find_scope, permission)
            complete = await self._completer.complete(
                question, earlier, lambda turn: scope.may_quote(map(place_of, turn.references))
            )
            result = await self._search(complete, scope)
        except EngineError as error:
            raise SourceError(str(error)) from error
        answered = self._answer(complete.text, result, permission)
        notice = explain_search(
            question,
            complete.text,
            result.replaced,
            result.missing,
            is_reading=self._upkeep.is_reading and result.kind is not AnswerKind.ANSWERED,
        )
        async with contextlib.aclosing(prepend_notice(answered, notice)) as events:
            async for event in events:
                yield event

    async def _search(self, complete: CompleteQuestion, scope: Scope) -> SearchResult:
        return await asyncio.to_thread(search, complete.text, scope, taken_up=complete.taken_up)

    async def _answer(
        self, question: str, result: SearchResult, permission: Permission
    ) -> AsyncGenerator[AnswerEvent, None]:
        if self._writer and result.kind is not AnswerKind.NOTHING:
            async with contextlib.aclosing(self._generate(self._writer, question, result)) as events:
                async for event in events:
                    yield event
        else:
            suggestions = await self.suggestions_for(permission) if result.kind is AnswerKind.NOTHING else ()
            for event in await asyncio.to_thread(list_events, result, self._documents, suggestions):
                yield event

    def _find_scope(self, permission: Permission) -> Scope:
        if permission is EVERYTHING:
            return self._documents.find_scope()
        may_see = permission.may_see if permission.is_limited else None
        return self._documents.find_scope(may_see, permission.may_extract)

    def _find_suggestions(self, permission: Permission) -> tuple[str, ...]:
        """Return suggestions; those of all documents are cached until a file changes."""
        scope = self._find_scope(permission)
        return self._suggested.find(scope) if permission is EVERYTHING else suggest_in_language(scope)

    async def _generate(
        self, writer: ModelWriter, question: str, result: SearchResult
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the model's answer over the best passages; fall back to quotes if it writes nothing."""
        references = describe_ranked(result, self._documents, _MODEL_PASSAGES)
        has_begun = False
        report_reading(len(references))
        so_far = AnswerSoFar(Dialect.NUMBERED)
        write_nearest = functools.partial(write_nearest_passages, result, references)
        writing = Generation(writer, references, write_nearest, so_far)
        async with contextlib.aclosing(writing.answer(question)) as events:
            async for event in events:
                has_begun = True
                yield event
        if has_begun:
            others = name_unquotable(result, self._documents, len(references), so_far)
        else:
            notice = say(Sentence.MODEL_FAILED_SO_QUOTED if result.quotes else Sentence.MODEL_FAILED)
            others = await asyncio.to_thread(list_events, result, self._documents, (), notice)
        for other in others:
            yield other

    async def _refresh(self) -> None:
        """Have the index follow the folder, and wait for a moment until it does."""
        await self._upkeep.refresh()
