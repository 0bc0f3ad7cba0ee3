"""The answers of ``answers.json``, as each peer's model would write them.

In the file ``⟦1⟧`` cites the first source. ``⟪1⟫`` looks the same to a peer, and is no citation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from .bots.wire import Job, Source

FILE: Final = Path(__file__).with_name("answers.json")
_MARKER: Final = re.compile(r"⟦(\d+)⟧|⟪(\d+)⟫")


class MarkerForm(Enum):
    """How the models of a peer cite, as its documentation says."""

    NUMBER = "[{number}]"
    DOC = "[doc{number}]"
    NAMED = "[{name}]({id})"
    NONE = ""


@dataclass(frozen=True)
class Case:
    """An answer with what it is there for. ``decoys`` are sources that only a false marker names."""

    id: str
    why: str
    text: str
    sources: tuple[Source, ...]
    hostile: bool = False
    plain: tuple[str, ...] = ()
    decoys: tuple[int, ...] = ()

    @cached_property
    def uses(self) -> list[int]:
        """The source of each citation."""
        return [int(found[1]) for found in _MARKER.finditer(self.text) if found[1]]

    @property
    def sources_in_order(self) -> list[str]:
        """The distinct sources that are cited, by address or name, in order of first use."""
        used = [self.sources[number - 1] for number in self.uses]
        return list(dict.fromkeys(one["url"] or one["name"] for one in used))

    @property
    def urls(self) -> set[str]:
        return {one["url"] for one in self.sources}

    def write(self, form: MarkerForm) -> str:
        """The answer with this form of markers; without one, a false marker is a number in brackets."""
        return _written(self.text, form, self.sources)

    def literals(self, form: MarkerForm) -> list[str]:
        """The words that stay readable."""
        return [_written(one, form, self.sources) for one in self.plain]

    def job(self, name: str, channel: str, form: MarkerForm, *, pieces: int = 1) -> Job:
        """The answer in so many pieces, whose cuts stand in markers where it has any."""
        text = self.write(form)
        cuts = sorted({len(text) * n // pieces for n in range(1, pieces)})
        if pieces > 1 and form is not MarkerForm.NONE:
            begin = text.find(form.value.partition("{")[0])
            cuts = sorted({begin + 2, *cuts})
        ends = [*cuts, len(text)]
        return Job(
            id=name,
            channel=channel,
            pieces=[text[a:b] for a, b in zip([0, *cuts], ends, strict=True) if a < b],
            sources=list(self.sources),
            places=self._places() if form is MarkerForm.NONE else [],
        )

    def _places(self) -> list[tuple[int, int]]:
        pieces = [(found, self.text[: found.start()]) for found in _MARKER.finditer(self.text) if found[1]]
        return [
            (len(_written(before, MarkerForm.NONE, self.sources)), int(found[1])) for found, before in pieces
        ]


def _written(text: str, form: MarkerForm, sources: tuple[Source, ...]) -> str:
    def marker(found: re.Match[str]) -> str:
        number = int(found[1] or found[2])
        used = MarkerForm.NUMBER if form is MarkerForm.NONE and found[2] else form
        return used.value.format(number=number, **sources[number - 1])

    return _MARKER.sub(marker, text)


def load_cases() -> list[Case]:
    """All answers, in the order of the file."""
    rows: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    listed = {"sources", "plain", "decoys"}
    fields: Iterator[dict[str, Any]] = (
        {key: tuple(value) if key in listed else value for key, value in row.items()} for row in rows
    )
    return [Case(**one) for one in fields]
