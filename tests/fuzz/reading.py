"""What a supplier sends, whole and streamed in whatever pieces: an answer, or the place of its fault.

An input is a supplier's name, an empty line, and the bytes that it sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from citations import AnswerFormatError, channel, cite, render
from citations.readers import FORMATS, json_text

from ..provider_responses import CHATS, NEUTRAL, WRITER, assert_read_or_refused
from ..provider_streams import ALL, FRAGMENTS, assert_read_in_any_pieces, events, lines
from ..written_provider_answers import WRITTEN

LONGEST = 2000
"""Bytes of an input."""
CAPTURES = Path(__file__).parents[1] / "corpus" / "open_webui"
WORDS = (
    *(fragment.decode("latin-1") for fragment in FRAGMENTS),
    *(f'"{key}": ' for key in (
        "text", "references", "id", "url", "answer", "data", "files", "web", "sources", "page", "cite", "fileId", "choices",
        "message", "delta", "content", "graph_data", "type", "source", "document", "metadata", "name", "chat", "history", "messages",
        "currentId", "response", "source_nodes", "node", "score", "node_id", "dialect", "origin", "query", "complete", "event",
        "error", "detail", "output", "done", "subqueries", "snippet", "title", "extra_info", "refusal", "finish_reason",
    )),
    '"\\ud83d', "\\ude42", "1e999", "NaN", "[[[[[[[[", '{"a":{"a":{"a":', '"source"', '"chat:completion"', '"replace"', '"message"',
)  # fmt: skip


def promise(data: bytes) -> None:
    """It is read or refused, and what is read can be shown."""
    name, _, sent = data.partition(b"\n\n")
    suppliers = sorted(FORMATS)
    supplier = name.decode("latin-1")
    if supplier not in FORMATS:
        supplier = suppliers[crc32(name) % len(suppliers)]
    assert_read_in_any_pieces(supplier, sent, 1 + crc32(sent) % 7)
    try:
        document = json_text.loads(sent)
        assert_read_or_refused(supplier, document)
        answer = FORMATS[supplier].read(document)
    except AnswerFormatError:
        return
    for channel_id in ("webchat", "msteams", "sms"):
        json.dumps(render(cite(answer), channel(channel_id)).to_activity(), ensure_ascii=False).encode()


walk = promise


def seeds() -> Iterator[bytes]:
    """A response of every shape that the tests have, and what a real Open WebUI sent."""
    for data, _ in ((case[1], case[2]) for case in NEUTRAL):
        yield page("answer", data)
    yield from (page("writer", data) for _, data, _ in WRITER)
    yield from (page("writer", data) for _, data, _, _ in CHATS)
    yield from (name_and(supplier, stream) for _, supplier, stream in ALL)
    yield from (name_and("open-webui", path.read_bytes()[:LONGEST]) for path in sorted(CAPTURES.iterdir()))
    for _, supplier, sent, _ in WRITTEN:
        yield name_and(supplier, events(*sent)) if isinstance(sent, list) else page(supplier, sent)
    metadata = {"page_label": "3", "file_name": "a.pdf"}
    node = {"node": {"id_": "n1", "text": "Source 7:\nText.", "metadata": metadata}, "score": 0.5}
    yield page("llamaindex", {"response": "It is so [7].", "source_nodes": [node]})
    yield name_and("llamaindex", lines({"source_nodes": [node]}, {"delta": "It is [7]"}))


def page(supplier: str, data: object) -> bytes:
    """The input of a document."""
    return name_and(supplier, json.dumps(data).encode())


def name_and(supplier: str, sent: bytes) -> bytes:
    """The input of bytes."""
    return supplier.encode() + b"\n\n" + sent
