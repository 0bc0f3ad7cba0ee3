"""Providers that cite by place: what is read from their responses and streams, and how a reader sees it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from citations import (
    AnswerFormatError,
    Dialect,
    LabelRanking,
    Reference,
    Rendering,
    RenderingStream,
    SensitivityLabel,
    channel,
    cite,
    render,
)
from citations.__main__ import main
from citations.labels import LabelRule
from citations.model.answer_event import spans_of
from citations.readers import FORMATS
from citations.text.url import safe_url
from tests.depth import is_deep
from tests.normal_html import with_marks
from tests.provider_captures import (
    CAPTURES,
    GONE,
    STREAMED,
    WHOLE,
    answer_of,
    beside_the_text,
    changed,
    cited_words,
    events_of,
    expected,
    load,
    marked,
    supplier_of,
)
from tests.provider_streams import events, lines, read
from tests.written_provider_answers import (
    PAGES,
    SEARCHED,
    WRITTEN,
    added,
    block,
    char_location,
    claude,
    claude_event,
    cohere,
    cohere_citation,
    delta,
    ended,
    gemini,
    knowledge_base,
    output_text,
    support,
    url_citation,
)

NAMES = [case[0] for case in WRITTEN]
STREAMS = [case for case in WRITTEN if isinstance(case[2], list) and "ends before" not in case[0]]


# What rests on what


@pytest.mark.parametrize(("supplier", "sent", "text"), [case[1:] for case in WRITTEN], ids=NAMES)
def test_the_words_that_rest_on_a_source(supplier: str, sent: Any, text: str) -> None:
    assert marked(FORMATS[supplier].read(sent)) == text


texts = st.lists(
    st.sampled_from("Zürich 😀 e\u0301 [1] `x` **b** 日本。 a_b \r\n - | <i> $y$ is. 東京 👩‍🔬 x".split(" ")),
    min_size=3,
    max_size=12,
).map(" ".join)


@given(texts, st.data())
def test_each_unit_of_an_offset_gives_the_same_span(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    words = text[start:end]
    assume(words.strip() == words and text.count(words) == 1)
    for encoding, width in (("utf-32-le", 4), ("utf-8", 1), ("utf-16-le", 2)):
        first, last = (len(text[:place].encode(encoding)) // width for place in (start, end))
        sent = gemini([text], support(first, last, words))
        spans = (
            FORMATS["gemini"].read(sent).spans
            + FORMATS["cohere"].read(cohere(text, cohere_citation(words, first, last, "d"))).spans
        )
        assert [(one.start, one.end) for one in spans] == [(start, end)] * 2
        cited = cite(FORMATS["gemini"].read(sent))
        for use in cited.uses:
            assert len(use.positions) == 1


def test_all_recorded_responses_are_expected() -> None:
    assert sorted(expected()) == sorted([*WHOLE, *STREAMED])


@pytest.mark.parametrize("file", [*WHOLE, *STREAMED])
def test_a_recorded_response(file: str) -> None:
    assert list(cited_words(answer_of(file))) == expected()[file]


FILE = {"type": "file_citation", "file_id": "f-7", "filename": "gate.pdf", "index": 5}
STORE = {
    "retrievedContext": {
        "fileSearchStore": "fileSearchStores/board",
        "text": "P.",
        "uri": "gs://board/gate.pdf",
    }
}
UNNAMED = {"retrievedContext": {"fileSearchStore": "fileSearchStores/board", "text": "P."}}
"""A passage of a file that has neither a name nor an address."""
REACHED: list[tuple[str, Any, dict[str, str]]] = [
    ("openai", output_text("It is.", FILE), {"id": "f-7"}),
    ("openai", output_text("It is.", FILE), {"file": "gate.*"}),
    ("openai", output_text("It is.", url_citation(0, 5, "https://e.com/hr/a?utm_source=openai")), {"url_prefix": "https://e.com/hr/"}),
    ("anthropic", claude(block("It is.", char_location(0) | {"file_id": "f-7"})), {"id": "f-7"}),
    ("anthropic", claude(block("It is.", char_location(0))), {"file": "a.txt"}),
    ("bedrock", knowledge_base("It is.", "It is.", 0, 5, "s3://board/2026/gate.pdf"), {"url_prefix": "s3://board/"}),
    ("bedrock", knowledge_base("It is.", "It is.", 0, 5, "s3://board/2026/gate.pdf"), {"file": "gate.pdf"}),
    ("cohere", cohere("It is.", cohere_citation("It is.", 0, 6, "d-7")), {"id": "d-7"}),
    ("gemini", gemini(["It is."], support(0, 6, "It is."), chunks=[STORE]), {"id": "fileSearchStores/board"}),
    ("gemini", gemini(["It is."], support(0, 6, "It is."), chunks=[STORE]), {"file": "gate.pdf"}),
    ("gemini", gemini(["It is."], support(0, 6, "It is."), chunks=[UNNAMED]), {"id": "fileSearchStores/board"}),
]  # fmt: skip


@pytest.mark.parametrize(("supplier", "sent", "rule"), REACHED)
def test_a_rule_of_a_labels_file_reaches_a_source(supplier: str, sent: Any, rule: dict[str, Any]) -> None:
    ranking = LabelRanking(
        labels=(
            SensitivityLabel(id="low", name="Low", priority=0),
            SensitivityLabel(id="high", name="High", priority=1, encrypted=True),
        ),
        rules=(LabelRule(label="high", **rule),),
    )
    rendering = render(cite(FORMATS[supplier].read(sent)), channel("webchat"), ranking=ranking)
    assert "It is" not in rendering.text


def test_the_documents_of_a_request_name_what_a_citation_numbers() -> None:
    manual = Reference(id="m", name="Manual", url="https://e.com/manual.pdf")
    answer = (
        FORMATS["anthropic"].where(documents=[Reference(id="a"), manual]).read(claude(block("It is.", PAGES)))
    )
    (found,) = answer.references
    assert (found.name, found.url, found.page, found.last_page) == (
        "Manual",
        "https://e.com/manual.pdf",
        3,
        4,
    )
    assert found.text == "On two pages."
    sent = {
        "choices": [
            {
                "message": {
                    "content": [
                        {"type": "text", "text": "It is."},
                        {"type": "reference", "reference_ids": ["m"]},
                    ]
                }
            }
        ]
    }
    assert FORMATS["mistral"].where(documents=[manual]).read(sent).references == (manual,)


def test_perplexitys_responses_name_their_provider() -> None:
    answer = FORMATS["perplexity"].read(output_text("It is."))
    assert answer.origin.provider == "Perplexity"
    assert answer.dialect is Dialect.NONE


def test_a_field_that_is_null_is_absent() -> None:
    citation = {"title": "A", "location": {"web": {"url": SEARCHED["source"]}}}
    piece = {"citation": None, "citationsContent": {"content": [{"text": "It is."}], "citations": [citation]}}
    bedrock = FORMATS["bedrock"].read({"output": {"message": {"content": [piece]}}})
    anthropic = FORMATS["anthropic"].read(claude(block("It is.", SEARCHED) | {"citation": None}))
    assert marked(bedrock) == marked(anthropic) == f"It is.⟦{SEARCHED['source']}⟧"


# Errors

ERROR = {"type": "overloaded_error", "message": "Too busy"}
REPORTED = [
    ("openai", {"object": "response", "status": "failed", "error": ERROR, "output": []}),
    ("openai", {"type": "error", "message": "Too busy"}),
    ("openai", {"type": "response.failed", "response": {"error": ERROR}}),
    ("anthropic", {"type": "error", "error": ERROR}),
    ("gemini", {"error": {"code": 503, "message": "Too busy"}}),
    ("bedrock", {"error": "Too busy"}),
    ("cohere", {"type": "error", "message": "Too busy"}),
    ("mistral", {"event": "conversation.response.error", "data": {"type": "conversation.response.error", "message": "Too busy"}}),
    ("langchain", {"error": ERROR}),
]  # fmt: skip


@pytest.mark.parametrize(("supplier", "sent"), REPORTED)
def test_a_reported_error_is_no_answer(supplier: str, sent: dict[str, Any]) -> None:
    with pytest.raises(AnswerFormatError, match="the provider reported an error: Too busy"):
        FORMATS[supplier].read(sent)
    assert "Too busy" in read(supplier, [events(sent)])[1]


def test_an_error_that_is_null_is_none() -> None:
    assert FORMATS["gemini"].read(gemini(["It is."]) | {"error": None}).text == "It is."


# Streams


def test_an_event_without_its_piece_divides_no_block() -> None:
    sent = [claude_event("delta", delta={"type": "text_delta", "text": one}) for one in ("It ", "is", " so.")]
    del sent[1]["delta"]
    assert FORMATS["anthropic"].read(sent).text == "It  so."


@pytest.mark.parametrize("supplier", ["openai", "mistral", "perplexity"])
@pytest.mark.parametrize("kind", ["ping", "keepalive"])
def test_an_event_that_keeps_a_connection_open_is_no_beginning(supplier: str, kind: str) -> None:
    sent = [delta("It is so."), ended(output_text("It is so.", url_citation(0, 9)))]
    assert marked(FORMATS[supplier].read([{"type": kind}, *sent])) == marked(FORMATS[supplier].read(sent))


@pytest.mark.parametrize("supplier", ["mistral", "perplexity"])
def test_a_response_is_known_without_the_type_of_its_first_event(supplier: str) -> None:
    created = {"type": "created", "response": {"object": "response", "output": []}}
    assert FORMATS[supplier].read([created, delta("It is so.")]).text == "It is so."


def test_a_thought_is_never_shown() -> None:
    thought = claude_event("delta", delta={"type": "thinking_delta", "text": "Hm."})
    said = claude_event("delta", 1, delta={"type": "text_delta", "text": "It is."})
    assert FORMATS["anthropic"].read([thought, said]).text == "It is."


def shown(supplier: str, pieces: Iterable[bytes], channel_id: str) -> tuple[list[str], Rendering]:
    """The texts of a stream's interims, and its final."""
    reading, interims = FORMATS[supplier].stream(), []
    rendering = RenderingStream(channel(channel_id), dialect=reading.dialect)
    items = (item for piece in pieces for item in reading.feed(piece))
    for item in (*items, *reading.close()):
        for event in item:
            rendering.feed(event)
        if interim := rendering.interim():
            interims.append(interim.text)
    return interims, rendering.close()


@pytest.mark.parametrize("file", STREAMED)
def test_a_recorded_stream_says_the_same_however_it_is_cut(file: str) -> None:
    supplier, sent = supplier_of(file), (CAPTURES / file).read_bytes()
    whole = read(supplier, [sent])
    assert not whole[1]
    assert read(supplier, events_of(file)) == whole
    assert read(supplier, [sent[at : at + 97] for at in range(0, len(sent), 97)]) == whole


@pytest.mark.parametrize("form", [events, lines])
@pytest.mark.parametrize(
    ("supplier", "sent"), [case[1:3] for case in STREAMS], ids=[case[0] for case in STREAMS]
)
def test_a_stream_ends_as_its_answer(supplier: str, sent: list[Any], form: Callable[..., bytes]) -> None:
    answer = FORMATS[supplier].read(sent)
    for channel_id in ("webchat", "msteams"):
        interims, final = shown(supplier, [form(one) for one in sent], channel_id)
        if "text-not-replaced" not in {problem.code for problem in final.problems}:
            assert final == render(cite(answer), channel(channel_id))
        if channel_id == "msteams":
            assert all(final.text.startswith(interim) for interim in interims)


def test_a_link_that_becomes_a_badge_is_never_shown() -> None:
    sent = [
        delta(one)
        for one in ("It is. (", "[e.com](https://e.com/a", "?utm_source=openai))", " So, and then", " more.")
    ]
    sent.insert(4, added(url_citation(7, 51)))
    interims, final = shown("openai", [events(one) for one in (*sent, ended(output_text("")))], "webchat")
    assert len(interims) > 1
    assert all("e.com](" not in text and "openai))" not in text for text in (*interims, final.text))
    assert final.text.startswith("It is.[1] So, and then more.")


def test_an_event_may_have_pictures_in_it() -> None:
    picture = {"type": "image_generation_call", "result": "x" * 2_000_000}
    response = output_text("It is. ([A](https://e.com/a)) So.", url_citation(7, 29))
    sent = events(ended(response | {"output": [picture, *response["output"]]}))
    items, error = read("openai", [sent])
    assert not error
    assert spans_of(event for item in items for event in item)


def test_a_stream_that_breaks_off_says_so() -> None:
    sent = next(case[2] for case in WRITTEN if "ends before" in case[0])
    items, error = read("openai", [events(*sent)])
    assert items
    assert error == "the stream ended before the answer did"


def chat_chunk(said: str | None, finish_reason: str | None = None, index: int = 0) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": {"content": said}, "finish_reason": finish_reason}]}


def cohere_events(reason: str) -> list[dict[str, Any]]:
    content = {"message": {"content": {"text": "It is"}}}
    return [
        {"type": "content-delta", "index": 0, "delta": content},
        {"type": "message-end", "delta": {"finish_reason": reason}},
    ]


@pytest.mark.parametrize(
    ("supplier", "sent"),
    [
        ("cohere", cohere_events("ERROR")),
        ("cohere", cohere_events("TIMEOUT")),
        ("openai", [chat_chunk("It is"), chat_chunk(None, "error")]),
        ("mistral", [chat_chunk("It is"), chat_chunk(None, "error")]),
    ],
)
def test_an_answer_in_which_the_model_failed_is_not_whole(supplier: str, sent: list[Any]) -> None:
    items, error = read(supplier, [events(*sent) + b"data: [DONE]\n\n"])
    assert items
    assert error == "the stream ended before the answer did"
    answer = FORMATS[supplier].read(sent)
    assert (answer.text, [problem.code for problem in answer.problems]) == ("It is", ["answer-cut"])


def test_of_several_answers_in_one_stream_the_first_is_read() -> None:
    sent = [chat_chunk("It "), chat_chunk("So ", index=1), chat_chunk("is."), chat_chunk("be it.", index=1)]
    ends = [chat_chunk(None, "stop"), chat_chunk(None, "length", index=1)]
    answer = FORMATS["openai"].read([*sent, *ends])
    assert (answer.text, answer.cut) == ("It is.", None)
    generated = [
        {"candidates": [{"index": index, "content": {"parts": [{"text": said}]}}]}
        for said, index in (("It ", 0), ("So ", 1), ("is.", 0))
    ]
    assert FORMATS["gemini"].read(generated).text == "It is."


def test_what_gemini_cites_in_a_thought_is_sought_in_all_of_its_answer() -> None:
    sent = gemini([{"text": "Hm.", "thought": True}, "Größe."], support(0, 8))
    assert [(one.start, one.end) for one in FORMATS["gemini"].read(sent).spans] == [(0, 6)]


def test_pages_that_gemini_read_are_sources_where_it_names_no_others() -> None:
    sent = gemini(["It is."])
    sent["candidates"][0] |= {
        "groundingMetadata": {},
        "urlContextMetadata": {
            "urlMetadata": [
                {
                    "retrievedUrl": "https://example.com/a",
                    "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS",
                },
                {"retrievedUrl": "https://example.com/b", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_ERROR"},
            ]
        },
    }
    assert [one.url for one in FORMATS["gemini"].read(sent).references] == ["https://example.com/a"]


def test_what_boto3_yields_is_read_before_it_is_a_list() -> None:
    """``converse_stream`` and ``invoke_agent`` return an ``EventStream``, which is an iterable and no list."""
    sent = next(case[2] for case in WRITTEN if case[0] == "bedrock: the stream of a conversation")
    wanted = FORMATS["bedrock"].read(sent)
    read_once = FORMATS["bedrock"].read({"ResponseMetadata": {}, "stream": iter(sent)})
    assert (read_once.text, read_once.spans) == (wanted.text, wanted.spans)


def test_a_character_whose_bytes_come_in_two_chunks() -> None:
    said = "Zürich".encode()
    sent = [{"chunk": {"bytes": said[:2]}}, {"chunk": {"bytes": said[2:]}}]
    assert FORMATS["bedrock"].read({"completion": sent}).text == "Zürich"


@pytest.mark.parametrize(
    "file", ["gemini/degrees.json", "openai/url-citation.json", "anthropic/two-passages.json"]
)
def test_a_saved_response_and_an_array_are_read_as_streams(file: str) -> None:
    supplier, sent = supplier_of(file), (CAPTURES / file).read_bytes()
    whole = read(supplier, [sent])
    assert not whole[1]
    assert read(supplier, [b"\xef\xbb\xbf[", sent[:40], sent[40:], b",", b"\n]\n"]) == whole
    said = [event for item in whole[0] for event in item]
    assert spans_of(said) == answer_of(file).spans
    for broken in (b"<html>", sent[:-9], sent + b"x", b"", b"[1]", b"\xef\xbb"):
        assert read(supplier, [broken])[1]


# Channels

BADGE = {
    "webchat": r"\[(\d+)\]",
    "msteams": r"\[(\d+)\]",
    "email": r"\[?\((\d+)\)(?:\]\([^)\s]*\))?",
    "sms": r"\((\d+)\)",
}
BEHIND = {"webchat": "\n\n[1]: ", "msteams": "\0", "email": "\n\n**Sources**", "sms": "\n\n(1) "}


def badges_in(text: str, badge: str) -> list[tuple[str, str]]:
    """Each group of badges in ``text``, with the letters and digits before it."""
    plain = html.unescape(re.sub(badge, r"⟦\1⟧", text))
    return re.findall("([0-9A-Za-z]{0,30})((?:⟦[0-9]+⟧)+)", re.sub("[^0-9A-Za-z⟦⟧]", "", plain))


@pytest.mark.parametrize("file", [*WHOLE, *STREAMED])
def test_each_badge_stands_behind_its_words_and_opens_its_source(file: str) -> None:
    answer = answer_of(file)
    cited = cite(answer)
    groups = badges_in(with_marks(cited, "⟦{}⟧".format), r"⟦(\d+)⟧")
    for channel_id, badge in BADGE.items():
        rendering = render(cited, channel(channel_id))
        if file in STREAMED:
            interims, final = shown(supplier_of(file), events_of(file), channel_id)
            assert final == rendering
            assert channel_id != "msteams" or all(final.text.startswith(interim) for interim in interims)
        body, _, behind = rendering.text.partition(BEHIND[channel_id])
        assert badges_in(body, badge) == groups
        graphs: Any = rendering.entities
        claims = [one for graph in graphs for one in graph.get("citation", ())]
        for citation in cited.citations:
            url = safe_url(citation.reference.url or "")
            if url and channel_id == "msteams":
                assert claims[citation.position - 1]["appearance"]["url"] == url
            elif url:
                assert url in behind
            elif channel_id == "webchat":
                assert f"[{citation.position}]: cite:" in rendering.text


@pytest.mark.parametrize("identifier", ["98a8d4aa-fc8b-fd93", "resp_1"])
def test_late_annotations_have_their_badges_on_teams(identifier: str) -> None:
    """xAI and Azure send them behind all text. OpenAI sends each within 64 characters behind its link."""
    answer = "It is so [[1]](https://e.com/a). " + "More is said about it. " * 9
    created: dict[str, Any] = {"id": identifier, "object": "response", "output": []}
    if identifier == "resp_1":
        created["content_filters"] = None
    annotation = {"type": "url_citation", "url": "https://e.com/a"}
    received: list[dict[str, Any]] = [{"type": "response.created", "response": created}]
    received += [
        {"type": "response.output_text.delta", "delta": one, "output_index": 0}
        for one in re.findall(r"\S+\s*", answer)
    ]
    received.append(
        {"type": "response.output_text.annotation.added", "annotation": annotation, "output_index": 0}
    )
    received.append({"type": "response.completed", "response": {"id": identifier, "status": "completed"}})
    interims, final = shown("openai", [json.dumps(one).encode() + b"\n" for one in received], "msteams")
    assert final.text.startswith("It is so[1]. More")
    assert final.problems == ()
    assert interims == []


# Fields that change


SAYS_WHAT_IS_TEXT = ("anthropic: a tool stands between two sentences", "gemini: the second part")
"""Answers with a field that says what is their text."""
FIELDS = [
    *(file for file in WHOLE if file != "gemini/picture.json"),  # it has no text
    *(case[0] for case in WRITTEN if isinstance(case[2], dict) and case[0] not in SAYS_WHAT_IS_TEXT),
]


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_changes_never_loses_the_text(name: str) -> None:
    """Every field is left out, and becomes null or of another type. The text's own fields are left alone."""
    written = {case[0]: case[1:3] for case in WRITTEN}
    supplier, data = written.get(name) or (supplier_of(name), load(name))
    text = FORMATS[supplier].read(data).text
    others: Iterator[Any] = cycle((None, 5, "x", [], {}, True, [1, "a", None]))
    paths = list(beside_the_text(data))
    for path in paths if is_deep() else paths[:: 1 + len(paths) // 60]:
        values = (GONE, None, 5, "x", [], {}, True) if is_deep() else (GONE, next(others))
        for value in values:
            said = FORMATS[supplier].read(changed(data, path, value)).text
            assert said == text, f"{path} as {value!r}; a field with the answer's text is one of the CARRIERS"


# The page

PAGE = (Path(__file__).parents[3] / "docs" / "suppliers.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python -m citations (render --from (\S+) \S+/\S+\.json)$", PAGE, re.MULTILINE)


ROWS = re.findall(r"^\| `(\w[\w-]*)` \| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_what_stands_behind_a_reader_is_there(row: tuple[str, ...]) -> None:
    name, _, *behind = row
    for cell, endings in zip(behind, ((".json",), (".sse", ".jsonl")), strict=True):
        if cell not in ("documentation alone", "its own library, in the tests"):
            file = cell.strip("`")
            assert file.split("/")[-2].replace("_", "-") == name
            assert file.endswith(endings)
            assert (CAPTURES / file).is_file()


def test_the_page_names_each_recorded_provider() -> None:
    assert {row[0] for row in ROWS} <= {*FORMATS}
    recorded = {supplier_of(file) for file in (*WHOLE, *STREAMED)}
    assert recorded <= {name for name, _, *behind in ROWS if any(cell.startswith("`") for cell in behind)}


@pytest.mark.parametrize(("command", "name"), COMMANDS, ids=[name for _, name in COMMANDS])
def test_its_commands_cite(
    command: str, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    assert main(command.split()) == 0
    text = json.loads(capsys.readouterr().out)["text"]
    assert "[1]" in text.partition("\n\n[1]: ")[0]


# Links and addresses that cite


def test_each_link_to_an_annotated_page_is_a_citation() -> None:
    """Azure annotates one of several links to a page."""
    text = "So. [A](https://e.com/a) And. [A](https://e.com/a) Or [B](https://e.com/b)."
    for start in (4, 30):
        sent = output_text(text, url_citation(start, start + 20))
        assert marked(FORMATS["openai"].read(sent)).count("⟦https://e.com/a⟧") == 2
        assert "(https://e.com/b)" in marked(FORMATS["openai"].read(sent))


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_bare_address_that_is_a_source_is_a_citation(size: int) -> None:
    text = "See https://e.com/a, https://e.com/ab and (https://e.com/a). `https://e.com/a` https://e.com/a"
    chunks: list[dict[str, Any]] = [
        {"choices": [{"delta": {"content": text[place : place + size]}}]}
        for place in range(0, len(text), size)
    ]
    chunks[0]["choices"][0]["delta"]["annotations"] = [
        {"type": "url_citation", "url_citation": {"url": SEARCHED["source"]}}
    ]
    chunks.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    cited = "See⟦https://e.com/a⟧, https://e.com/ab and⟦https://e.com/a⟧. `https://e.com/a`⟦https://e.com/a⟧"
    assert marked(FORMATS["openai"].read(chunks)) == cited


def test_parts_of_one_message_that_touch_are_paragraphs() -> None:
    parts: list[dict[str, Any]] = [
        {"type": "output_text", "text": one} for one in ("One.", "Two.", " Three.")
    ]
    message = {"type": "message", "role": "assistant", "content": parts}
    assert FORMATS["openai"].read({"object": "response", "output": [message]}).text == "One.\n\nTwo. Three."


def test_an_error_in_a_stream_keeps_the_badge_of_the_open_block() -> None:
    cited = {
        "type": "web_search_result_location",
        "url": SEARCHED["source"],
        "title": "A",
        "cited_text": "P.",
    }
    sent = [
        claude_event("start", content_block={"type": "text", "text": "", "citations": []}),
        claude_event("delta", delta={"type": "citations_delta", "citation": cited}),
        claude_event("delta", delta={"type": "text_delta", "text": "It is"}),
        {"type": "error", "error": {"type": "overloaded_error", "message": "Too busy"}},
    ]
    items, fault = read("anthropic", [events(*sent)])
    assert "Too busy" in fault
    [span] = spans_of(event for item in items for event in item)
    assert (span.start, span.end, span.ids) == (0, 5, (SEARCHED["source"],))


def test_a_place_that_may_be_utf_16_or_utf_8_is_utf_16() -> None:
    """As code points it is inside "ghi". The others end a word: OpenAI counts as JavaScript and .NET do."""
    sent = output_text("😀😀 abc def ghi jkl", {"type": "file_citation", "file_id": "f", "index": 12})
    assert marked(FORMATS["openai"].read(sent)) == "😀😀 abc def⟦f⟧ ghi jkl"


@pytest.mark.parametrize(
    ("supplier", "sent"),
    [
        ("gemini", gemini(["It is."], support(0, 6, "It is."), chunks=[UNNAMED])),
        ("anthropic", claude(block("It is.", char_location(0) | {"document_title": None}))),
    ],
)
def test_a_source_without_a_name_is_a_document_with_its_number(supplier: str, sent: Any) -> None:
    rendering = render(cite(FORMATS[supplier].read(sent)), channel("webchat"))
    assert rendering.text.endswith('[1]: cite:1 "Document 1"')
