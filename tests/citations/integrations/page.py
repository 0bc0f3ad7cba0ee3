"""The Python of a page, block by block."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def blocks(page: str) -> list[str]:
    found = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found
    return found
