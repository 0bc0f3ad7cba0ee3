"""What users write, which a strict type checker accepts without a cast or an ``Any`` of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_type

from citations import (
    Answer,
    AnswerEvent,
    AnswerFormatError,
    AnswerKind,
    Channel,
    Citation,
    CitedAnswer,
    Dialect,
    Problem,
    Reference,
    ReferencesFound,
    Rendering,
    RenderingStream,
    Span,
    TextDelta,
    Wording,
    channel,
    check,
    cite,
    quote,
    read_answer,
    render,
)
from citations.readers import FORMATS


def render_whole(found: Iterable[tuple[str, str]]) -> dict[str, object]:
    references = tuple(Reference(id=str(n), name=name, url=url) for n, (name, url) in enumerate(found, 1))
    cited = cite(Answer(text="Set a proxy [1].", references=references, kind=AnswerKind.ANSWERED))
    assert_type(cited, CitedAnswer)
    rendering = render(cited, channel("webchat"), live_hosts=frozenset({"example.com"}), answer_id="a-7")
    assert_type(rendering, Rendering)
    assert_type(rendering.text, str)
    assert_type(rendering.problems, tuple[Problem, ...])
    return {**rendering.to_activity(), "locale": "en"}


def render_spans(text: str) -> Rendering:
    spans = (Span(0, len(text), ids=("1",)), Span(0, 0, ("1",), replaces=True))
    answer = Answer(text=text, references=(Reference(id="1"),), dialect=Dialect.NONE, spans=spans)
    return render(cite(answer), channel("sms", wording=Wording()))


def stream(deltas: Iterable[str], references: tuple[Reference, ...], shown: Channel) -> Iterator[str]:
    rendering = RenderingStream(shown, dialect=Dialect.NUMBERED)
    events: list[AnswerEvent] = [ReferencesFound(references), *map(TextDelta, deltas)]
    for event in events:
        rendering.feed(event)
        if interim := rendering.interim():
            yield interim.text
    yield rendering.close().text


def read(response: object) -> Answer | None:
    try:
        return FORMATS["writer"].read(response)
    except AnswerFormatError as error:
        assert_type(error.path, str)
        return None


def answer_again(json: object, position: int) -> str:
    citations: tuple[Citation, ...] = cite(read_answer(json)).citations
    return render(quote(citations[position - 1], channel("sms")).cited, channel("sms")).text


def codes_of(activity: object) -> set[str]:
    return {problem.code for problem in check(activity, channel_id="msteams")}
