"""Answers from what the user's module is or makes: an engine of LlamaIndex, or a document store."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncGenerator
from typing import Final

from citations import AnswerEvent, LabelRanking, Reference

from ...config.env import SettingsError
from ...config.llamaindex import LlamaIndexOptions
from .. import AnswerSource, EarlierTurn, answer_in_conversation
from ..folder.folder_view import FolderWithin
from ..model_writer import ModelWriter
from ..permission import EVERYTHING, Permission
from ..provider import Provider
from ..source_limit import CheckedSource
from .document_store import DocumentStore
from .engine_source import EngineSource
from .failure import failure, translate_errors
from .load import make
from .stored_source import StoredSource


class LlamaIndexSource:
    """Asks the engine that ``found`` is or makes; see :func:`~.load.make`.

    A :class:`DocumentStore` answers as a folder does, with links below ``document_base``. ``writer``
    writes the answer from passages; without it, they are quoted. What ``ranking`` labels as encrypted is
    only named. ``deadline`` and ``patience`` are the timeouts of its :class:`Provider`, in seconds.
    """

    title: Final = "LlamaIndex"

    def __init__(  # noqa: PLR0913 - each is a setting of its own
        self,
        found: object,
        options: LlamaIndexOptions,
        *,
        document_base: str = "",
        writer: ModelWriter | None = None,
        ranking: LabelRanking | None = None,
        deadline: float = 180.0,
        patience: float = 60.0,
    ) -> None:
        self.provider = Provider(name="llamaindex", deadline=deadline, patience=patience)
        self._make = functools.partial(make, found, options)
        self._making: asyncio.Task[EngineSource | StoredSource] | None = None
        self._made: EngineSource | StoredSource | None = None
        self._document_base = document_base
        self._writer = writer
        self._ranking = ranking

    async def open(self) -> None:
        """Make the engine, however long that takes. If it fails, each question retries it.

        Raises :class:`SettingsError` if a retry can't give an engine either.
        """
        try:
            await self._prepare()
        except SettingsError:
            raise
        except Exception as error:  # noqa: BLE001 - each question retries it
            self.provider.note_failure(failure(error, begun=False))

    async def close(self) -> None:
        """Close the writer's connections."""
        if self._making:
            self._making.cancel()
        if self._writer:
            await self._writer.close()

    async def try_model(self) -> None:
        """Try whether the writer's model answers, if there is one; its facts and the log say so."""
        if self._writer:
            await self._writer.try_once()

    async def suggestions(self) -> tuple[str, ...]:
        """Questions that stored documents answer. An engine doesn't list what it can answer."""
        return await self.suggestions_for(EVERYTHING)

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """The same, from the documents that ``permission`` lets a person see."""
        return await self._limit(permission).suggestions() if self._made else ()

    async def facts(self) -> dict[str, str | int]:
        """Whether the engine answers, its class, and whether the model answers."""
        return await self.facts_for(EVERYTHING)

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The same, without what is known of documents that ``permission`` hides."""
        return await self._limit(permission).facts() if self._made else self.provider.facts()

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a stored document; an engine does not know its documents by their paths."""
        return await self._made.describe_document(path) if isinstance(self._made, StoredSource) else None

    def within(self, permission: Permission) -> FolderWithin:
        """The source, restricted to the documents that ``permission`` lets a person see.

        A document store restricts its search. The references of any other engine are checked before its
        answer is shown.
        """
        return FolderWithin(self, permission)

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from everything, as :meth:`answer_for` does."""
        return self.answer_for(question, EVERYTHING)

    def answer_after(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from everything, after the person's earlier turns."""
        return self.answer_for(question, EVERYTHING, earlier)

    async def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what ``permission`` lets a person see, after the person's ``earlier`` turns.

        Closing the generator cancels the request. Raises a :class:`SourceError` or
        :class:`AnswerFormatError`, after the events that came before it.
        """
        if self._made is None:
            async with self.provider.exchange() as exchange:
                await exchange.open(lambda: translate_errors(self._prepare()))
        answer = answer_in_conversation(self._limit(permission), question, earlier)
        async with contextlib.aclosing(answer) as events:
            async for event in events:
                yield event

    def _limit(self, permission: Permission) -> AnswerSource:
        """The source that was made, restricted to what ``permission`` lets a person see."""
        if isinstance(self._made, StoredSource):
            return self._made.within(permission)
        assert self._made is not None  # noqa: S101 - its callers have seen to that
        return self._made if permission.sees is None else CheckedSource(self._made, permission)

    async def _prepare(self) -> None:
        """Make the engine, once for all questions. If that failed, it is retried here."""
        if self._making is None or (self._making.done() and self._making.exception()):
            self._making = asyncio.create_task(self._create())
        # A cancelled question must not cancel the task, because other questions wait for it.
        self._made = await asyncio.shield(self._making)

    async def _create(self) -> EngineSource | StoredSource:
        made = await self._make()
        if not isinstance(made, DocumentStore):
            return EngineSource(made, self.provider, writer=self._writer, ranking=self._ranking)
        stored = StoredSource(
            made,
            self.provider,
            document_base=self._document_base,
            writer=self._writer,
            ranking=self._ranking,
        )
        await stored.open()
        return stored
