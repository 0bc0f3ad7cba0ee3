"""Answers from a folder's passages in a document store, as from the folder itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from citations import LabelRanking, Reference

from ...languages import CATALOGUES, language
from ...retrieval import Candidates, Scope, suggest
from ...telemetry.log import logger
from ..errors import SourceUnavailable
from ..folder.document_source import DocumentSource, Selection
from ..model_writer import ModelWriter
from ..permission import EVERYTHING, Permission
from ..provider import Provider
from .failure import failure
from .store import DocumentStore, StoreError

__all__ = ["DocumentStore", "StoredSource", "name_store"]

log = logger(__name__)

_T = TypeVar("_T")


class StoredSource(DocumentSource):
    """Answers from a folder's passages in ``store``, by the parameters of :class:`DocumentSource`.

    The store finds candidates; they are ranked, quoted and described as the folder's passages are.
    ``provider`` has the timeouts of the store.
    """

    def __init__(
        self,
        store: DocumentStore,
        provider: Provider,
        *,
        document_base: str,
        writer: ModelWriter | None = None,
        ranking: LabelRanking | None = None,
    ) -> None:
        super().__init__(document_base=document_base, writer=writer, ranking=ranking)
        self._store = store
        self._provider = provider

    @property
    def title(self) -> str:
        """Where the documents are stored."""
        return self._store.place

    async def open(self) -> None:
        """List the stored documents. Raises :class:`SourceError` where the store fails."""
        listing = (await self._find_scope(EVERYTHING)).listing
        if not listing.known:
            log.warning("no documents are stored", place=self.title)
        for rule in self._documents.describe_unmatched_rules(listing):
            log.warning("a rule of the labels file matches no stored document", rule=rule)

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Questions from the headings of the documents that ``permission`` lets a person see."""
        return suggest(await self._find_scope(permission), CATALOGUES[language()].name)

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The numbers of the documents that a person may see, and whether the store answers."""
        scope = await self._find_scope(permission)
        return self._collect_facts(scope.listing.report(), {}) | self._provider.facts()

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a stored document by the name that a reader tells it apart by, and by its label now."""
        return self._describe_in((await self._find_scope(EVERYTHING)).listing, path)

    async def _select(self, permission: Permission) -> Selection:
        scope = await self._find_scope(permission)

        async def find(question: str) -> Candidates:
            async with self._provider.exchange() as exchange:
                return await exchange.open(
                    lambda: name_store(asyncio.to_thread(self._store.find, question, scope.listing))
                )

        return Selection(scope, find)

    async def _find_scope(self, permission: Permission) -> Scope:
        """The stored documents that ``permission`` lets a person see."""

        def find() -> Scope:
            listing = self._store.listing
            if permission.is_limited:
                listing = listing.restrict(self._documents.find_visible(listing, permission.may_see))
            return self._documents.limit(
                listing, None if permission is EVERYTHING else permission.may_extract
            )

        return await name_store(asyncio.to_thread(find))


async def name_store(coming: Awaitable[_T]) -> _T:
    """Await ``coming``; an error of a store becomes one of the bot's, whose text begins with its place.

    Errors of a server that says what is wrong by a status stay those of :func:`~.failure.failure`.
    """
    try:
        return await coming
    except StoreError as error:
        known = failure(error.__cause__ or error, begun=False)
        if error.is_known:
            known = SourceUnavailable(str(error), transient=error.transient)
        else:
            known.args = (f"{error.place}: {known}", *known.args[1:])
        raise known from error
