"""What Open WebUI sends, read: the captures of a real one, and the shapes that they don't have."""

from __future__ import annotations

import itertools
import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerEvent,
    AnswerFormatError,
    CitationError,
    Dialect,
    EventStreamError,
    Origin,
    Reference,
    ReferencesFound,
    TextDelta,
    channel,
    cite,
    render,
)
from citations.model.answer_event import text_of
from citations.readers import FORMATS, OpenWebUIEvents

from .open_webui_server import captured

WEBUI = "https://chat.example.com"
TEXT = "Override the default proxy settings [1], detail [2]. See [docs](https://example.com/d)."
PIPE = "The speed of light is exactly 299,792,458 m/s [1]. More [2]."


def capture(name: str) -> Any:
    return json.loads(captured(name))


def found(references: tuple[Reference, ...]) -> list[tuple[str, str | None, str | None]]:
    """Number, name and URL of each passage."""
    return [(one.id, one.name, one.url) for one in references]


# The captures, with the numbers that the page of Open WebUI shows

PROXIES = [
    ("1", "winserver.md", None),
    ("2", "proxy guide (v2).md", None),
    ("2", "proxy guide (v2).md", None),
]
LIGHT = [
    ("1", "NASA", "https://science.nasa.gov/ems/03_movinglight/"),
    ("2", "AAA", "https://aaa.com"),
]


def test_one_collection_is_as_many_sources_as_it_has_files() -> None:
    answer = FORMATS["open-webui"].read(capture("collection.json"))
    assert (answer.text, found(answer.references)) == (TEXT, PROXIES)
    assert answer.dialect is Dialect.NUMBERED
    assert answer.origin == Origin(provider="Open WebUI")
    rendering = render(cite(answer), channel("webchat"))
    assert rendering.text.endswith('[1]: cite:1 "winserver.md"\n[2]: cite:2 "proxy guide (v2).md"')
    claims: Any = rendering.entities[0]["citation"]
    assert [claim["position"] for claim in claims] == ["1", "2"]
    assert claims[0]["appearance"]["text"].startswith("# Windows Server proxy\n")
    assert "Paragraph 8:" in claims[1]["appearance"]["text"]
    assert "Paragraph 28:" in claims[1]["appearance"]["text"], "both passages of the second source"


@pytest.mark.parametrize("name", ["native_no_sources.json", "unknown_collection.json"])
def test_knowledge_that_was_not_looked_into_leaves_no_trace(name: str) -> None:
    answer = FORMATS["open-webui"].read(capture(name))
    assert answer.references == ()
    assert answer.text.startswith("No sources were given to me.")


def test_a_saved_chat_has_what_a_pipe_emitted() -> None:
    answer = FORMATS["open-webui"].read(capture("pipe_saved_chat.json"))
    assert (answer.text, found(answer.references)) == (PIPE, LIGHT)
    assert answer.references[1].text == "AAA recommends breaks."
    assert found(FORMATS["open-webui"].read(capture("pipe_saved.json")).references) == []


def test_the_number_of_a_passage_is_the_one_that_the_model_was_shown() -> None:
    """The model of this capture quoted the beginning of each passage, with the number that it had."""
    answer = FORMATS["open-webui"].read(capture("pdf.json"))
    quotes = re.findall(r"([\w ]+) \[(\d+)\]\. ?", answer.text)
    assert [number for _, number in quotes] == ["1", "2", "1"]
    for (words, number), one in zip(quotes, answer.references, strict=True):
        assert (one.id, " ".join(re.findall(r"\w+", one.text or "")[:6])) == (number, words)


def test_the_pages_of_a_pdf_are_those_that_are_printed_on_them() -> None:
    guide = [one for one in FORMATS["open-webui"].read(capture("pdf.json")).references if one.page]
    assert [(one.name, one.media_type) for one in guide] == [("aurora-user-guide.pdf", "application/pdf")] * 2
    assert [one.page for one in guide] == [4, 3]
    assert all((one.text or "").startswith(f"Aurora 3 user guide · page {one.page}\n") for one in guide)


def test_texts_without_ids_are_one_source() -> None:
    said, error = read_stream("texts.sse", [])
    answer = "".join(event.text for event in said if isinstance(event, TextDelta))
    assert (answer, error) == ("The sky is blue [1]. The grass is green [1]. Snow is white [1].", None)
    (told,) = (event.references for event in said if isinstance(event, ReferencesFound))
    assert found(told) == [("1", "Note A", None), ("1", "Note B", None)]


def read_stream(name: str, cuts: list[int]) -> tuple[list[AnswerEvent], CitationError | None]:
    body, stream = captured(name), FORMATS["open-webui"].stream()
    said: list[AnswerEvent] = []
    try:
        for start, end in itertools.pairwise([0, *cuts, len(body)]):
            for events in stream.feed(body[start:end]):
                said.extend(events)
        for events in stream.close():
            said.extend(events)
    except CitationError as error:
        return said, error
    return said, None


STREAMS = [
    ("collection.sse", TEXT, PROXIES, None),
    ("pipe.sse", PIPE, [], None),
    ("midstream_error.sse", "Partial [1", PROXIES, "event 3: $.error: the provider reported an error: Chat completion stream failed"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "references", "fault"), STREAMS)
def test_a_stream_cut_at_every_byte(
    name: str, text: str, references: list[object], fault: str | None
) -> None:
    size = len(captured(name))
    whole = read_stream(name, [])
    assert "".join(event.text for event in whole[0] if isinstance(event, TextDelta)) == text
    told = [event.references for event in whole[0] if isinstance(event, ReferencesFound)]
    assert found(tuple(itertools.chain(*told))) == references
    assert len(told) <= 1
    assert (str(whole[1]) if whole[1] else None) == fault
    for cuts in ([place] for place in range(1, size)):
        said, error = read_stream(name, cuts)
        assert (said, str(error)) == (whole[0], str(whole[1]))
    assert read_stream(name, list(range(1, size)))[0] == whole[0]


def test_a_stream_that_ends_before_its_answer_says_so() -> None:
    body = captured("collection.sse")
    reason = body.index(b'"stop"')
    for end in range(body.index(b'"choices"'), len(body)):
        stream = FORMATS["open-webui"].stream()
        try:
            for _ in itertools.chain(stream.feed(body[:end]), stream.close()):
                pass
        except (EventStreamError, AnswerFormatError):
            continue
        assert end >= reason + len('"stop"}]}')


# Numbers


def source(*passages: tuple[str, dict[str, Any]], **about: Any) -> dict[str, Any]:
    return {
        "source": about,
        "document": [text for text, _ in passages],
        "metadata": [metadata for _, metadata in passages],
    }


def answer(*sources: dict[str, Any]) -> Answer:
    return FORMATS["open-webui"].read(
        {"sources": list(sources), "choices": [{"message": {"content": "a [1]"}}]}
    )


NUMBERS: list[tuple[str, list[dict[str, Any]], list[tuple[str, str | None, str | None]]]] = [
    (
        "a source comes again: it has its number already",
        [
            source(("a", {"source": "x.md"}), ("b", {"source": "y.md"}), id="k1"),
            source(("c", {"source": "x.md"}), ("d", {"source": "z.md"}), id="k2"),
        ],
        [("1", "x.md", None), ("2", "y.md", None), ("1", "x.md", None), ("3", "z.md", None)],
    ),
    (
        "without metadata.source it is source.id",
        [source(("a", {}), ("b", {"source": ""}), id="f1", name="Notes")],
        [("1", "Notes", None), ("1", "Notes", None)],
    ),
    (
        "texts without id and name are all one",
        [source(("a", {}), type="text"), source(("b", {}), type="text"), source(("c", {"source": "x.md"}))],
        [("1", None, None), ("1", None, None), ("2", "x.md", None)],
    ),
    (
        "passages and metadata are parallel: what one of them lacks is no source",
        [{"source": {"id": "f1"}, "document": ["a", "b"], "metadata": [{"source": "x.md"}]}],
        [("1", "x.md", None)],
    ),
    (
        "a pipe needs no metadata",
        [{"source": {"id": "f1", "name": "Notes"}, "document": ["a"]}],
        [("1", "Notes", None)],
    ),
    (
        "sources without passages have no number",
        [{"source": {"id": "f1"}}, {}, {"document": None, "metadata": None}, source(("a", {"source": "x.md"}))],
        [("1", "x.md", None)],
    ),
    (
        "results of tools had no number in older versions, and no marker names them",
        [source(("a", {"source": "TOOL:t"})) | {"tool_result": True}, source(("b", {"source": "x.md"}))],
        [("tool-1", "TOOL:t", None), ("1", "x.md", None)],
    ),
    (
        "a tool that is called again is the same source",
        [
            source(("a", {"source": "TOOL:t"}), name="TOOL:t") | {"tool_result": True},
            source(("b", {"source": "TOOL:u"}), name="TOOL:u") | {"tool_result": True},
            source(("c", {"source": "TOOL:t"}), name="TOOL:t") | {"tool_result": True},
        ],
        [("tool-1", "TOOL:t", None), ("tool-2", "TOOL:u", None), ("tool-1", "TOOL:t", None)],
    ),
    (
        "a tool's result that says it is a document's page is none of its passages",
        [
            source(("a", {"source": "https://example.com/a"}), name="1") | {"tool_result": True},
            source(("b", {"source": "https://example.com/a"})),
        ],
        [("tool-1", "1", None), ("1", None, "https://example.com/a")],
    ),
    (
        "a tool's result is one without metadata, or without text",
        [
            {"source": {"name": "TOOL:t"}, "document": ["a", "b"], "metadata": [{}], "tool_result": True},
            {"source": {"name": "TOOL:u", "id": "u"}, "tool_result": True},
        ],
        [("tool-1", "TOOL:t", None), ("tool-1", "TOOL:t", None), ("tool-2", "TOOL:u", None)],
    ),
    (
        "distances of any shape say nothing",
        [source(("a", {"source": "x.md"})) | {"distances": [[0.5], None, "<b>"]}],
        [("1", "x.md", None)],
    ),
    (
        "a page of the web is its URL, with its title",
        [
            source(
                ("a", {"source": "https://example.com/a", "title": "A page"}),
                ("b", {"source": "https://example.com/b"}),
                type="web_search",
                name="what was searched for",
            )
        ],
        [("1", "A page", "https://example.com/a"), ("2", None, "https://example.com/b")],
    ),
    (
        "a file that was taken from the web leads there",
        [source(("a", {"source": "a.html", "name": "a.html", "source_url": "https://example.com/a"}))],
        [("1", "a.html", "https://example.com/a")],
    ),
    (
        "another URL, which no rendering links, is no page of the web",
        [source(("a", {"source": "javascript:alert(1)", "source_url": "ftp://example.com"}))],
        [("1", "javascript:alert(1)", "ftp://example.com")],
    ),
    (
        "a number for an id",
        [source(("a", {"source": 7}))],
        [("1", "7", None)],
    ),
    (
        "names as people wrote them",
        [
            source(("a", {"source": "s1", "name": "%C3%9Cbersicht%20%28v2%29.pdf"})),
            source(("b", {"source": "s2", "name": "100% sure %28really%29.md"})),
            source(("c", {"source": "s3", "name": "%FF.md"})),
            source(("d", {"source": "/data/uploads/handbook.pdf"})),
        ],
        [("1", "Übersicht (v2).pdf", None), ("2", "100% sure %28really%29.md", None), ("3", "%FF.md", None), ("4", "handbook.pdf", None)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sources", "expected"), [case[1:] for case in NUMBERS], ids=[case[0] for case in NUMBERS]
)
def test_numbers_and_names(
    sources: list[dict[str, Any]], expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert [(one.id, one.name, one.url) for one in passages(sources)] == expected


def passages(sources: list[dict[str, Any]]) -> list[Reference]:
    """A reference for each passage; the same passage again is told once, so each gets a text of its own."""
    return list(answer(*sources).references)


keys = st.sampled_from(["x.md", "https://example.com/a", "", None, "N/A"])
passage = st.tuples(st.text(min_size=1, max_size=3), st.fixed_dictionaries({"source": keys}))
entry = st.builds(lambda found, about: source(*found, id=about), st.lists(passage, max_size=4), keys)


tools = entry.map(lambda one: one | {"tool_result": True})


@given(st.lists(entry, max_size=4), st.lists(tools, max_size=3), st.randoms(use_true_random=False))
def test_results_of_tools_move_no_number(
    entries: list[dict[str, Any]], results: list[dict[str, Any]], random: Random
) -> None:
    among = list(entries)
    for one in results:
        among.insert(random.randint(0, len(among)), one)
    found = [one for one in passages(among) if not one.id.startswith("tool-")]
    assert found == passages(entries)


@given(st.lists(entry, max_size=5), st.lists(st.integers(0, 5), max_size=3))
def test_the_numbers_are_those_of_the_prompt(entries: list[dict[str, Any]], cuts: list[int]) -> None:
    """However the sources are divided among events, the numbers are those of ``get_source_context``."""
    index: dict[str, int] = {}
    for one in entries:
        for _, metadata in zip(one["document"], one["metadata"], strict=False):
            identifier = metadata.get("source") or one["source"].get("id") or "N/A"
            index.setdefault(identifier, len(index) + 1)
    expected = {
        (document, str(index[metadata.get("source") or one["source"].get("id") or "N/A"]))
        for one in entries
        for document, metadata in zip(one["document"], one["metadata"], strict=False)
        if document.strip()
    }
    events = OpenWebUIEvents()
    ends = sorted({min(cut, len(entries)) for cut in cuts} | {0, len(entries)})
    said = [
        event
        for start, end in itertools.pairwise(ends)
        for event in events.read({"sources": entries[start:end]})
    ]
    told = [one for event in said if isinstance(event, ReferencesFound) for one in event.references]
    assert {(one.text, one.id) for one in told if one.text} == expected
    assert len(told) == len(set(told))


PAGES: list[tuple[dict[str, Any], int | None]] = [
    ({"page": 0, "page_label": "1"}, 1),
    ({"page": 11, "page_label": "xii"}, 12),
    ({"page_label": "7"}, 7),
    ({"page_label": "iv"}, None),
    ({"page": -1}, None),
    ({"page": True}, None),
    ({"page": "3"}, None),
    ({}, None),
]


@pytest.mark.parametrize(("metadata", "page"), PAGES)
def test_pages_are_counted_from_one(metadata: dict[str, Any], page: int | None) -> None:
    (one,) = passages([source(("a", {"source": "x.pdf", **metadata}))])
    assert one.page == page


LINKS: list[tuple[dict[str, Any], str | None]] = [
    ({"file_id": "b6113a8b-4914", "page": 2}, f"{WEBUI}/api/v1/files/b6113a8b-4914/content#page=3"),
    ({"file_id": "b6113a8b-4914"}, f"{WEBUI}/api/v1/files/b6113a8b-4914/content"),
    ({"file_id": "../../auths"}, None),
    ({"file_id": 5}, None),
    ({}, None),
    ({"file_id": "f1", "source": "https://example.com/a"}, None),
]


@pytest.mark.parametrize(("metadata", "url"), LINKS)
def test_files_are_linked_where_people_open_them(metadata: dict[str, Any], url: str | None) -> None:
    sources = [source(("a", {"source": "x.pdf", **metadata}))]
    data = {"sources": sources, "choices": [{"message": {"content": "a [1]"}}]}
    (one,) = FORMATS["open-webui"].where(webui_url=f"{WEBUI}/").read(data).references
    assert one.document_url == url
    assert passages(sources)[0].document_url is None, "nothing is linked unless it is asked for"


# Events

SOURCE = {
    "source": {"name": "NASA"},
    "document": ["299,792,458 meters per second is the exact speed of light in vacuum."],
    "metadata": [{"source": "https://science.nasa.gov/ems/03_movinglight/", "date_accessed": "2025-06-24"}],
}
OTHER = {
    "source": {"name": "AAA"},
    "document": ["AAA recommends breaks."],
    "metadata": [{"source": "https://aaa.com"}],
}
FIRST, SECOND = PIPE[:50], PIPE[50:]


def emitted(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data}


def on_the_socket(event: dict[str, Any]) -> dict[str, Any]:
    return {"chat_id": "c1", "message_id": "a1", "data": event}


EVENTS: dict[str, list[Any]] = {
    "source by source, behind what cites them": [
        emitted("message", content=FIRST),
        emitted("source", **SOURCE),
        emitted("message", content=SECOND),
        emitted("citation", **OTHER),
    ],
    "all at once, at the end": [
        emitted("chat:completion", content=PIPE, done=True, sources=[SOURCE, OTHER]),
    ],
    "chunks of a completion, and a source among them": [
        {"choices": [{"delta": {"content": FIRST}}]},
        emitted("source", **SOURCE),
        {"choices": [{"delta": {"content": SECOND}, "finish_reason": "stop"}]},
        emitted("source", **OTHER),
    ],
    "as a socket brings them, with others among them": [
        on_the_socket(event)
        for event in (
            emitted("status", description="Searching", done=False),
            emitted("chat:completion", sources=[SOURCE]),
            emitted("response:completion", type="response.output_text.delta", delta=FIRST),
            emitted("citation", type="code_execution", id="x", code="1"),
            emitted("response:completion", type="response.output_text.delta", delta=SECOND),
            emitted("source", **OTHER),
            {"type": "chat:title", "data": "Light"},
            emitted("chat:completion", title="Light"),
            emitted("chat:completion", done=True, content=f"{PIPE}\n", output=[]),
        )
    ],
    "the text so far, again and again": [
        emitted("chat:completion", content=FIRST, sources=[SOURCE]),
        emitted("replace", content=PIPE),
        emitted("chat:completion", content=PIPE, done=True, sources=[SOURCE, OTHER]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("events", EVENTS.values(), ids=EVENTS)
def test_what_pipes_emit(events: list[Any]) -> None:
    answer = FORMATS["open-webui"].read(events)
    assert answer.text.strip() == PIPE
    assert found(answer.references) == LIGHT
    rendering = render(cite(answer), channel("webchat"))
    assert rendering.problems == ()
    assert rendering.text.endswith(
        '[1]: https://science.nasa.gov/ems/03_movinglight/ "NASA, accessed 2025-06-24"\n[2]: https://aaa.com "AAA"'
    )
    body = b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events) + b"data: [DONE]\n\n"
    stream = FORMATS["open-webui"].stream()
    said = [event for one in itertools.chain(stream.feed(body), stream.close()) for event in one]
    assert "".join(event.text for event in said if isinstance(event, TextDelta)) == answer.text


REPLACED: dict[str, tuple[list[Any], str]] = {
    "a new text": ([emitted("message", content="a b [1]"), emitted("replace", content="c [2]")], "c [2]"),
    "of a page's own event": ([emitted("message", content="a b"), emitted("chat:message", content="c")], "c"),
    "of a completion": ([emitted("message", content="a b"), emitted("chat:completion", content="c")], "c"),
    "the last one": ([emitted("replace", content="a"), emitted("replace", content="b"), emitted("replace", content="c")], "c"),
    "what follows": ([emitted("message", content="a"), emitted("replace", content="b"), emitted("message", content="c")], "bc"),
    "a shorter one": ([emitted("message", content="a b"), emitted("replace", content="a")], "a"),
    "none": ([emitted("message", content="a b"), emitted("replace", content="")], ""),
    "no text in it": ([emitted("message", content="a b"), emitted("replace")], "a b"),
    "the same with its thoughts ended": (
        [
            emitted("chat:completion", content='<details type="reasoning" done="false">\na\n</details>\nIt is'),
            emitted("chat:completion", content='<details type="reasoning" done="true">\na b\n</details>\nIt is so.'),
        ],
        "It is so.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("events", "text"), REPLACED.values(), ids=REPLACED)
def test_the_last_of_texts_that_replace_each_other_holds(events: list[Any], text: str) -> None:
    assert FORMATS["open-webui"].read(events).text == text
    stream = OpenWebUIEvents()
    said = [event for one in events for event in stream.read(one)]
    assert text_of([*said, *stream.close()]) == text


FAULTS: list[tuple[object, str]] = [
    (None, "$: expected object, got null"),
    ("<html>", "$: expected a JSON object, got an HTML page"),
    ({}, "$: expected one of sources, choices, content"),
    ({"answer": "a"}, "$: this has the format writer or gemini, not open-webui"),
    ({"detail": "Model not found"}, "$.detail: the provider reported an error: Model not found"),
    ({"error": {"message": "slow down"}}, "$.error: the provider reported an error: slow down"),
    ({"choices": [], "sources": {}}, "$.sources: expected array | null, got object"),
    ({"choices": [], "sources": [{"metadata": [1]}]}, "$.sources[0].metadata[0]: expected object | null, got int"),
    (emitted("source", document="a"), "$.data.document: expected array | null, got str"),
    (emitted("chat:message:error", error={"content": "x"}), "$.data.error: the provider reported an error"),
    ({"chat": {"history": {"messages": {}, "currentId": "a"}}}, "$.chat.history.currentId: expected the id of a message"),
    ({"chat": {"history": {"messages": {"a": {"content": 1}}, "currentId": "a"}}}, "$.chat.history.messages.a.content: expected str | null, got int"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), FAULTS)
def test_what_is_no_answer_has_a_place(data: object, message: str) -> None:
    with pytest.raises(AnswerFormatError) as caught:
        FORMATS["open-webui"].read(data)
    assert str(caught.value) == message
