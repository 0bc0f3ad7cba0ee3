"""What is rendered of an answer, with what a reader has to get of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any, Final

from citations import (
    Answer,
    AnswerEvent,
    Channel,
    Dialect,
    ReferencesFound,
    Rendering,
    RenderingStream,
    SpanFound,
    TextDelta,
    channel,
    cite,
    render,
)
from citations.markdown import sanitize
from citations.model import DialectKnown

from .answers import HostileAnswer
from .engines import Engines
from .judge import Expected, Finding, expected_of, judge

CHANNELS: Final = ("webchat", "msteams", "msteams-extended", "email", "passage")
"""``msteams-extended`` is Teams' ``extendedmarkdown``, ``passage`` the text that a claim of Web Chat's graph opens."""
STREAMED: Final = ("webchat", "msteams", "msteams-extended")


@dataclass(frozen=True, slots=True)
class RenderedText:
    """A text that a client gets, of this answer."""

    hostile: HostileAnswer
    text: str
    expected: Expected
    degraded: bool = False
    """Whether the formatting was dropped."""


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A text with what the engines find in it."""

    rendered: RenderedText
    findings: tuple[Finding, ...]


def rendered(channel_id: str, hostile: HostileAnswer) -> list[RenderedText]:
    """The texts that an answer brings to a channel."""
    if channel_id == "passage":
        text = sanitize(hostile.answer.text, live_hosts=hostile.live_hosts)
        return [RenderedText(hostile, text, Expected("passage", live_hosts=hostile.live_hosts))]
    cited = cite(hostile.answer)
    rendering = render(cited, _channel(channel_id), live_hosts=hostile.live_hosts)
    degraded = _is_degraded(rendering)
    expected = replace(expected_of(channel_id, cited, hostile.live_hosts), linked=not degraded)
    texts = [RenderedText(hostile, rendering.text, expected, degraded)]
    if channel_id == "webchat":
        passages = dict.fromkeys(_passages(rendering.entities))
        opened = replace(
            expected, channel="passage", definitions=(), badges=expected.badges - expected.badges
        )
        texts += [RenderedText(hostile, one, opened) for one in passages if one != "A passage."]
    return texts


def streamed(channel_id: str, hostile: HostileAnswer, chance: Random) -> list[RenderedText]:
    """The interims and the final of an answer that comes in pieces."""
    answer = hostile.answer
    stream = RenderingStream(_channel(channel_id), dialect=answer.dialect, live_hosts=hostile.live_hosts)
    final = expected_of(channel_id, cite(answer), hostile.live_hosts)
    part = replace(final, whole=False)
    stream.feed(ReferencesFound(answer.references, complete=True))
    if answer.spans:
        stream.feed(DialectKnown(Dialect.NONE, spans_at_end=False))
    texts = []
    for event in _events(answer, chance):
        stream.feed(event)
        if interim := stream.interim():
            expected = replace(part, definitions=_numbered_so_far(interim)) if answer.spans else part
            texts.append(RenderedText(hostile, interim.text, expected))
    closed = stream.close()
    degraded = _is_degraded(closed)
    return [*texts, RenderedText(hostile, closed.text, replace(final, linked=not degraded), degraded)]


def _channel(name: str) -> Channel:
    channel_id, _, form = name.partition("-")
    return channel(channel_id, extended=bool(form))


def judged(engines: Engines, texts: Iterable[RenderedText]) -> list[JudgedText]:
    """``texts`` with what the engines find in them."""
    given = list(texts)
    shown = any(one.expected.channel not in {"webchat", "passage"} for one in given)
    readings = engines.read([one.text for one in given], shown=shown)
    return [
        JudgedText(one, tuple(judge(read, one.expected))) for one, read in zip(given, readings, strict=True)
    ]


def _numbered_so_far(interim: Rendering) -> tuple[tuple[str, str, str], ...]:
    """The definitions of an interim: a span that comes later may number the sources anew."""
    appearances = [claim["appearance"] for node in interim.entities for claim in _claims(node)]
    opaque = count(1)
    return tuple(
        (str(number), one.get("url") or f"cite:{next(opaque)}", one["name"])
        for number, one in enumerate(appearances, 1)
    )


def _claims(node: dict[str, Any]) -> Sequence[dict[str, Any]]:
    found: Sequence[dict[str, Any]] = node.get("citation", ())
    return found


def _events(answer: Answer, chance: Random) -> Iterator[AnswerEvent]:
    """The text in pieces, and each span before any text behind it."""
    ends = {span.end for span in answer.spans}
    behind = 0
    for piece in _pieces(answer.text, chance):
        for end in sorted(
            {*(one for one in ends if behind < one < behind + len(piece)), behind + len(piece)}
        ):
            yield from _spans(answer, behind)
            yield TextDelta(answer.text[behind:end])
            behind = end
    yield from _spans(answer, behind)


def _spans(answer: Answer, end: int) -> Iterator[SpanFound]:
    for span in answer.spans:
        if span.end == end:
            yield SpanFound(span.start, span.end, span.ids, span.replaces)


def _pieces(text: str, chance: Random) -> Sequence[str]:
    pieces, start = [], 0
    while start < len(text):
        end = start + chance.choice((1, 3, 8, 20))
        pieces.append(text[start:end])
        start = end
    return pieces


def _is_degraded(rendering: Rendering) -> bool:
    return any(problem.code == "formatting-dropped" for problem in rendering.problems)


def _passages(entities: Sequence[dict[str, Any]]) -> Iterable[str]:
    for entity in entities:
        for claim in _claims(entity):
            text = claim.get("appearance", {}).get("text")
            if text:
                yield text


def plain_answer(
    text: str,
    name: str | None = "Handbook",
    url: str | None = "https://good.example/1",
    spans: Iterable[tuple[int, int, bool]] = (),
) -> HostileAnswer:
    """An answer with one reference, which ``spans`` cite: start, end, and whether the words are replaced."""
    from citations import Reference
    from citations.model import Span

    reference = Reference(id="1", name=name, url=url, text="A passage.")
    cited = tuple(Span(start, end, ("1",), replaces) for start, end, replaces in spans)
    dialect = Dialect.NONE if cited else None
    return HostileAnswer(Answer(text=text, references=(reference,), dialect=dialect, spans=cited))
