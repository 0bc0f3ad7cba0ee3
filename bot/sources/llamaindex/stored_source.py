"""Answers from a folder's passages in a document store, as from the folder itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from threading import Lock
from typing import Final

from citations import LabelRanking, Reference

from ...retrieval import Candidates, Scope
from ...retrieval.index import FoundPassages, Listing, list_documents
from ...retrieval.passages import KnownFile
from ...telemetry.log import logger
from ..folder.document_source import DocumentSource, Selection
from ..model_writer import ModelWriter
from ..permission import Permission
from ..provider import Provider
from .document_store import DocumentStore, StoredPassage

log = logger(__name__)

_LIST_INTERVAL: Final = 30.0
"""The least seconds between two listings of the stored documents."""
_SUGGESTIONS: Final = 4


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
        self._listing = list_documents({})
        self._listed: float | None = None
        self._interval = _LIST_INTERVAL
        self._lock = Lock()

    @property
    def title(self) -> str:
        """Where the documents are stored."""
        return self._store.place

    async def open(self) -> None:
        """List the stored documents. Raises :class:`SourceError` where the store fails."""
        await asyncio.to_thread(self._list_files)
        if not self._listing.known:
            log.warning("no documents are stored", place=self._store.place)
        for rule in self._documents.describe_unmatched_rules(self._listing):
            log.warning("a rule of the labels file matches no stored document", rule=rule)

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Questions from the headings of the documents that ``permission`` lets a person see."""
        scope = await asyncio.to_thread(self._find_scope, permission)
        kept = scope.unquotable | scope.withheld
        named = (question for path, question in scope.listing.questions if path not in kept)
        return tuple(dict.fromkeys(named))[:_SUGGESTIONS]

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The numbers of the documents that a person may see, and whether the store answers."""
        scope = await asyncio.to_thread(self._find_scope, permission)
        return self._collect_facts(scope.listing.report(), {}) | self._provider.facts()

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a stored document by the name that a reader tells it apart by, and by its label now."""
        await asyncio.to_thread(self._list_files)
        return self._describe_in(self._listing, path)

    async def _select(self, permission: Permission) -> Selection:
        scope = await asyncio.to_thread(self._find_scope, permission)

        async def find(question: str) -> Candidates:
            async with self._provider.exchange() as exchange:
                return await exchange.open(lambda: asyncio.to_thread(self._find, question, scope.listing))

        return Selection(scope, find)

    def _find(self, question: str, listing: Listing) -> FoundPassages:
        paths = None if listing is self._listing else listing.known
        found = self._store.find(question, paths)
        # Whether a document may be seen and quoted was decided by the labels that were listed.
        current = [one for one in found if _is_listed(one[0], listing.known)]
        if len(current) < len(found):
            self._listed = None
        passages = [(stored.passage, likeness) for stored, likeness in current]
        return FoundPassages(passages, listing.report().passages, listing.languages)

    def _find_scope(self, permission: Permission) -> Scope:
        """The stored documents that ``permission`` lets a person see."""
        self._list_files()
        listing = self._listing
        if permission.is_limited:
            visible = self._documents.find_visible(listing, permission.may_see)
            listing = list_documents({path: listing.known[path] for path in listing.known if path in visible})
        return self._documents.limit(listing, permission.may_extract)

    def _list_files(self) -> None:
        """List the stored documents, unless that was done just now or is being done."""
        if self._listed is not None and time.monotonic() - self._listed < self._interval:
            return
        if not self._lock.acquire(blocking=self._listed is None):
            return
        try:
            started = time.monotonic()
            self._listing = list_documents(self._store.list_files())
            self._listed = time.monotonic()
            self._interval = max(_LIST_INTERVAL, 20 * (self._listed - started))
        finally:
            self._lock.release()


def _is_listed(stored: StoredPassage, listing: Mapping[str, KnownFile]) -> bool:
    known = listing.get(stored.passage.path)
    return known is not None and tuple(known.labels) == stored.labels
