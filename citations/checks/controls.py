"""Controls that reorder what is shown: a name or a title reads as another (Unicode TR 36)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..model.errors import Problem
from ..text.json_path import at
from .claims import ReadClaim
from .definitions import TEXT
from .rules import problem
from .text import ReadText

_CONTROL: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")


def check_controls(read: ReadText, claims: Sequence[ReadClaim]) -> Iterator[Problem]:
    """Bidirectional controls in the names of citations and the titles of definitions."""
    named: list[tuple[str, str | None]] = [(TEXT, one.title) for one in read.resolved.values()]
    named += [(at(claim.place, "name"), claim.name) for claim in claims]
    for path, name in named:
        if found := _CONTROL.search(name or ""):
            yield problem("bidi-control", path, character=f"U+{ord(found[0]):04X}")
