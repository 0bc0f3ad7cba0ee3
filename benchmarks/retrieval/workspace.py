"""This module has the directories and the embedder with which a benchmark indexes documents."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.meaning.comparison import PartMeaning
from bot.retrieval.meaning.embedder import Embedder
from bot.sources.local_embedder import LocalEmbedder
from bot.sources.universal_encoder import is_installed


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where documents are copied and indexed.

    ``kept`` is a directory that keeps indexes and vectors for the next run; without it they are temporary.
    """

    kept: Path | None = None
    by_meaning: bool = True

    @contextmanager
    def open(self, name: str) -> Iterator[Path]:
        """Provide the directory of one set of documents."""
        if self.kept:
            directory = self.kept / name
            directory.mkdir(parents=True, exist_ok=True)
            yield directory.resolve()
            return
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)

    def create_embedder(self) -> Embedder | None:
        """Load the local embedder, which the bot has by default; None where words alone find passages."""
        if not (self.by_meaning and is_installed()):
            return None
        embedder = LocalEmbedder()
        embedder.embed(["?"])
        return embedder

    @contextmanager
    def index(self, folder: Path, cache: Path) -> Iterator[FolderIndex]:
        """Index a folder, and wait until all of its passages have vectors."""
        index = FolderIndex(folder, cache, self.create_embedder())
        index.update()
        wait_for(index.whole.meaning)
        yield index
        index.close()


def wait_for(meaning: PartMeaning | None) -> None:
    """Wait until all passages have vectors."""
    while meaning and not meaning.is_complete:
        time.sleep(0.2)
