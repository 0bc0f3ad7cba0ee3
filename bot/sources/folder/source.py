"""Answers from a local folder of documents, without key, account or internet."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import logging
import os
import re
from pathlib import Path
from typing import Final

import platformdirs

from citations import LabelRanking, Reference

from ...languages import CATALOGUES, Sentence, language, say
from ...retrieval import Candidates, Embedder, Scope, suggest
from ...retrieval.files import FORMATS as FORMATS  # noqa: PLC0414 - for the package's door
from ...retrieval.index import FolderIndex, IndexPart, IndexReport
from ...retrieval.passages import KnownFile
from ...retrieval.reading import IndexProgress
from .. import ReadingState
from ..model_writer import ModelWriter
from ..permission import EVERYTHING, Permission
from .added_files import AddedFiles
from .document_source import DocumentSource, Selection
from .upkeep import IndexUpkeep

__all__ = ["FolderSource", "IndexReport", "ListedDocument"]

_log = logging.getLogger(__name__)

ListedDocument = tuple[KnownFile, Reference]
"""The record of a document, and its description: its name, and its sensitivity label."""
_SUGGESTION_TIMEOUT: Final = 1.5
"""Seconds that the suggestions of a greeting wait for the first update, which may be reading files."""
_APPLICATION: Final = "botframework-citations"
_UNSAFE: Final = re.compile(r"[^\w.-]+")


class FolderSource(DocumentSource):
    """Answers from the documents in a folder; most parameters are those of :class:`DocumentSource`.

    ``document_base`` is the URL of the folder in the app, and ends in ``/``. It is ``named`` by a sentence,
    or as the folder is. ``cache`` replaces the user's cache directory. With an ``embedder``, passages are
    found by their meaning too. With ``may_add``, files that this machine's user adds are searched like
    those of the folder.
    """

    def __init__(  # noqa: PLR0913 - all but the folder are optional parts, given by name
        self,
        folder: Path,
        *,
        document_base: str,
        named: Sentence | None = None,
        cache: Path | None = None,
        writer: ModelWriter | None = None,
        ranking: LabelRanking | None = None,
        embedder: Embedder | None = None,
        may_add: bool = False,
    ) -> None:
        super().__init__(document_base=document_base, writer=writer, ranking=ranking)
        home = choose_cache_directory(folder, cache)
        # A served bot has an index of its own, which never holds what was added for one machine's user.
        home = home / "local" if may_add else home
        self.home = home
        """The directory of the index, and of what this machine's user has chosen."""
        self.added = AddedFiles(home) if may_add else None
        """The files that this machine's user added to the folder; None where there may be none."""
        self._folder, self._named = folder, named
        self._embedder = self._first_embedder = embedder
        self._index = FolderIndex(
            folder, home, embedder, home=home if may_add else None, may_leave=self._may_leave
        )
        self._upkeep = IndexUpkeep(self._index, self._warn_of_unmatched_rules)

    @property
    def title(self) -> str:
        """The title of the answer source."""
        return say(self._named) if self._named else self._folder.resolve().name

    @property
    def report(self) -> IndexReport:
        """The numbers of documents and passages, and the files that were skipped."""
        return self._index.report

    @property
    def knows_meaning(self) -> bool:
        """Whether a question is compared with all passages by meaning; True without an embedder."""
        return self._index.whole.know_meaning

    @property
    def is_read(self) -> bool:
        """Whether all files of the folder were read once, as far as they can be read."""
        return self._upkeep.is_read

    @property
    def reading(self) -> ReadingState:
        """How far the files of the folder are read, and their passages embedded."""
        progress = self.progress
        return ReadingState(
            self.is_read, progress.total - progress.read, progress.stalled, self._describe_work()
        )

    @property
    def _tells_owner(self) -> bool:
        return self.added is not None

    @property
    def _is_reading(self) -> bool:
        return self._upkeep.is_reading

    def _may_leave(self, known: KnownFile) -> bool:
        """Whether a document's text may be given to an embedding model elsewhere."""
        return not self._documents.encrypts(known)

    @property
    def progress(self) -> IndexProgress:
        """How far the reading is."""
        return self._index.progress

    async def open(self) -> None:
        """Begin to read the folder. Raises ``OSError`` where it is no folder."""
        if not self._folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(self._folder))
        if self._embedder:
            await self._embedder.open()
        await self._upkeep.open()

    async def close(self) -> None:
        """End a running update and the embedding, and close the connections to models."""
        await self._upkeep.close()
        if self._embedder:
            await self._embedder.close()
        await super().close()

    async def embed_with(self, embedder: Embedder | None) -> None:
        """Find passages by the vectors of ``embedder`` from now on; None is the one that came first.

        Until all passages have vectors of the new one, some are found by words alone.
        """
        former, self._embedder = self._embedder, embedder or self._first_embedder
        if self._embedder:
            await self._embedder.open()
        if former:
            await former.close()
        await asyncio.to_thread(self._index.embed_with, self._embedder)

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

    async def facts(self) -> dict[str, str | int]:
        """The numbers of documents, passages and skipped files, and the state of the model.

        While files are being read, ``reading`` says how far that is. ``stalled`` counts the seconds for which
        it does not move, if it does not.
        """
        facts = self._collect_facts(self.report, _describe_meaning(self._index.whole))
        if self.reading.unread:
            facts["reading"] = f"{self.progress.read} of {self.progress.total}"
        if stalled := self.progress.stalled:
            facts["stalled"] = stalled
        return facts

    async def list_documents(self) -> list[ListedDocument]:
        """The documents that can be asked, in order of their paths."""
        return await asyncio.to_thread(self._list_documents)

    def _describe_work(self) -> str:
        progress, meaning = self.progress, self._index.whole.meaning
        if not self.is_read or progress.reading or progress.waiting:
            return f"Reading: {progress.read} of {progress.total} files"
        if meaning is None or self.knows_meaning:
            return ""
        return f"Comparing meanings: {meaning.progress} passages"

    def _list_documents(self) -> list[ListedDocument]:
        listing = self._index.whole.listing
        documents = (one for _, one in sorted(listing.known.items()) if not one.reason)
        return [(one, reference) for one in documents if (reference := self._describe_in(listing, one.path))]

    def _warn_of_unmatched_rules(self) -> None:
        for rule in self._documents.describe_unmatched_rules(self._index.whole.listing):
            _log.warning("%s of the labels file matches no document of the folder", rule)

    async def describe_document(self, path: str) -> Reference | None:
        """Describe a document by the name that a reader tells it apart by, and by its label now."""
        await self._upkeep.refresh()
        return self._describe_in(self._index.whole.listing, path)

    def list_questions(self) -> frozenset[str]:
        """All questions of which a suggestion can be made now, whether they are answered or not."""
        scope = self._documents.select(self._index)[1]
        return frozenset(asked for path, asked in scope.listing.questions if scope.may_tell((path,)))

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Up to four questions that the visible documents answer; of all, once these are read."""
        if permission is EVERYTHING:
            await self._upkeep.wait_for_first(_SUGGESTION_TIMEOUT)
        _, scope = await asyncio.to_thread(self._find_part, permission)
        return suggest(scope, CATALOGUES[language()].name)

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """The facts about the visible documents. Those of all are kept, and none is looked at for them."""
        if permission is EVERYTHING:
            return await self.facts()
        part, _ = await asyncio.to_thread(self._find_part, permission)
        return self._collect_facts(part.listing.report(), _describe_meaning(part))

    async def _select(self, permission: Permission) -> Selection:
        await self._upkeep.refresh()
        part, scope = await asyncio.to_thread(self._find_part, permission)

        async def find(_: str) -> Candidates:
            return part

        return Selection(scope, find)

    def _find_part(self, permission: Permission) -> tuple[IndexPart, Scope]:
        if permission is EVERYTHING:
            return self._documents.select(self._index)
        may_see = permission.may_see if permission.is_limited else None
        return self._documents.select(self._index, may_see, permission.may_extract)


def _describe_meaning(part: IndexPart) -> dict[str, str | int]:
    return {"meaning": part.meaning.progress} if part.meaning else {}


def choose_cache_directory(folder: Path, root: Path | None = None) -> Path:
    """The directory for the index of a folder; it may not exist yet.

    On Linux this is ``~/.cache/botframework-citations/handbook-1f0c9a2b``. On macOS it is below
    ``~/Library/Caches``, on Windows below ``%LOCALAPPDATA%``. Its name is the folder's name and a
    hash of the folder's resolved path. ``root`` replaces the user's cache directory.
    """
    base = root or Path(platformdirs.user_cache_dir(_APPLICATION, appauthor=False))
    resolved = folder.resolve()
    name = _UNSAFE.sub("-", resolved.name).strip("-.")[:60] or "folder"
    return base / f"{name}-{hashlib.sha256(str(resolved).encode()).hexdigest()[:8]}"
