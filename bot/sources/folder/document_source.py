"""Answers from documents that are listed, wherever their passages are searched."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from abc import abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from citations import AnswerEvent, AnswerKind, LabelRanking, Reference, TextDelta
from citations.model import QuestionsSuggested

from ...languages import Sentence, say
from ...retrieval import Candidates, Found, Scope, search
from ...retrieval.answer import SearchResult
from ...retrieval.index import IndexReport, Listing
from ...retrieval.passages import UNREADABLE
from ...retrieval.question import Task
from ...retrieval.words import EngineError
from ...retrieval.words.language import is_thanks
from .. import EarlierTurn, SelectiveSource, SourceError
from ..model_writer import ModelWriter
from ..permission import EVERYTHING, Permission, path_of
from ..question_completion import QuestionCompleter
from ..sentences import Notice, explain_search, suggest_questions
from .answer import answer_found
from .documents import Documents
from .labels import FolderLabels
from .result_events import reply_to_smalltalk, reply_without_documents

_MODEL_PASSAGES: Final = 6
"""The model receives this many passages at most."""
_DOCUMENT_PASSAGES: Final = 15
"""The same of a document that it is to summarize: about 30,000 characters."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The documents that one person may search; ``find`` returns the passages for a question."""

    scope: Scope
    find: Callable[[str], Awaitable[Candidates]]


class DocumentSource(SelectiveSource):
    """Answers from documents in their own words or, with a ``writer``, in a model's.

    A passage links to its document below ``document_base``. ``ranking`` adds labels to those in the
    documents' metadata. A document whose label encrypts is quoted, or passed to a model, only where the
    permission allows extraction.
    """

    knows_documents = True
    unread_label = UNREADABLE
    """The label in a file that is not read yet is unknown."""

    def __init__(
        self, *, document_base: str, writer: ModelWriter | None = None, ranking: LabelRanking | None = None
    ) -> None:
        self._documents = Documents(document_base, FolderLabels(ranking))
        self._retired: list[ModelWriter] = []
        """Writers that may still answer a question."""
        self._writer = writer
        self._completer = QuestionCompleter(writer)

    def write_with(self, writer: ModelWriter | None) -> None:
        """Have a model word the answers from the next question on; None: quote again."""
        if self._writer:
            self._retired.append(self._writer)
        self._writer, self._completer = writer, QuestionCompleter(writer)

    @abstractmethod
    async def _select(self, permission: Permission) -> Selection:
        """What ``permission`` lets a person search."""

    @property
    def _tells_owner(self) -> bool:
        """Whether each person who asks runs this bot, and may know why its model fails."""
        return False

    @property
    def _is_reading(self) -> bool:
        """Whether there are documents that are not read yet."""
        return False

    def _find_caution(self, result: SearchResult) -> Sentence | None:
        """Why a search a moment later may find more than this ``result``."""
        knows_meaning, answers = result.candidates.know_meaning, result.kind is AnswerKind.ANSWERED
        if self._is_reading and not (knows_meaning and answers):
            return Sentence.STILL_READING
        return None if knows_meaning or answers else Sentence.BY_WORDS

    async def close(self) -> None:
        """Close the connections to the models."""
        for writer in (*self._retired, self._writer):
            if writer:
                await writer.close()

    async def try_model(self) -> None:
        """Try whether the model answers, if there is one; its facts and the log say so."""
        if self._writer:
            await self._writer.try_once()

    async def renew(self, references: Iterable[Reference]) -> dict[Reference, Reference]:
        """Those of the references whose documents can still be searched, as they are labelled now."""
        scope = (await self._select(EVERYTHING)).scope
        return {
            one: replace(one, label=self._documents.describe(scope.listing, path).label)
            for one in references
            if scope.has(path := path_of(one))
        }

    def _describe_in(self, listing: Listing, path: str) -> Reference | None:
        """Describe a document by the name that a reader tells it apart by, and by its label."""
        if path not in listing.known:
            return None
        reference = self._documents.describe(listing, path)
        return replace(reference, name=listing.names.get(path) or reference.name)

    def _collect_facts(self, report: IndexReport, others: Mapping[str, str | int]) -> dict[str, str | int]:
        facts: dict[str, str | int] = {
            "source": "folder",
            "documents": report.documents,
            "passages": report.passages,
            "skipped": len(report.skipped),
            **others,
        }
        return facts | self._writer.facts() if self._writer else facts

    async def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the passages that match the question, show the nearest ones, or say that none does.

        A question that leaves something out is completed by the person's ``earlier`` ones, and the
        answer says so. A model reads the passages, also where the search thinks that they say nothing.
        Closing the generator ends the request to the model. Raises :class:`SourceError` where the index
        can't be read, and where the model fails in the middle of its answer.
        """
        if smalltalk := reply_to_smalltalk(question):
            suggestions = () if is_thanks(question) else await self.suggestions_for(permission)
            for event in (*smalltalk, *suggest_questions(suggestions)):
                yield event
            return
        try:
            selection = await self._select(permission)
            scope = replace(selection.scope, is_of_chosen=permission.is_of_chosen)
            if not (scope.listing.known or self._is_reading):
                for event in reply_without_documents():
                    yield event
                return
            complete = await self._completer.complete(
                question, earlier, lambda turn: scope.may_tell(map(path_of, turn.references))
            )
            candidates = await selection.find(complete.text)
            result = await asyncio.to_thread(
                search, complete.text, candidates, scope, taken_up=complete.taken_up
            )
        except EngineError as error:
            raise SourceError(str(error)) from error
        found = Found(result, self._documents)
        most = _MODEL_PASSAGES if result.task is not Task.SUMMARY else _DOCUMENT_PASSAGES
        given = found.describe(found.find_given(most)) if self._writer else ()
        suggest = functools.partial(self.suggestions_for, permission)
        answered = answer_found(
            complete.text, found, self._writer, given, suggest, tells_owner=self._tells_owner
        )
        notice = Notice(explain_search(question, complete.text, result.replaced))
        caution = self._find_caution(result)
        below = [TextDelta(f"\n\n{say(caution)}")] if caution else []
        async with contextlib.aclosing(answered) as events:
            async for event in events:
                if below and isinstance(event, QuestionsSuggested):
                    yield below.pop()
                yield notice.put_above(event)
        for event in below:
            yield event
