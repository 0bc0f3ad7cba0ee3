"""What providers stream: the bytes, and the events that they are read into."""

from __future__ import annotations

import json
from collections.abc import Iterable

from citations import (
    AnswerEvent,
    CitationError,
    Origin,
    OriginKnown,
    Problem,
    QueryKnown,
    Reference,
    ReferencesFound,
    SourceCode,
    TextCut,
    TextDelta,
)
from citations.model import ProblemFound
from citations.readers import FORMATS

Items = list[tuple[AnswerEvent, ...]]
WRITER = OriginKnown(Origin(provider="Writer"))
FILE = {"text": "A passage.", "fileId": "f1", "cite": "c1", "page": 2}
FOUND = ReferencesFound((Reference(id="c1", text="A passage.", page=2, aliases=("f1",), complete=True),))


def read(supplier: str, pieces: Iterable[bytes]) -> tuple[Items, str]:
    """What a stream says, and the fault that ends it, if one does."""
    stream, items = FORMATS[supplier].stream(), []
    try:
        for piece in pieces:
            for item in stream.feed(piece):
                items.append(item)  # noqa: PERF402 - what came before a fault counts
        for item in stream.close():
            items.append(item)  # noqa: PERF402
    except CitationError as error:
        return items, str(error)
    return items, ""


def deltas(items: Items) -> list[str]:
    return [event.text for item in items for event in item if isinstance(event, TextDelta)]


def events(*documents: object) -> bytes:
    """Server-sent events as most servers write them."""
    return b"".join(f"data: {json.dumps(item, ensure_ascii=False)}\n\n".encode() for item in documents)


def lines(*documents: object) -> bytes:
    return b"".join(json.dumps(item, ensure_ascii=False).encode() + b"\n" for item in documents)


WORDLESS = (
    ProblemFound(Problem("answer-empty", "$.text", "the answer has no words: its provider gives no reason")),
)
ENDS_IN_MARKER = Problem(
    "answer-cut", "$.text", "the stream ended in the middle of a marker: the end of the answer is missing"
)
STREAMS: list[tuple[str, str, bytes, Items]] = [
    (
        "lines",
        "answer",
        b'{"delta": "Water "}\n\n{"references": [{"id": 1}]}\r\n{"delta": "it [1]"}',
        [(TextDelta("Water "),), (ReferencesFound((Reference(id="1"),)),), (TextDelta("it [1]"),)],
    ),
    (
        "a stream that ends in a marker",
        "answer",
        lines({"delta": "It is so [1"}),
        [(TextDelta("It is so [1"),), (ProblemFound(ENDS_IN_MARKER), TextCut())],
    ),
    (
        "a stream that ends in a link's target",
        "writer",
        events({"answer": "In the catalog [Acme.pdf](4be"}),
        [(WRITER, TextDelta("In the catalog [Acme.pdf](4be")), (ProblemFound(ENDS_IN_MARKER), TextCut())],
    ),
    (
        "a stream that ends with a bracket",
        "writer",
        events({"answer": "In the catalogue [sic]"}),
        [(WRITER, TextDelta("In the catalogue [sic]"))],
    ),
    (
        "a query, before and after",
        "answer",
        lines({"query": {"text": "SELECT 1"}}, {"delta": "It is so."}, {"query": {"text": "SELECT 2", "language": "sql"}}),
        [(QueryKnown(SourceCode("SELECT 1")),), (TextDelta("It is so."),), (QueryKnown(SourceCode("SELECT 2", "sql")),)],
    ),
    (
        "a line that says all",
        "answer",
        b'{"delta": "a [1]", "references": [{"id": "1"}], "origin": {"slogan": "Quoted", "generated": false}, "x": 1}\n',
        [(
            ProblemFound(Problem("unknown-field", "$.x", "nothing reads this field")),
            ReferencesFound((Reference(id="1"),)),
            OriginKnown(Origin(slogan="Quoted", generated=False)),
            TextDelta("a [1]"),
        )],
    ),
    (
        "the last references",
        "answer",
        lines({"references": [{"id": "1"}], "complete": True}, {"complete": True}, {"complete": False}),
        [
            (ReferencesFound((Reference(id="1"),), complete=True),),
            (ReferencesFound((), complete=True),),
            (),
            WORDLESS,
        ],
    ),
    ("lines that say nothing", "answer", b'{"delta": ""}\n{"delta": null}\n{"references": []}\n', [(), (), (), WORDLESS]),
    (
        "a pair of surrogates in two lines",
        "answer",
        b'{"delta": "a \\ud83d"}\n{"references": [{"id": "1"}]}\n{"delta": "\\ude42 b"}\n',
        [(TextDelta("a "),), (ReferencesFound((Reference(id="1"),)),), (TextDelta("🙂 b"),)],
    ),
    ("half of a pair at the end", "answer", rb'{"delta": "\ud83d"}', [(), (TextDelta("\ud83d"),)]),
    ("half of a pair before a letter", "answer", b'{"delta": "\\ud83d"}\n{"delta": "b"}', [(), (TextDelta("\ud83db"),)]),
    (
        "writer, as its own programs read it",
        "writer",
        events(
            {"question": "What?", "answer": "The", "sources": [], "subqueries": None, "references": None},
            {"question": "What?", "answer": " [A](c1)", "sources": [], "subqueries": None, "references": None},
            {"question": "What?", "answer": "", "sources": [], "references": {"files": [FILE], "web": []}},
        ),
        [(WRITER, TextDelta("The")), (TextDelta(" [A](c1)"),), (FOUND,)],
    ),
    (
        "writer, as its schema says",
        "writer",
        events({"data": {"answer": "The"}}, {"data": {"answer": " end", "references": {"files": [FILE]}}}),
        [(WRITER, TextDelta("The")), (FOUND, TextDelta(" end"))],
    ),
    (
        "writer, as the example of the schema",
        "writer",
        events({"data": [{"answer": "The"}, {"answer": " end", "sources": [{"file_id": "f9", "snippet": "x"}]}]}),
        [(WRITER, TextDelta("The"), ReferencesFound((Reference(id="f9", text="x", complete=True),)), TextDelta(" end"))],
    ),
    (
        "references that are repeated, and one more",
        "writer",
        events(
            {"answer": "a", "references": {"files": [FILE]}},
            {"answer": None, "references": {"files": [FILE, FILE | {"cite": "c2"}]}, "sources": [{"file_id": "c1"}]},
        ),
        [(WRITER, FOUND, TextDelta("a")), (ReferencesFound((Reference(id="c2", text="A passage.", page=2, aliases=("f1",), complete=True),)),)],
    ),
    (
        "what keeps the connection open, events of other names, and what stands behind the end",
        "writer",
        b': ping\n\ndata:\n\nevent: ping\ndata: {}\n\nevent: message\ndata: {"answer":\ndata: "a"}\n\ndata: [DONE]\n\ndata: x\n\nda',
        [(WRITER, TextDelta("a"))],
    ),
    (
        "CR LF, a byte order mark, letters of several bytes",
        "writer",
        b"\xef\xbb\xbf" + events({"answer": "größe"}, {"answer": " 日本 🙂"}).replace(b"\n", b"\r\n"),
        [(WRITER, TextDelta("größe")), (TextDelta(" 日本 🙂"),)],
    ),
    (
        "no empty line behind the last event",
        "writer",
        events({"answer": "a"}, {"references": {"files": [FILE]}}).rstrip(),
        [(WRITER, TextDelta("a")), (FOUND,)],
    ),
    (
        "a chat with writer: references in the delta, and a count of tokens at the end",
        "writer",
        events(
            {"choices": [{"delta": {"role": "assistant", "content": None, "graph_data": {"status": "processing", "references": None}}}]},
            {"choices": [{"delta": {"content": "The [A](c1)"}, "message": None}]},
            {"choices": [{"delta": {"content": "", "graph_data": {"references": {"files": [FILE]}}}, "finish_reason": "stop"}]},
            {"choices": [], "usage": {"total_tokens": 9}},
        ) + b"data: [DONE]\n\n",
        [(WRITER,), (TextDelta("The [A](c1)"),), (FOUND,), ()],
    ),
    (
        "a chat with writer: the references in the message that is deprecated",
        "writer",
        events(
            {"choices": [{"delta": {"content": "The"}, "message": {"content": "The"}}]},
            {"choices": [{"delta": {"content": None}, "message": {"content": "The", "graph_data": {"references": {"files": [FILE]}}}, "finish_reason": "stop"}]},
        ),
        [(WRITER, TextDelta("The")), (FOUND,)],
    ),
]  # fmt: skip


FAULTS: list[tuple[str, str, bytes, list[str], str]] = [
    ("nothing", "answer", b"", [], "$: expected JSON lines, got nothing"),
    ("empty lines", "answer", b"\n \r\n", [], "$: expected JSON lines, got nothing"),
    ("no JSON", "answer", b'{"delta": "a"}\n\noops\n{"delta": "b"}\n', ["a"], "line 3: $: not JSON: Expecting value, line 1 column 1"),
    ("no UTF-8", "answer", b'{"delta": "a"}\n{"delta": "\xff"}\n', ["a"], "line 2: $: not UTF-8 text: byte 11"),
    ("a wrong type", "answer", b'{"delta": "a"}\n{"delta": 1}\n', ["a"], "line 2: $.delta: expected str | null, got int"),
    ("a fault inside", "answer", b'{"references": [{"id": "1"}, {"id": ""}]}\n', [], "line 1: $.references[1].id: expected an id, got an empty string"),
    ("a whole answer", "answer", b'{"text": "a"}\n', [], "line 1: $: expected one of delta, dialect, references, spans, complete, origin, query, kind"),
    ("an array", "answer", b'["a"]\n', [], "line 1: $: expected object, got array"),
    ("a late dialect", "answer", b'{"delta": "a"}\n{"dialect": "numbered"}\n', ["a"], "line 2: $.dialect: only the first line can have the dialect"),
    ("an error", "answer", b'{"delta": "a"}\n{"error": "no more"}\n', ["a"], "line 2: $.error: the provider reported an error: no more"),
    ("cut in a line", "answer", b'{"delta": "a"}\n{"delta": "b', ["a"], "line 2: $: not JSON: Unterminated string starting at, line 1 column 11 (the stream ends here)"),
    ("cut in a letter", "answer", b'{"delta": "a"}\n{"delta": "\xe6\x97', ["a"], "line 2: $: not UTF-8 text: byte 11 (the stream ends here)"),
    ("server-sent events of its own lines", "answer", b'data: {"delta": "a"}\n\n', [], "expected JSON lines, got server-sent events"),
    ("server-sent events as lines", "answer", b'event: x\ndata: {"answer": "a"}\n\n', [], "expected JSON lines, got server-sent events: it has the format writer or gemini"),
    ("events of another provider", "writer", b'event: message_start\ndata: {"type": "message_start"}\n\n', [], "expected events without a name, got 'message_start': it has the format anthropic"),
    ("an HTML page as lines", "answer", b"<!DOCTYPE html>\n", [], "line 1: $: not JSON (an HTML page?): Expecting value, line 1 column 1"),
    ("no bytes", "writer", b"", [], "expected server-sent events, got none"),
    ("no event", "writer", b"retry: 10\n\n: ping\n\n", [], "expected server-sent events, got none"),
    ("a proxy's text", "openai", b"upstream connect error", [], "expected server-sent events, got another text"),
    ("only the end", "writer", b"data: [DONE]\n\n", [], "expected server-sent events, got none"),
    ("an HTML page", "writer", b"\xef\xbb\xbf\n<html>", [], "expected server-sent events, got an HTML page"),
    ("a whole response", "writer", b'{"answer": "a"}', [], "expected server-sent events, got JSON: it has the format writer or gemini"),
    ("an event that is no JSON", "writer", events({"answer": "a"}) + b"data: oops\n\n", ["a"], "event 2: $: not JSON: Expecting value, line 1 column 1"),
    ("an event that is no answer", "writer", events({"answer": "a"}, {"object": "x"}), ["a"], "event 2: $: expected one of answer, sources, subqueries, references"),
    ("a wrong type in an envelope", "writer", events({"data": {"answer": 1}}), [], "event 1: $.data.answer: expected a text, got int"),
    ("an empty array", "writer", events({"data": []}), [], "event 1: $.data: expected a response, got an empty array"),
    ("an error event", "writer", events({"answer": "a"}) + b'event: error\ndata: {"message": "quota\\u001b[31m \\u202eused"}\n\n', ["a"], "event 2: $: the provider reported an error: quota [31m used"),
    ("an error event in words", "writer", events({"answer": "a"}) + b"event: error\ndata: overloaded\n\n", ["a"], "event 2: $: the provider reported an error: overloaded"),
    ("an error within", "writer", events({"answer": "a"}, {"error": {"message": "failed"}}) + b"data: [DONE]\n\n", ["a"], "event 2: $.error: the provider reported an error: failed"),
    ("an error without words", "writer", events({"error": {"code": 5}}), [], "event 1: $.error: the provider reported an error"),
    ("a chat that does not say why it finishes", "writer", events({"choices": [{"delta": {"content": "a"}, "finish_reason": None}]}, {"choices": []}), ["a"], "the stream ended before the answer did"),
    ("a completion that does not say why", "open-webui", events({"choices": [{"delta": {"content": "a"}}]}), ["a"], "the stream ended before the answer did"),
    ("cut in an event", "writer", events({"answer": "a"}) + b'data: {"answer": ', ["a"], "event 2: $: not JSON: Expecting value, line 1 column 12 (the stream ends here)"),
    ("cut in a field's name", "writer", events({"answer": "a"}) + b"dat", ["a"], "event 2: $: expected JSON, got nothing (the stream ends here)"),
    ("cut in an error", "writer", events({"answer": "a"}) + b"event: error\n", ["a"], "event 2: $: the provider reported an error"),
]  # fmt: skip


ALL = [
    *((name, supplier, stream) for name, supplier, stream, _ in STREAMS),
    *((name, supplier, stream) for name, supplier, stream, *_ in FAULTS),
]


FRAGMENTS = [
    b'{"delta": "a"}', b'{"references": [{"id": "1"}]}', b'{"answer": "a"}', b'{"data": [', b"]}", b'{"error": "x"}', b"{}", b"[]", b"null", b'"a"',
    b"data: ", b"data", b"event: error", b"event: x", b": ping", b"[DONE]", b"\n", b"\n\n", b"\r\n", b"\r", b"\xf0\x9f", b"\xef\xbb\xbf", b"<html>", b" ", b"\x00",
]  # fmt: skip


def assert_read_in_any_pieces(supplier: str, stream: bytes, size: int) -> None:
    """Any bytes say something or have a fault, and the same ones in pieces of ``size`` bytes."""
    items, error = whole = read(supplier, [stream])
    assert items or error
    assert "\n" not in error
    assert read(supplier, [stream[at : at + size] for at in range(0, len(stream), size)]) == whole
