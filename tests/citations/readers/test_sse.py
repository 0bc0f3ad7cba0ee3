"""Event streams as the WHATWG's examples write them, however their bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import EventStreamError
from citations.readers import ServerSentEvent, ServerSentEvents
from citations.readers.sse import LONGEST_LINE

STREAMS = {
    "data lines are joined": (b"data: YHOO\ndata: +2\ndata: 10\n\n", [("YHOO\n+2\n10", "message")]),
    "comments and ids": (b": test stream\n\ndata: first\nid: 1\n\ndata:second\nid\n\ndata:  third\n\n", [("first", "message"), ("second", "message"), (" third", "message")]),
    "empty data": (b"data\n\ndata\ndata\n\ndata:", [("", "message"), ("\n", "message")]),
    "named": (b"event: error\ndata: {}\n\n", [("{}", "error")]),
    "a name without data": (b"event: error\n\ndata: x\n\n", [("x", "message")]),
    "CR LF": (b"data: a\r\ndata: b\r\n\r\n", [("a\nb", "message")]),
    "CR": (b"data: a\r\rdata: b\r\r", [("a", "message"), ("b", "message")]),
    "a byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [("a", "message")]),
    "an unfinished event": (b"data: a\n\ndata: b\n", [("a", "message")]),
    "unknown fields": (b"retry: 10\nfoo: bar\ndata: a\n\n", [("a", "message")]),
    "no UTF-8": (b"data: \xff\n\n", [("\ufffd", "message")]),
    "letters of several bytes": ("data: größe 日本 🙂\n\n".encode(), [("größe 日本 🙂", "message")]),
}  # fmt: skip


@pytest.mark.parametrize(("stream", "expected"), STREAMS.values(), ids=STREAMS)
def test_events(stream: bytes, expected: list[tuple[str, str]]) -> None:
    events = [ServerSentEvent(data, event) for data, event in expected]
    assert ServerSentEvents().feed(stream) == events
    one_by_one = ServerSentEvents()
    assert [event for at in range(len(stream)) for event in one_by_one.feed(stream[at : at + 1])] == events


@given(
    st.lists(
        st.sampled_from(
            [b"data: x", b"data:", b"\n", b"\r", b"\r\n", b":c", b"\xe2\x82\xac", b"\xef\xbb\xbf"]
        )
    ),
    st.data(),
)
def test_cuts_do_not_matter(pieces: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(pieces)
    cut = data.draw(st.integers(0, len(stream)))
    again = ServerSentEvents()
    assert ServerSentEvents().feed(stream) == again.feed(stream[:cut]) + again.feed(stream[cut:])


CUT_OFF = {
    "at the end of an event": (b"data: a\n\n", None),
    "behind what is no data": (b"data: a\n\nretry: 10\n: ping", None),
    "before the empty line": (b"data: a\ndata: b\n", ("a\nb", "message")),
    "in the last line": (b"event: error\r\ndata: a\r\ndata: b", ("a\nb", "error")),
    "in a letter": (b"data: \xf0\x9f", ("\ufffd", "message")),
    "in a field's name": (b"data: a\n\ndat", ("", "message")),
    "behind its type": (b"event: error\n", ("", "error")),
}


@pytest.mark.parametrize(("stream", "expected"), CUT_OFF.values(), ids=CUT_OFF)
def test_what_the_end_cuts_off(stream: bytes, expected: tuple[str, str] | None) -> None:
    events = ServerSentEvents()
    events.feed(stream)
    assert events.close() == (expected and ServerSentEvent(*expected))


@pytest.mark.parametrize(
    "stream", [b"data: " + b"x" * LONGEST_LINE, b"data: xxxxxxxxxxxxxxxx\n" * (LONGEST_LINE // 16 + 1)]
)
def test_what_has_no_end_is_refused(stream: bytes) -> None:
    with pytest.raises(EventStreamError):
        ServerSentEvents().feed(stream)
