"""Services whose answers have markers of their own, and Purview's labels: whole, and streamed in any pieces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from citations import Answer, AnswerFormatError, SensitivityLabel, channel, cite, render
from citations.model import Cut
from citations.readers import FORMATS, answer_of
from citations.readers.purview_label import read_purview_label
from citations.readers.recognition import likely_formats
from citations.readers.search_results import files_found
from tests.provider_streams import read

ROOT = Path(__file__).parents[3]
SHOWN = {
    "azure-search": (
        "A lost laptop is reported within an hour [1]. It is insured if the bag was locked [2].",
        ["0 Security guide", "1 insurance.pdf 12"],
    ),
    "copilot-chat": (
        "Dana Li approves trips of more than two nights[1]. A taxi needs no approval[2].",
        ["1 Travel policy", "2 Expenses"],
    ),
    "ragflow": (
        "Neovim is installed with `make install` [1]. On Android, Termux has a package [1]\u200b[2].",
        ["20 INSTALL22.md", "3 termux.pdf 4"],
    ),
    "ai-sdk": (
        "Hotels are paid up to 120 a night [1].\n\nTrains are booked in second class [2].",
        ["1 Travel rates", "2 Handbook"],
    ),
}
"""What a reader sees of the response in ``examples/responses``, and its sources with id, title and page."""


def saved(provider: str) -> Any:
    return json.loads((ROOT / "examples" / "responses" / f"{provider}.json").read_bytes())


def seen(answer: Answer) -> tuple[str, list[str]]:
    cited = cite(answer)
    text = render(cited, channel("webchat")).text.partition("\n\n[1]: ")[0]
    sources = (one.reference for one in cited.citations)
    return text, [" ".join(map(str, filter(None, (one.id, one.name, one.page)))) for one in sources]


@pytest.mark.parametrize("provider", SHOWN)
def test_a_whole_response(provider: str) -> None:
    data = saved(provider)
    assert seen(FORMATS[provider].read(data)) == SHOWN[provider]
    assert likely_formats(data) == (provider,)


AZURE = saved("azure-search")
CHAT = saved("copilot-chat")
_SAID = CHAT["messages"][1]
RAGFLOW = saved("ragflow")["choices"][0]["message"]
CHUNKS = [RAGFLOW["reference"]["chunks"].get(str(number), {}) for number in range(21)]
STREAMS: dict[str, tuple[str, list[object]]] = {
    "Azure AI Search": (
        "azure-search",
        [
            {"requestId": "r", "knowledgeBaseName": "handbook", "outputMode": "answerSynthesis"},
            {"id": 0, "type": "searchIndex", "knowledgeSourceName": "files"},
            {"messageIndex": 0, "message": AZURE["response"][0]},
            AZURE["references"],
            {"statusCode": 200, "response": AZURE},
        ],
    ),
    "Copilot, whose message grows": (
        "copilot-chat",
        [
            {**CHAT, "messages": [{**_SAID, "text": _SAID["text"][:end], "attributions": found}]}
            for end, found in ((5, []), (14, []), (60, _SAID["attributions"][:2]))
        ]
        + [CHAT],
    ),
    "RAGFlow's completion": (
        "ragflow",
        [
            {"choices": [{"delta": {"content": RAGFLOW["content"][:44]}, "finish_reason": None}]},
            {"choices": [{"delta": {"content": RAGFLOW["content"][44:]}, "finish_reason": None}]},
            {"choices": [{"delta": {"reference": RAGFLOW["reference"]}, "finish_reason": "stop"}]},
        ],
    ),
    "RAGFlow's own events": (
        "ragflow",
        [
            {"code": 0, "data": {"answer": "", "start_to_think": True}},
            {"code": 0, "data": {"answer": "Which editor?"}},
            {"code": 0, "data": {"answer": "", "end_to_think": True}},
            {"code": 0, "data": {"answer": RAGFLOW["content"][:44], "reference": {}}},
            {"code": 0, "data": {"answer": RAGFLOW["content"][44:], "reference": {}}},
            {"code": 0, "data": {"answer": "", "reference": {"chunks": CHUNKS}, "final": True}},
            {"code": 0, "data": True},
        ],
    ),
    "RAGFlow's older events, which grow": (
        "ragflow",
        [
            {"code": 0, "data": {"answer": "<think>Which editor?"}},
            {"code": 0, "data": {"answer": f"<think>Which editor?</think>{RAGFLOW['content'][:44]}"}},
            {
                "code": 0,
                "data": {
                    "answer": f"<think>Which editor?</think>{RAGFLOW['content']}",
                    "reference": {"chunks": CHUNKS},
                },
            },
            {"code": 0, "data": True},
        ],
    ),
    "the AI SDK": (
        "ai-sdk",
        [
            {"type": "start", "messageId": "msg-1"},
            {"type": "reasoning-delta", "id": "0", "delta": "Which hotel?"},
            {"type": "source-url", "sourceId": "s-1", "url": "https://example.com/rates", "title": "Travel rates"},
            {"type": "text-start", "id": "1"},
            {"type": "text-delta", "id": "1", "delta": "Hotels are paid up to 120 "},
            {"type": "text-delta", "id": "1", "delta": "a night [1]."},
            {"type": "text-end", "id": "1"},
            {"type": "source-document", "sourceId": "s-2", "mediaType": "application/pdf", "title": "Handbook"},
            {"type": "source-url", "sourceId": "s-1", "url": "https://example.com/rates", "title": "Travel rates"},
            {"type": "text-delta", "id": "2", "delta": "Trains are booked in second class [2]."},
            {"type": "finish", "finishReason": "stop"},
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("provider", "documents"), STREAMS.values(), ids=STREAMS)
def test_a_stream_in_any_pieces(provider: str, documents: list[object]) -> None:
    sent = b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in documents) + b"data: [DONE]\n\n"
    for size in (len(sent), 7):
        pieces = [sent[start : start + size] for start in range(0, len(sent), size)]
        items, fault = read(provider, pieces)
        assert not fault
        answer = answer_of(event for item in items for event in item)
        assert seen(answer) == SHOWN[provider]
        assert answer.cut is None


@pytest.mark.parametrize(
    ("last", "complete", "cut"),
    [
        ({"type": "text-end", "id": "1"}, False, None),
        ({"type": "finish", "finishReason": "content-filter"}, True, Cut.CONTENT_FILTER),
        ({"type": "error", "errorText": "Overloaded"}, False, None),
    ],
)
def test_how_a_ui_message_ends(last: object, complete: bool, cut: Cut | None) -> None:
    begun = [{"type": "start"}, {"type": "text-delta", "id": "1", "delta": "It is"}, last]
    items, fault = read("ai-sdk", [b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in begun)])
    assert (not fault) is complete
    assert ("Overloaded" in str(fault)) is ("errorText" in str(last))
    assert answer_of(event for item in items for event in item).cut is cut


def test_labels_come_with_their_sources() -> None:
    (guide, insurance, response) = FORMATS["azure-search"].read(AZURE).references
    assert guide.label == SensitivityLabel(
        id="11111111-0000-4000-8000-000000000001",
        name="General",
        priority=1,
        description="For everybody at Contoso.",
        color="#0078d4",
    )
    assert isinstance(insurance.label, SensitivityLabel)
    assert insurance.label.encrypted
    # The service shows nobody what they may not extract.
    assert insurance.extract
    assert response.label == insurance.label
    *_, message = FORMATS["copilot-chat"].read(CHAT).references
    assert message.label == guide.label


@pytest.mark.parametrize(
    ("told", "encrypted"), [(None, False), (False, False), (True, True), ("yes", True), ("", True)]
)
def test_a_changed_field_lifts_no_protection(told: object, encrypted: bool) -> None:
    label = read_purview_label({"displayName": "X", "priority": -1, "isEncrypted": told})
    assert label is not None
    assert (label.encrypted, label.priority) == (encrypted, None)


FAULTS: dict[str, tuple[str, object]] = {
    "Azure AI Search": ("azure-search", {"error": {"code": "ServiceBusy", "message": "Try later."}}),
    "RAGFlow": ("ragflow", {"code": 102, "message": "Please input your question."}),
    "the AI SDK": ("ai-sdk", {"type": "error", "errorText": "Overloaded"}),
    "another format": ("azure-search", saved("ragflow")),
    "no answer": ("copilot-chat", {"some": "thing"}),
}


@pytest.mark.parametrize(("provider", "data"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_answer_is_an_error(provider: str, data: object) -> None:
    with pytest.raises(AnswerFormatError):
        FORMATS[provider].read(data)


def test_a_score_of_a_file_search_may_be_any_number() -> None:
    results = [{"file_id": "f", "text": str(score), "score": score} for score in (0.5, 10**400, 0.9)]
    assert [one.text for one in files_found({"results": results})] == ["0.9"]


def test_items_and_events_of_the_agents_sdk_are_those_of_the_model() -> None:
    text = "It did. ([e.com](https://e.example/a)) Next"
    cited = {
        "type": "url_citation",
        "start_index": 8,
        "end_index": 38,
        "title": "A",
        "url": "https://e.example/a",
    }
    said = {"type": "output_text", "text": text, "annotations": [cited]}
    message = {"id": "m", "type": "message", "role": "assistant", "content": [said]}
    delta = {"type": "response.output_text.delta", "delta": text[:9], "output_index": 0, "content_index": 0}
    done = {"type": "response.completed", "response": {"object": "response", "output": [message]}}
    item = {"type": "message_output_item", "raw_item": message}
    for data in (
        [{"role": "user", "content": "Did it?"}, message],
        [item],
        [
            {"type": "agent_updated_stream_event", "new_agent": {"name": "a"}},
            {"type": "raw_response_event", "data": delta},
            {"type": "raw_response_event", "data": done},
            {"type": "run_item_stream_event", "name": "message_output_created", "item": item},
        ],
    ):
        assert seen(FORMATS["openai"].read(data))[0] == "It did.[1] Next"


def test_items_of_a_search_have_the_passages_of_the_items_behind_them() -> None:
    found = {"file_id": "f", "filename": "gate.pdf", "score": 0.9, "text": "The gate opens at six."}
    cited = {"type": "file_citation", "file_id": "f", "filename": "gate.pdf", "index": 5}
    said = {"type": "output_text", "text": "At six.", "annotations": [cited]}
    items = [
        {"type": "file_search_call", "queries": ["gate"], "results": [found]},
        {"type": "message", "role": "assistant", "content": [said]},
    ]
    for sent in (items, [{"type": "tool_call_item", "raw_item": items[0]}, items[1]], {"output": items}):
        assert [one.text for one in FORMATS["openai"].read(sent).references] == ["The gate opens at six."]
