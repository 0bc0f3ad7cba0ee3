"""A folder of documents for a test, and its index in a cache of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.retrieval.index.folder_index import FolderIndex


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
