"""File permissions that keep other users of the machine out."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

_GROUP_AND_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def restrict(path: Path) -> None:
    """Remove all permissions of group and others from ``path``. Raises ``OSError`` where that fails.

    Windows has no such bits. There a file inherits its directory's access list, and a directory in the
    user's profile is their own.
    """
    if os.name == "nt":
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _GROUP_AND_OTHERS:
        path.chmod(mode & ~_GROUP_AND_OTHERS)
