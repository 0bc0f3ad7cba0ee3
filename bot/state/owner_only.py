"""Files and directories that no other user of the machine may read."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def restrict(path: Path) -> None:
    """Leave ``path`` to its owner. Raises ``OSError`` where the system refuses that.

    Windows has no such bits: what is there has the access list of its directory, which is the user's own
    below their profile.
    """
    if os.name == "nt":
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _OTHERS:
        path.chmod(mode & ~_OTHERS)
