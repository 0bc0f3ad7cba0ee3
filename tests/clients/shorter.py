"""Answers made shorter, while an engine goes on finding the same in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .answers import HostileAnswer
from .engines import Engines
from .rendered import JudgedText, judged, plain_answer, rendered


def shorter(engines: Engines, channel_id: str, first: JudgedText, kind: str, engine: str) -> JudgedText:
    """The shortest answer that leads to the same finding, by leaving pieces out."""
    found: JudgedText | None = first
    while found:
        best = found
        tries = _tries(best.rendered.hostile)
        found = next(filter(None, (_found(engines, channel_id, some, kind, engine) for some in tries)), None)
    return best


def _tries(hostile: HostileAnswer) -> Iterator[list[HostileAnswer]]:
    """The answer without this and that, the largest pieces first."""
    text = hostile.answer.text
    plain = plain_answer(text)
    if hostile != plain:
        yield [plain]
        yield [replace(hostile, live_hosts=frozenset())] if hostile.live_hosts else []
        yield [_changed(hostile, dialect=None)] if hostile.answer.dialect else []
    size = len(text) // 2
    while size:
        yield [
            _changed(hostile, text=text[:start] + text[start + size :]) for start in range(0, len(text), size)
        ]
        size //= 2


def _changed(hostile: HostileAnswer, **fields: object) -> HostileAnswer:
    return replace(hostile, answer=replace(hostile.answer, **fields))  # type: ignore[arg-type]


def _found(
    engines: Engines, channel_id: str, tries: list[HostileAnswer], kind: str, engine: str
) -> JudgedText | None:
    texts = [text for hostile in tries for text in rendered(channel_id, hostile)]
    for one in judged(engines, texts) if texts else ():
        if any(finding.kind == kind and finding.engine == engine for finding in one.findings):
            return one
    return None
