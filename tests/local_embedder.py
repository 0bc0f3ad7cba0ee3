"""The local models, loaded once in a process, and the sample documents, embedded once in a run of the tests.

To load the models takes a second, and they keep nothing of what they embed. To embed the samples takes five.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from filelock import FileLock

from bot.app.settings import SAMPLES
from bot.retrieval.index.folder_index import FolderIndex
from bot.sources.folder.source import choose_cache_directory
from bot.sources.local_embedder import LocalEmbedder
from tests.concept_embedder import wait_until_embedded


@cache
def local_embedder() -> LocalEmbedder:
    return LocalEmbedder()


def embed_samples(directory: Path) -> None:
    """Have an index of the samples in a cache directory. Other processes wait for the one that comes first."""
    with FileLock(directory.with_suffix(".lock")):
        open_samples(directory).close()


def open_samples(directory: Path) -> FolderIndex:
    """The index of the samples in a cache directory, with each passage embedded."""
    index = FolderIndex(SAMPLES, choose_cache_directory(SAMPLES, directory), local_embedder())
    index.update()
    wait_until_embedded(index)
    return index
