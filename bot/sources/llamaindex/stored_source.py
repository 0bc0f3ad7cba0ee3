"""Answers from a folder's passages in a document store, as from the folder itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Final

from citations import LabelRanking, Reference

from ...retrieval.candidates import Candidate, search_candidates
from ...retrieval.elliptic import CompleteQuestion
from ...retrieval.engine import SearchEngine
from ...retrieval.known_file import KnownFile
from ...retrieval.meaning import PartMeaning
from ...retrieval.part import IndexPart, IndexReport, make_part
from ...retrieval.search import Scope, SearchResult
from ...telemetry.log import logger
from ..folder import FolderSource
from ..model_writer import ModelWriter
from ..permission import Permission
from ..provider import Provider
from .document_store import DocumentStore
from .passage_node import StoredPassage

log = logger(__name__)

_LIST_INTERVAL: Final = 30.0
"""The least seconds between two listings of the stored documents."""
_SUGGESTIONS: Final = 4


class StoredSource(FolderSource):
    """A folder whose passages are in ``store``. The parameters are those of :class:`FolderSource`.

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
        super().__init__(Path(), document_base=document_base, writer=writer, ranking=ranking)
        self._store = store
        self._provider = provider
        self._listing = make_part(SearchEngine(None), {})
        self._listed: float | None = None
        self._interval = _LIST_INTERVAL
        self._lock = Lock()

    async def open(self) -> None:
        """List the stored documents. Raises :class:`SourceError` where the store fails."""
        await asyncio.to_thread(self._list_files)
        if not self._listing.known:
            log.warning("no documents are stored", place=self._store.place)

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Questions from the headings of the documents that ``permission`` lets a person see."""
        scope = await asyncio.to_thread(self._find_scope, permission)
        named = (question for path, question in scope.part.heading_questions if path not in scope.unquotable)
        return tuple(dict.fromkeys(named))[:_SUGGESTIONS]

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a stored document by the name that a reader tells it apart by, and by its label."""
        return self._describe_in(self._listing, path)

    def _collect_facts(self, report: IndexReport, meaning: PartMeaning | None) -> dict[str, str | int]:
        return super()._collect_facts(report, meaning) | self._provider.facts()

    async def _refresh(self) -> None:
        """Do nothing, because the scope lists the stored documents."""

    async def _search(self, complete: CompleteQuestion, scope: Scope) -> SearchResult:
        async with self._provider.exchange() as exchange:
            found = await exchange.open(lambda: asyncio.to_thread(self._find, complete.text, scope.part))
        return await asyncio.to_thread(search_candidates, complete, scope, found)

    def _find(self, question: str, part: IndexPart) -> list[Candidate]:
        paths = None if part is self._listing else part.known
        found = self._store.find(question, paths)
        # Whether a document may be seen and quoted was decided by the labels that were listed.
        current = [one for one in found if _is_listed(one.stored, part.known)]
        if len(current) < len(found):
            self._listed = None
        return [Candidate(one.stored.passage, one.likeness) for one in current]

    def _find_scope(self, permission: Permission) -> Scope:
        """The records of the stored documents that ``permission`` lets a person see."""
        self._list_files()
        part = self._listing
        if permission.is_limited:
            visible = {
                path: file
                for path, file in part.known.items()
                if permission.may_see(self._documents.describe(part, path).reference)
            }
            part = make_part(part.engine, visible)
        return self._documents.limit(part, permission.may_extract)

    def _list_files(self) -> None:
        """List the stored documents, unless that was done just now or is being done."""
        if self._listed is not None and time.monotonic() - self._listed < self._interval:
            return
        if not self._lock.acquire(blocking=self._listed is None):
            return
        try:
            started = time.monotonic()
            self._listing = make_part(self._listing.engine, self._store.list_files())
            self._listed = time.monotonic()
            self._interval = max(_LIST_INTERVAL, 20 * (self._listed - started))
        finally:
            self._lock.release()


def _is_listed(stored: StoredPassage, listing: Mapping[str, KnownFile]) -> bool:
    known = listing.get(stored.passage.path)
    return known is not None and tuple(known.labels) == stored.labels
