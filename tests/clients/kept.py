"""The answers that an engine once read otherwise than it should."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).parent / "kept.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """An answer with one reference; ``why`` says what was read.

    Each of ``spans`` cites the reference by place: start, end, and whether the badge replaces the words.
    """

    channel: str
    text: str
    why: str
    name: str | None = "Handbook"
    url: str | None = "https://good.example/1"
    spans: list[tuple[int, int, bool]] = field(default_factory=list)


@functools.cache
def read_kept_answers() -> tuple[KeptAnswer, ...]:
    """All of them."""
    return tuple(KeptAnswer(**one) for one in json.loads(FILE.read_text(encoding="utf-8")))
