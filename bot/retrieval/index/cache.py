"""Chooses the directory in which the index of a folder is stored."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

import platformdirs

_APPLICATION: Final = "botframework-citations"
_UNSAFE: Final = re.compile(r"[^\w.-]+")


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
