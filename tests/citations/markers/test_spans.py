"""Spans: the words that a provider names as resting on its sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerEvent,
    AnswerFormatError,
    Dialect,
    Reference,
    ReferencesFound,
    Rendering,
    RenderingStream,
    Span,
    SpanFound,
    TextDelta,
    TextReplaced,
    channel,
    check,
    cite,
    read_answer,
    render,
)
from citations.model import DialectKnown, Problem, ProblemFound
from citations.readers import FORMATS, OffsetUnit, place_span
from tests.agreement import assert_text_and_graph_agree
from tests.commonmark import MARKDOWN
from tests.depth import examples
from tests.normal_html import normal_html, with_marks
from tests.span_corpus import REFERENCES, answer_of, span_answers
from tests.strategies import HOSTILE, MARKERS, PLAIN
from tests.streams import STREAMED, small_pieces

PIECES = (
    *PLAIN, *PLAIN, *PLAIN, *MARKERS, *HOSTILE, "𝒳", "e\u0301", "\r\n", "foo. ", "- item\n", "[t](https://x.example/y)",
    "([e.com](https://e.com/a))", "【3:0†source】", "| a | b |\n|--|--|\n| c | d |\n",
)  # fmt: skip


@st.composite
def answers_with_spans(draw: st.DrawFn, *, replaces: bool = True) -> Answer:
    text = "".join(draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=16)))
    place = st.integers(0, len(text))
    ids = st.lists(st.sampled_from("12345"), min_size=1, max_size=2, unique=True).map(tuple)
    ends = draw(st.lists(st.tuples(place, place, ids, st.booleans()), min_size=1, max_size=4))
    spans = (Span(min(a, b), max(a, b), some, replaces and one) for a, b, some, one in ends)
    return Answer(text=text, references=REFERENCES, dialect=Dialect.NONE, spans=tuple(spans))


def codes(rendering: Rendering) -> list[str]:
    return [problem.code for problem in rendering.problems]


# Places


@pytest.mark.parametrize("title", span_answers())
def test_a_badge_stands_where_text_is_shown(title: str) -> None:
    answer, cited = span_answers()[title]
    # A zero-width space stands behind a formula, which the corpus doesn't show.
    shown = normal_html(with_marks(cite(answer))).replace("\u200b", "")
    assert shown == normal_html(cited)


def structure(rendering: Rendering) -> str:
    """What a reader of Markdown gets, without badges."""
    html: str = MARKDOWN.render(rendering.text)
    return re.sub(r'<a href="https://example\.com/\d"[^>]*>\d</a>', "", html).replace("\u200b", "").rstrip()


@examples(50)
@given(answers_with_spans(replaces=False))
def test_a_badge_divides_nothing(answer: Answer) -> None:
    """Code, links, tables and emphasis are what they are without badges, and every source has its badge."""
    bare = render(cite(Answer(text=answer.text, dialect=Dialect.NONE)), channel("webchat"))
    cited = cite(answer)
    rendering = render(cited, channel("webchat"))
    assert_text_and_graph_agree(rendering)
    assert structure(rendering) == structure(bare)
    ids = {one for span in answer.spans for one in span.ids}
    assert len(cited.citations) == len(ids) or "citation-not-placed" in codes(rendering)


@examples(25)
@given(answers_with_spans())
def test_a_rendering_with_spans_stands_the_check(answer: Answer) -> None:
    assume(answer.text.strip())
    for channel_id in ("webchat", "msteams"):
        rendering = render(cite(answer), channel(channel_id))
        found = check(rendering.to_activity(), channel_id=channel_id)
        assert [one.code for one in found] == ["message-empty"] * (not rendering.text.strip())


@examples(30)
@given(answers_with_spans(replaces=False))
def test_offsets_in_any_unit_cite_the_same(answer: Answer) -> None:
    for unit in OffsetUnit:
        places = (
            place_span(
                answer.text, unit.length(answer.text[: one.start]), unit.length(answer.text[: one.end]), unit
            )
            for one in answer.spans
        )
        assert [(one.start, one.end) for one in answer.spans] == list(places)


def test_channels_write_badges_at_a_place_without_words() -> None:
    cited = cite(answer_of("# ⟦東京⟧1;は\n\n| ⟦a⟧2; | b |\n|---|---|\n| **⟦c⟧3;** | ⟦d⟧1; |"))
    teams = "**東京**[1]**は**\n\n**a**[2] · **b**\n\n• **c**[3]: d[1]"
    assert render(cited, channel("msteams")).text == teams
    assert render(cited, channel("sms")).text.startswith("東京(1)は\n\na (2) | b\n\nc (3) | d (1)\n\n(1) ")
    assert render(cited, channel("email")).text.startswith("# 東京[(1)](https://example.com/1)は\n\n")


def test_there_are_at_most_twenty_citations() -> None:
    references = tuple(Reference(id=f"r{number}") for number in range(30))
    spans = tuple(Span(0, 2 * number + 1, (f"r{number}",)) for number in range(30))
    cited = cite(Answer(text="a " * 30, references=references, spans=spans, dialect=Dialect.NONE))
    assert [one.reference.id for one in cited.citations] == [f"r{number}" for number in range(20)]
    assert "too-many-citations" in [problem.code for problem in cited.problems]


def test_markers_and_spans_can_be_mixed() -> None:
    text = "Grass is green [2]. The sky is blue [1]."
    cited = cite(
        Answer(text=text, references=REFERENCES, spans=(Span(0, 14, ("3",)), Span(36, 39, ("4",), True)))
    )
    assert with_marks(cited) == "Grass is green[1] [2]. The sky is blue[3]."


# Problems

FAULTS = {
    "beyond the text": (Span(0, 99, ("1",)), "citation-not-placed", "$.spans[0]"),
    "before the text": (Span(-2, 3, ("1",)), "citation-not-placed", "$.spans[0]"),
    "end before start": (Span(9, 3, ("1",)), "citation-not-placed", "$.spans[0]"),
    "an unknown source": (Span(0, 5, ("1", "9")), "unknown-reference", "$.spans[0].ids[1]"),
}


@pytest.mark.parametrize(("span", "code", "path"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_span_is_reported_and_never_loses_the_answer(span: Span, code: str, path: str) -> None:
    cited = cite(Answer(text="Grass is green.", references=REFERENCES, dialect=Dialect.NONE, spans=(span,)))
    assert (code, path) in [(problem.code, problem.path) for problem in cited.problems]
    assert cited.text == "Grass is green."
    assert len(cited.citations) == (code == "unknown-reference")


def test_code_alone_has_no_place_for_a_badge() -> None:
    cited = cite(answer_of("```\n⟦x⟧1;\n```"))
    assert [problem.code for problem in cited.problems] == ["citation-not-placed", "nothing-cited"]


def test_what_a_reader_reports_is_reported() -> None:
    problem = Problem("citation-not-placed", "$.x", "no words")
    assert problem in cite(Answer(text="a", problems=(problem,))).problems
    stream = RenderingStream(channel("webchat"))
    for event in (ProblemFound(problem), TextDelta("a")):
        stream.feed(event)
    assert problem in stream.close().problems


# Streams


def with_words(answer: Answer, pieces: Sequence[str]) -> Iterator[AnswerEvent]:
    """The events of an answer each of whose spans comes before any text behind it."""
    behind = 0
    yield from (found(span) for span in answer.spans if not span.end)
    for piece in pieces:
        ends = {span.end for span in answer.spans if behind < span.end <= behind + len(piece)}
        for end in sorted({*ends, behind + len(piece)}):
            yield TextDelta(answer.text[behind:end])
            yield from (found(span) for span in answer.spans if span.end == end)
            behind = end


def late(answer: Answer, pieces: Sequence[str], chance: Random) -> Iterator[AnswerEvent]:
    """The events of an answer whose spans come anywhere, also before their words."""
    spans = chance.sample(answer.spans, len(answer.spans))
    for piece in pieces:
        while spans and chance.random() < 0.2:
            yield found(spans.pop())
        yield TextDelta(piece)
    yield from map(found, spans)


def found(span: Span) -> SpanFound:
    return SpanFound(span.start, span.end, span.ids, span.replaces)


def assert_ends_as_finished(answer: Answer, channel_id: str, chance: Random, *, in_order: bool) -> list[str]:
    """Whether the stream ends as the finished answer; returns its interims."""
    stream = RenderingStream(channel(channel_id), dialect=Dialect.NONE)
    pieces = small_pieces(answer.text, chance)
    events = with_words(answer, pieces) if in_order else late(answer, pieces, chance)
    shown: list[str] = []
    for event in (
        DialectKnown(Dialect.NONE, spans_at_end=not in_order),
        ReferencesFound(answer.references),
        *events,
    ):
        stream.feed(event)
        if chance.random() < 0.7 and (interim := stream.interim()):
            shown.append(interim.text)
    final, whole = stream.close(), render(cite(answer), channel(channel_id))
    assert (final.text, final.entities) == (whole.text, whole.entities), (answer, shown)
    assert set(codes(final)) == set(codes(whole))
    if channel_id == "msteams":
        assert all(after.startswith(before) for before, after in pairwise([*shown, final.text])), (
            answer,
            shown,
        )
    return shown


@pytest.mark.parametrize("channel_id", STREAMED)
def test_each_kind_of_span_is_streamed(channel_id: str) -> None:
    chance = Random(1)
    for answer, _ in span_answers().values():
        for in_order in (True, False):
            assert_ends_as_finished(answer, channel_id, chance, in_order=in_order)


@examples(50)
@given(answers_with_spans(), st.sampled_from(STREAMED), st.booleans(), st.randoms(use_true_random=False))
def test_a_stream_ends_as_the_finished_answer(
    answer: Answer, channel_id: str, in_order: bool, chance: Random
) -> None:
    assert_ends_as_finished(answer, channel_id, chance, in_order=in_order)


BLOCKS = answer_of(
    "⟦Grass is green.⟧1;\n\n- ⟦Trees⟧2; too\n- and ⟦`bushes`⟧1;\n\n```\nplant()\n```\n\nSo ⟦plant⟧3; them."
)


def test_teams_gets_blocks_where_spans_come_with_their_words() -> None:
    shown = assert_ends_as_finished(BLOCKS, "msteams", Random(2), in_order=True)
    assert [text.count("\n") for text in shown] == [0, 2, 8]


def test_teams_gets_nothing_before_the_end_where_spans_come_late() -> None:
    assert assert_ends_as_finished(BLOCKS, "msteams", Random(2), in_order=False) == []


def test_a_late_badge_comes_with_the_next_interim() -> None:
    stream = RenderingStream(channel("webchat"), dialect=Dialect.NONE)
    texts = []
    for event in (
        ReferencesFound(REFERENCES),
        TextDelta("Grass is green.\n\nThe sky is blue.\n\n"),
        SpanFound(17, 33, ("2",)),
        TextDelta("So"),
        SpanFound(0, 15, ("1",)),
    ):
        stream.feed(event)
        interim = stream.interim()
        texts.append(interim and interim.text.partition("\n\n[1]:")[0].rstrip())
    assert texts[1:] == [
        "Grass is green.\n\nThe sky is blue.",
        "Grass is green.\n\nThe sky is blue.[1]",
        "Grass is green.\n\nThe sky is blue.[1]\n\nSo",
        "Grass is green.[1]\n\nThe sky is blue.[2]\n\nSo",
    ]


def test_a_span_too_late_for_teams_is_reported() -> None:
    stream = RenderingStream(channel("msteams"))
    stream.feed(ReferencesFound(REFERENCES))
    stream.feed(TextDelta("Grass is green. So "))
    assert stream.interim()
    stream.feed(SpanFound(0, 15, ("1",)))
    final = stream.close()
    assert final.text == "Grass is green. So"
    assert "citation-too-late" in codes(final)


@pytest.mark.parametrize("channel_id", STREAMED)
def test_a_text_that_is_replaced_loses_its_spans(channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id), dialect=Dialect.NONE)
    for event in (
        ReferencesFound(REFERENCES),
        TextDelta("Grass is green."),
        SpanFound(0, 5, ("1",)),
        TextReplaced("The sky is blue."),
        SpanFound(4, 7, ("2",)),
    ):
        stream.feed(event)
        stream.interim()
    assert stream.close().text.startswith("The sky[1] is blue.")


# The neutral answer

NEUTRAL = {
    "text": "A 😀 b[1].",
    "dialect": "none",
    "references": [{"id": 7, "url": "https://example.com/7"}],
    "spans": [{"start": 0, "end": 5, "ids": [7]}, {"start": 5, "end": 8, "ids": ["7"], "replaces": True}],
}


def test_the_neutral_answer_has_spans() -> None:
    answer = read_answer(NEUTRAL)
    assert (answer.dialect, answer.spans) == (Dialect.NONE, (Span(0, 5, ("7",)), Span(5, 8, ("7",), True)))


def test_a_stream_of_the_neutral_answer_has_spans() -> None:
    lines = b'{"dialect": "none", "delta": "A b"}\n{"spans": [{"start": 0, "end": 3, "ids": ["1"]}], "delta": "."}\n'
    stream = FORMATS["answer"].stream()
    events = [event for item in (*stream.feed(lines), *stream.close()) for event in item]
    assert events == [
        DialectKnown(Dialect.NONE), TextDelta("A b"), TextDelta("."), SpanFound(0, 3, ("1",)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("span", "path"),
    [
        ({"start": "0", "end": 1, "ids": []}, "$.spans[0].start"),
        ({"start": 0, "end": 1}, "$.spans[0]"),
        ({"start": 0, "end": 1, "ids": [None]}, "$.spans[0].ids[0]"),
    ],
)
def test_a_span_of_other_types_is_an_error(span: object, path: str) -> None:
    with pytest.raises(AnswerFormatError) as error:
        read_answer({"text": "a", "spans": [span]})
    assert error.value.path == path
