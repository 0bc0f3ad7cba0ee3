"""A local folder of documents as an answer source: no key, no account, no internet."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Final

from citations import AnswerEvent, LabelRanking, ReferencesFound, TextDelta

from ...messages import Sentence, say
from ...retrieval.cache import choose_cache_directory
from ...retrieval.composition import (
    describe_unquotable,
    number_passages,
    write_quotes,
)
from ...retrieval.engine import EngineError
from ...retrieval.index import FolderIndex
from ...retrieval.labels import FolderLabels
from ...retrieval.part import IndexReport
from ...retrieval.rank import measure_coverage
from ...retrieval.search import Documents, Scope, Search, search, suggest, suggest_near
from ...retrieval.smalltalk import is_smalltalk
from .. import SourceError
from ..open_ai import OpenAIWriter
from ..permission import EVERYTHING, Permission
from ..replies import explain_no_answer, greet, list_unquotable, quoted
from .folder_view import FolderWithin
from .generation import generate

_log = logging.getLogger(__name__)

_GIVEN: Final = 6
"""Passages that a model is given."""
_WORTH_ASKING: Final = 0.25
"""The coverage of a question below which a model is not asked either."""
_RESCAN: Final = 5.0
"""Seconds between two looks at the folder."""
_WAIT: Final = 2.0
"""Seconds that a question waits for changed files to be indexed."""


class FolderSource:
    """Answers from the documents in a folder, in their own words or (with a writer) a model's.

    ``document_base`` is the URL that the app serves the folder at, ending in ``/``: a passage links
    to its document below it. ``cache`` replaces the user's cache directory. ``ranking`` says which
    label each document has, besides those in its metadata; what is labelled as encrypted is quoted, and
    given to a model, only where a permission says that it may be extracted.
    """

    def __init__(
        self,
        folder: Path,
        *,
        document_base: str,
        cache: Path | None = None,
        writer: OpenAIWriter | None = None,
        ranking: LabelRanking | None = None,
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._index = FolderIndex(folder, choose_cache_directory(folder, cache))
        self._documents = Documents(self._index, document_base, FolderLabels(ranking))
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
        self._suggestions = await self.suggestions_for(EVERYTHING)

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
        return self._facts(self.report)

    def _facts(self, report: IndexReport) -> dict[str, str | int]:
        facts: dict[str, str | int] = {
            "source": "folder",
            "documents": report.documents,
            "passages": report.passages,
            "skipped": len(report.skipped),
        }
        if self._writer:
            model = self._writer.provider.facts()
            facts |= {"model": model["source"], "model answers": model["answers"]}
        return facts

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """As :meth:`answer_for`, from everything."""
        return self.answer_for(question, EVERYTHING)

    def within(self, permission: Permission) -> FolderWithin:
        """The folder as if nothing were in it but what ``permission`` lets be seen."""
        return FolderWithin(self, permission)

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """The suggestions for somebody who may see no more than this."""
        return await asyncio.to_thread(lambda: suggest(self._scope(permission)))

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The facts for somebody who may see no more than this."""
        scope = await asyncio.to_thread(self._scope, permission)
        return self._facts(scope.part.report())

    async def answer_for(self, question: str, permission: Permission) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the passages that fit the question, or say that none does.

        Close the generator to hang up on the model. Raises :class:`SourceError` where the index
        can't be read, and where the model stops in the middle of its answer.
        """
        if is_smalltalk(question):
            yield quoted()
            yield TextDelta(greet(await self._suggest(permission)))
            return
        await self._refresh()
        try:
            found = await asyncio.to_thread(lambda: search(question, self._scope(permission)))
        except EngineError as error:
            raise SourceError(str(error)) from error
        if self._writer and measure_coverage(found.query, found.ranked) >= _WORTH_ASKING:
            async with contextlib.aclosing(self._generate(self._writer, question, found)) as events:
                async for event in events:
                    yield event
        else:
            suggested = () if found.quotes or found.unquotable else await self._suggest(permission)
            for event in self._extract(found, suggested):
                yield event

    def _scope(self, permission: Permission) -> Scope:
        if permission is EVERYTHING:
            return self._documents.find_scope()
        sees = permission.may_see if permission.sees else None
        return self._documents.find_scope(sees, permission.may_extract)

    async def _suggest(self, permission: Permission) -> tuple[str, ...]:
        return self._suggestions if permission is EVERYTHING else await self.suggestions_for(permission)

    def _extract(self, found: Search, suggested: Sequence[str] = (), notice: str = "") -> list[AnswerEvent]:
        """The sentences that answer, each with its marker."""
        preface: list[AnswerEvent] = [quoted(), *([TextDelta(f"{notice}\n\n")] if notice else [])]
        if not found.quotes:
            said = explain_no_answer(suggest_near(found), suggested)
            return [*preface, *(self._name_unquotable(found, 0) or [TextDelta(said)])]
        passages = number_passages(quote.found.passage for quote in found.quotes)
        references = self._documents.describe_passages(found.scope.part, passages)
        text = write_quotes(found.quotes, passages)
        return [
            *preface,
            ReferencesFound(references, complete=True),
            TextDelta(text),
            *self._name_unquotable(found, len(passages)),
        ]

    def _name_unquotable(self, found: Search, before: int) -> list[AnswerEvent]:
        """Behind ``before`` references, those of what answers and may not be quoted."""
        documents = (self._documents.describe(found.scope.part, path).whole for path in found.unquotable)
        references = tuple(describe_unquotable(place, one) for place, one in enumerate(documents, before + 1))
        if not references:
            return []
        text = list_unquotable(references, after=before > 0)
        return [ReferencesFound(references, complete=True), TextDelta(f"\n\n{text}" if before else text)]

    async def _generate(
        self, writer: OpenAIWriter, question: str, found: Search
    ) -> AsyncGenerator[AnswerEvent, None]:
        """What the model writes over the best passages, or the quoted sentences if it writes nothing."""
        passages = number_passages(one.passage for one in found.ranked[:_GIVEN])
        references = self._documents.describe_passages(found.scope.part, passages)
        begun = False
        try:
            async with contextlib.aclosing(generate(writer, question, references)) as events:
                async for event in events:
                    begun = True
                    yield event
            for event in self._name_unquotable(found, len(references)):
                yield event
        except SourceError as error:
            if begun:
                raise
            _log.warning("the model did not answer: %s", error)
            for event in self._extract(found, notice=say(Sentence.MODEL_FAILED_SO_QUOTED)):
                yield event

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
