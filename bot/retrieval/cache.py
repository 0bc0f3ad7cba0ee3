"""Where the index of a folder is kept: in the user's cache directory, beside the folder's name."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

import platformdirs

_APPLICATION: Final = "botframework-citations"
_UNSAFE: Final = re.compile(r"[^\w.-]+")


def choose_cache_directory(folder: Path, root: Path | None = None) -> Path:
    """The directory for what is kept about a folder; it need not exist yet.

    ``~/.cache/botframework-citations/handbook-1f0c9a2b`` on Linux, below ``~/Library/Caches`` on
    macOS and ``%LOCALAPPDATA%`` on Windows: the folder's name to recognise it by, and a hash of its
    whole path. ``root`` replaces the user's cache directory.
    """
    base = root or Path(platformdirs.user_cache_dir(_APPLICATION, appauthor=False))
    whole = folder.resolve()
    name = _UNSAFE.sub("-", whole.name).strip("-.")[:60] or "folder"
    return base / f"{name}-{hashlib.sha256(str(whole).encode()).hexdigest()[:8]}"
