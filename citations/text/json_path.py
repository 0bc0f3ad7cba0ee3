"""JSON paths, such as ``$.entities[0].citation[2].position``."""

from __future__ import annotations

import json
import re
from typing import Final

_PLAIN: Final = re.compile(r"[@A-Za-z_][A-Za-z0-9_@-]*")


def at(path: str, step: str | int) -> str:
    """``path`` extended by an array's index or an object's key, which is quoted if needed."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    return f"{path}.{step}" if _PLAIN.fullmatch(step) else f"{path}[{json.dumps(step)}]"
