"""Answers made shorter, while an engine goes on finding the same in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from citations import Answer

from .answers import HostileAnswer
from .engines import Engines
from .rendered import JudgedText, RenderedText, judged, plain_answer

Write = Callable[[HostileAnswer], list[RenderedText]]
"""What a client gets of an answer."""


def shorter(engines: Engines, write: Write, first: JudgedText, kind: str, engine: str) -> JudgedText:
    """The shortest answer that leads to the same finding, by leaving pieces out."""
    found: JudgedText | None = first
    while found:
        best = found
        tries = _tries(best.rendered.hostile)
        found = next(filter(None, (_found(engines, write, some, kind, engine) for some in tries)), None)
    return best


def _tries(hostile: HostileAnswer) -> Iterator[list[HostileAnswer]]:
    """The answer without this and that, the largest pieces first."""
    answer = hostile.answer
    plain = plain_answer(answer.text)
    if hostile != plain:
        yield [plain]
    if hostile.live_hosts:
        yield [HostileAnswer(answer)]
    if len(answer.spans) > 1:
        yield [replace(hostile, answer=replace(answer, spans=(one,))) for one in answer.spans]
    if answer.dialect and not answer.spans:
        yield [replace(hostile, answer=replace(answer, dialect=None))]
    size = len(answer.text) // 2
    while size:
        yield [
            replace(hostile, answer=_without(answer, start, start + size))
            for start in range(0, len(answer.text), size)
        ]
        size //= 2


def _without(answer: Answer, start: int, end: int) -> Answer:
    def moved(offset: int) -> int:
        return offset if offset <= start else max(start, offset - (end - start))

    spans = tuple(replace(one, start=moved(one.start), end=moved(one.end)) for one in answer.spans)
    return replace(answer, text=answer.text[:start] + answer.text[end:], spans=spans)


def _found(
    engines: Engines, write: Write, tries: list[HostileAnswer], kind: str, engine: str
) -> JudgedText | None:
    texts = [text for hostile in tries for text in write(hostile)]
    for one in judged(engines, texts):
        if any(finding.kind == kind and finding.engine == engine for finding in one.findings):
            return one
    return None
