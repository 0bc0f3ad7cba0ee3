"""A folder of documents for a test with an index of its own, and the index of the samples that tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.retrieval.index.folder_index import FolderIndex
from tests.local_embedder import open_samples


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    directory = tmp_path / "handbook"
    directory.mkdir()
    return directory


@pytest.fixture
def indexed(folder: Path, tmp_path: Path) -> Callable[[], FolderIndex]:
    """The folder's index, made true to it, as a new process would."""

    def index() -> FolderIndex:
        found = FolderIndex(folder, tmp_path / "cache")
        found.update()
        return found

    return index


@pytest.fixture(scope="session")
def embedded_samples(samples_cache: Path) -> Iterator[FolderIndex]:
    """The index of the sample documents, whose passages the local models have embedded."""
    index = open_samples(samples_cache)
    yield index
    index.close()
