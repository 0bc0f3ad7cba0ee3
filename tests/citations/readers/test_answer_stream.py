"""What suppliers stream, however its bytes are cut: the same events, the same fault, the same rendering."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Cut,
    Dialect,
    RenderingStream,
    TextCut,
    TextDelta,
    channel,
    cite,
    render,
)
from citations.markers.half_marker import find_half_marker
from citations.model import ProblemFound
from citations.readers import FORMATS
from tests.provider_streams import (
    ALL,
    ENDS_IN_MARKER,
    FAULTS,
    FILE,
    FRAGMENTS,
    STREAMS,
    WRITER,
    Items,
    assert_read_in_any_pieces,
    deltas,
    events,
    lines,
    read,
)
from tests.strategies import hostile_texts


@pytest.mark.parametrize(
    ("supplier", "stream", "expected"), [case[1:] for case in STREAMS], ids=[case[0] for case in STREAMS]
)
def test_a_stream(supplier: str, stream: bytes, expected: Items) -> None:
    assert read(supplier, [stream]) == (expected, "")


@pytest.mark.parametrize(
    ("supplier", "stream", "before", "fault"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS]
)
def test_a_fault_stands_behind_what_came_before_it(
    supplier: str, stream: bytes, before: list[str], fault: str
) -> None:
    items, error = read(supplier, [stream])
    assert (deltas(items), error) == (before, fault)


@pytest.mark.parametrize(("supplier", "stream"), [case[1:] for case in ALL], ids=[case[0] for case in ALL])
def test_cuts_do_not_matter(supplier: str, stream: bytes) -> None:
    whole = read(supplier, [stream])
    assert read(supplier, [stream[at : at + 1] for at in range(len(stream))]) == whole
    for cut in range(len(stream) + 1):
        assert read(supplier, [stream[:cut], b"", stream[cut:]]) == whole


FINISHES: list[tuple[list[str | None], Cut | None]] = [
    # why it finishes, as each of its choices says it; why it is cut
    ([None, "length"], Cut.LENGTH),
    (["length"], Cut.LENGTH),
    (["model_length"], Cut.LENGTH),
    (["max_tokens"], Cut.LENGTH),
    (["SAFETY"], Cut.CONTENT_FILTER),
    ([None, "content_filter"], Cut.CONTENT_FILTER),
    (["length", None], Cut.LENGTH),
    (["tool_calls", None, "length"], Cut.LENGTH),
    (["length", "stop"], None),
    ([None, "stop"], None),
    (["tool_calls"], None),
    (["eos_token"], None),
    (["", ""], None),
    ([None], None),
]


@pytest.mark.parametrize("supplier", ["open-webui", "writer"])
@pytest.mark.parametrize(("reasons", "cut"), FINISHES)
def test_a_chat_says_why_it_is_cut(supplier: str, reasons: list[str | None], cut: Cut | None) -> None:
    chunks = [{"choices": [{"delta": {"content": "a"}, "finish_reason": one}]} for one in reasons]
    stream = FORMATS[supplier].stream()
    said = [*stream.feed(events(*chunks, {"choices": []}) + b"data: [DONE]\n\n"), *stream.close()]
    assert (deltas(said), stream.cut) == (["a"] * len(reasons), cut)
    answer = FORMATS[supplier].read([*chunks, {"choices": []}] if supplier == "open-webui" else chunks)
    assert answer.cut is cut


def test_who_does_not_say_why_it_finishes_is_not_cut() -> None:
    for supplier, stream in (("answer", lines({"delta": "a"})), ("writer", events({"answer": "a"}))):
        reading = FORMATS[supplier].stream()
        assert deltas([*reading.feed(stream), *reading.close()]) == ["a"]
        assert reading.cut is None
    assert FORMATS["writer"].read({"answer": "a"}).cut is None


BREAKING: dict[str, bytes] = {
    "answer": lines(*({"delta": word, "origin": None} for word in ("größe ", "日本 [1", "] 🙂"))),
    "writer": events(*({"answer": word, "references": None} for word in ("größe ", "日本 [1", "] 🙂"))),
}


@pytest.mark.parametrize("supplier", BREAKING)
def test_a_stream_that_breaks_off_says_so_unless_a_document_ends_there(supplier: str) -> None:
    stream = BREAKING[supplier]
    whole, _ = read(supplier, [stream])
    for end in range(len(stream)):
        items, error = read(supplier, [stream[:end]])
        if (ProblemFound(ENDS_IN_MARKER), TextCut()) in items:
            items.pop()
        assert items == whole[: len(items)]
        assert len(items) == stream[:end].count(b"null}")
        assert bool(error) != stream[:end].rstrip().endswith(b"null}")


def test_the_dialect_stands_in_the_first_line() -> None:
    stream = FORMATS["answer"].stream()
    assert list(stream.feed(b'{"dialect": "named-link", "delta": "a"}\n')) == [(TextDelta("a"),)]
    assert stream.dialect is Dialect.NAMED_LINK
    assert FORMATS["writer"].stream().dialect is Dialect.NAMED_LINK


def test_the_end_is_known_before_the_connection_closes() -> None:
    stream = FORMATS["writer"].stream()
    assert list(stream.feed(events({"answer": "a"}))) == [(WRITER, TextDelta("a"))]
    assert not stream.finished
    assert list(stream.feed(b"data: [DONE]\n\n")) == []
    assert stream.finished


def test_every_supplier_that_is_read_whole_is_read_streamed() -> None:
    assert FORMATS.keys() == FORMATS.keys()


@pytest.mark.parametrize("supplier", sorted(FORMATS))
@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=3)), max_size=12), st.integers(1, 7))
def test_any_bytes_say_something_or_have_a_fault(supplier: str, pieces: list[bytes], size: int) -> None:
    assert_read_in_any_pieces(supplier, b"".join(pieces), size)


def flat(pieces: Sequence[str], found: object) -> bytes:
    return events(*({"answer": piece, "references": None} for piece in pieces), {"references": found})


def enveloped(pieces: Sequence[str], found: object) -> bytes:
    return events(
        *({"data": {"answer": piece}} for piece in pieces), {"data": {"answer": "", "references": found}}
    )


def in_arrays(pieces: Sequence[str], found: object) -> bytes:
    last = {"answer": "", "references": found}
    return events(*({"data": [{"answer": piece}]} for piece in pieces), {"data": [last, last]})


REFERENCES: list[dict[str, Any]] = [
    {"id": "1", "url": "https://example.com/1"},
    {"id": "2", "name": "Größe", "text": "日本"},
    {"id": "2", "text": "More."},
    {"id": "id-2"},
]
WRITERS: dict[str, Any] = {
    "files": [
        FILE | {"cite": "id-2"},
        FILE | {"cite": "1", "text": "Größe"},
        FILE | {"cite": "1", "page": 3},
    ],
    "web": [{"url": "https://example.com/3", "title": "Three"}],
}
SHAPES = [flat, enveloped, in_arrays]


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
@pytest.mark.parametrize("supplier", ["answer", "writer"])
@given(hostile_texts, st.data())
def test_however_it_is_cut_the_rendering_is_that_of_the_whole_answer(
    supplier: str, channel_id: str, text: str, data: st.DataObject
) -> None:
    text = text.encode(errors="replace").decode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pieces = [text[a:b] for a, b in pairwise((0, *cuts, len(text)))]
    if supplier == "writer":
        whole: object = {"answer": text, "references": WRITERS}
        stream = data.draw(st.sampled_from(SHAPES))(pieces, WRITERS)
    else:
        whole = {"text": text, "references": REFERENCES}
        documents: list[object] = [{"delta": piece} for piece in pieces]
        documents.insert(data.draw(st.integers(0, len(documents))), {"references": REFERENCES})
        stream = lines(*documents)
    size = data.draw(st.integers(1, 7))
    items, error = read(supplier, (stream[at : at + size] for at in range(0, len(stream), size)))
    assert error == ""
    dialect = Dialect.NAMED_LINK if supplier == "writer" else None
    rendering = RenderingStream(channel(channel_id), dialect=dialect)
    for item in items:
        for event in item:
            rendering.feed(event)
    final = rendering.close()
    if any(ProblemFound(ENDS_IN_MARKER) in item for item in items):
        # Only of a whole response it is known that nothing is missing.
        assert find_half_marker(text, dialect)
        return
    codes = {problem.code for problem in final.problems}
    if channel_id == "msteams" and codes & {"reference-never-came", "reference-too-late"}:
        # What Teams has shown stays, and it is said what that cost.
        return
    assert final == render(cite(FORMATS[supplier].read(whole)), channel(channel_id))
