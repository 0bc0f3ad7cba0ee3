"""Answers from what the user's module is or makes: an engine of LlamaIndex, or a document store."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterable
from typing import Final

from citations import AnswerEvent, LabelRanking, Reference

from ...config.answer_sources import LlamaIndexOptions
from ...config.env import SettingsError
from .. import EarlierTurn, SelectiveSource
from ..errors import SourceError
from ..model_writer import ModelWriter
from ..permission import Permission
from ..provider import Provider
from .engine import write_filters
from .engine_source import EngineSource
from .failure import failure, translate_errors
from .load import adapt_made, make, takes_filters
from .stored_source import DocumentStore, StoredSource, name_store

_Restriction = frozenset[tuple[str, frozenset[str]]]
"""The fields of metadata and their values to which a search is restricted; empty for everything."""
_ENGINES: Final = 32
"""At most so many engines with different filters are kept, those that were asked last."""


class LlamaIndexSource(SelectiveSource):
    """Asks the engine that ``found`` is or makes; see :func:`~.load.make`.

    A :class:`DocumentStore` answers as a folder does, with links below ``document_base``. ``writer``
    writes the answer from passages; without it, they are quoted. What ``ranking`` labels as encrypted is
    only named.

    A document store restricts its search to what a person may see, and so does an engine that takes
    filters. All that any other engine finds is checked before its answer is shown.
    """

    title: Final = "LlamaIndex"

    def __init__(
        self,
        found: object,
        options: LlamaIndexOptions,
        *,
        document_base: str = "",
        writer: ModelWriter | None = None,
        ranking: LabelRanking | None = None,
    ) -> None:
        self.provider = Provider(name="llamaindex", patience=60.0)
        self._found = found
        self._options = options
        self._takes_filters = takes_filters(found)
        self._making: dict[_Restriction, asyncio.Task[EngineSource | StoredSource]] = {}
        self._made: EngineSource | StoredSource | None = None
        self._document_base = document_base
        self._writer = writer
        self._ranking = ranking

    @property
    def unread_label(self) -> str | None:
        """As of a document store, as long as there is no engine: that knows none of its documents."""
        return (self._made or StoredSource).unread_label

    async def open(self) -> None:
        """Make the engine, however long that takes. If it fails, each question retries it.

        Raises :class:`SettingsError` if a retry can't give an engine either.
        """
        try:
            await self._prepare()
        except SettingsError:
            raise
        except SourceError as error:
            self.provider.note_failure(error)
        except Exception as error:  # noqa: BLE001 - each question retries it
            self.provider.note_failure(failure(error, begun=False))

    async def close(self) -> None:
        """Close the writer's connections."""
        for making in self._making.values():
            making.cancel()
        if self._writer:
            await self._writer.close()

    async def try_model(self) -> None:
        """Try whether the writer's model answers, if there is one; its facts and the log say so."""
        if self._writer:
            await self._writer.try_once()

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Questions that stored documents answer. An engine doesn't list what it can answer."""
        return await self._made.suggestions_for(permission) if self._made else ()

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """Whether the engine answers, its class, and whether the model answers."""
        return await self._made.facts_for(permission) if self._made else self.provider.facts()

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a stored document; an engine does not know its documents by their paths."""
        return await self._made.describe_document(path) if self._made else None

    async def renew(self, references: Iterable[Reference]) -> dict[Reference, Reference]:
        """As a document store does; an engine does not know its documents."""
        made = await translate_errors(self._prepare())
        return await made.renew(references)

    async def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what ``permission`` lets a person see, after the person's ``earlier`` turns.

        Closing the generator cancels the request. Raises a :class:`SourceError` or
        :class:`AnswerFormatError`, after the events that came before it.
        """
        restriction = _restrict(permission) if self._takes_filters else frozenset()
        if self._made is None or restriction:
            async with self.provider.exchange() as exchange:
                made = await exchange.open(lambda: translate_errors(self._prepare(restriction)))
        else:
            made = self._made
        async with contextlib.aclosing(made.answer_for(question, permission, earlier)) as events:
            async for event in events:
                yield event

    async def _prepare(self, restriction: _Restriction = frozenset()) -> EngineSource | StoredSource:
        """Make the engine, once for all questions with this restriction. If that failed, retry it."""
        making = self._making.pop(restriction, None)
        if making is None or (making.done() and (making.cancelled() or making.exception())):
            making = asyncio.create_task(self._create(restriction))
        self._making[restriction] = making
        for least_recent in list(self._making)[:-_ENGINES]:
            del self._making[least_recent]
        # A cancelled question must not cancel the task, because other questions wait for it.
        made = await asyncio.shield(making)
        if not restriction:
            self._made = made
        return made

    async def _create(self, restriction: _Restriction) -> EngineSource | StoredSource:
        filters = write_filters(restriction) if restriction else None
        made = await name_store(make(self._found, self._options, filters))
        if not isinstance(made, DocumentStore):
            engine = adapt_made(made, self._options)
            return EngineSource(engine, self.provider, writer=self._writer, ranking=self._ranking)
        stored = StoredSource(
            made,
            self.provider,
            document_base=self._document_base,
            writer=self._writer,
            ranking=self._ranking,
        )
        await stored.open()
        return stored


def _restrict(permission: Permission) -> _Restriction:
    """The fields by which the engine's store filters.

    Several stores take a filter without values for none. So they get none, and what they find is dropped.
    """
    fields = permission.metadata or {}
    if not all(fields.values()):
        return frozenset()
    return frozenset((field, frozenset(values)) for field, values in fields.items())
