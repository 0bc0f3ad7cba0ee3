"""The names that an administrator knows: which of them a label rule can use for each supplier, and what it keeps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

from citations import (
    Answer,
    AnswerFormatError,
    LabelRanking,
    Reference,
    RenderingStream,
    SensitivityLabel,
    channel,
    cite,
    read_answer,
    render,
)
from citations.channels import channel_ids
from citations.labels import LabelRule
from citations.readers import FORMATS

GENERAL = SensitivityLabel(id="general", name="General", priority=0)
SECRET = SensitivityLabel(id="secret", name="Secret", priority=1)
SEALED = SensitivityLabel(id="sealed", name="Sealed", priority=2, encrypted=True)
LABELS = (GENERAL, SECRET, SEALED)
CANARY = "xylocanary"
"""Stands in the passage and in the text of every answer here."""

NODE = TextNode(
    id_="node-1",
    text=f"The password is {CANARY}.",
    metadata={"file_name": "gate.pdf", "file_path": "/srv/docs/board/gate.pdf", "title": "The gate"},
    relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id="document-1")},
)


def writer(**file: Any) -> dict[str, Any]:
    described = {"text": f"The password is {CANARY}.", "score": 0.9, "page": 3} | file
    return {
        "question": "What?",
        "answer": f"It is {CANARY} [gate.pdf]({file.get('cite') or file['fileId']}).",
        "sources": [],
        "references": {"files": [described]},
    }


def open_webui(metadata: dict[str, Any], **about: Any) -> dict[str, Any]:
    source = {"source": about, "document": [f"The password is {CANARY}."], "metadata": [metadata]}
    return {"sources": [source], "choices": [{"message": {"content": f"It is {CANARY} [1]."}}]}


def tool(**about: Any) -> dict[str, Any]:
    """What a tool of Open WebUI found, beside a document that the answer cites."""
    answer = open_webui({"source": "open.md"}, name="open.md")
    answer["sources"][0]["document"] = ["The gate opens at six."]
    result = {"source": about, "document": [f"The password is {CANARY}."], "tool_result": True}
    return answer | {"sources": [result, *answer["sources"]]}


def llamaindex(node: TextNode, **more: Any) -> dict[str, Any]:
    saved = NodeWithScore(node=node, score=0.5).to_dict()
    return {"response": f"It is {CANARY} [1].", "source_nodes": [saved | {"node": saved["node"] | more}]}


def neutral(**reference: Any) -> dict[str, Any]:
    described = {"id": "1", "text": f"The password is {CANARY}."} | reference
    return {"text": f"It is {CANARY} [1].", "references": [described]}


FILE = open_webui(
    {"file_id": "file-7", "source": "gate%20(v2).pdf", "name": "gate%20(v2).pdf"},
    type="collection", id="knowledge-1", name="Board minutes",
)  # fmt: skip
PIPE = open_webui({"source": "https://intranet.example.com/gate"}, name="TOOL:search", id="pipe-1")
SEARCH = open_webui({"source": "gate.md", "name": "gate.md"}, type="web_search", name="salaries")

# What a supplier sends, and the rule that an administrator would write for it.
REACHED: list[tuple[str, str, dict[str, Any], dict[str, str]]] = [
    ("the file id beside another cite id", "writer", writer(fileId="f-1", cite="c-1"), {"id": "f-1"}),
    ("the same, spelt as elsewhere in the response", "writer", writer(file_id="f-1", cite="c-1"), {"id": "f-1"}),
    ("the cite id", "writer", writer(fileId="f-1", cite="c-1"), {"id": "c-1"}),
    ("the file id without a cite id", "writer", writer(fileId="f-1"), {"id": "f-1"}),
    ("a file's id", "open-webui", FILE, {"id": "file-7"}),
    ("a file's name as the upload encoded it", "open-webui", FILE, {"id": "gate%20(v2).pdf"}),
    ("a file's name as people read it", "open-webui", FILE, {"file": "gate (v2).*"}),
    ("the same, for an id", "open-webui", FILE, {"id": "gate (v2).pdf"}),
    ("the id of the knowledge", "open-webui", FILE, {"id": "knowledge-1"}),
    ("the name of the knowledge", "open-webui", FILE, {"file": "Board *"}),
    ("source.name, where the place is a URL", "open-webui", PIPE, {"file": "TOOL:*"}),
    ("source.id of a pipe", "open-webui", PIPE, {"id": "pipe-1"}),
    ("metadata.source that is a URL", "open-webui", PIPE, {"url_prefix": "https://intranet.example.com"}),
    ("the same, for an id", "open-webui", PIPE, {"id": "https://intranet.example.com/gate"}),
    ("metadata.source, where source.name is the name", "open-webui",
     open_webui({"source": "board/gate.md"}, name="Gate"), {"file": "board/*"}),
    ("metadata.source beside the URL of the page", "open-webui",
     open_webui({"source": "gate.html", "source_url": "https://example.com/gate"}), {"file": "gate.html"}),
    ("an id that is a number", "open-webui", open_webui({"source": 77}, name="Gate"), {"id": "77"}),
    ("the name of a tool", "open-webui", tool(name="TOOL:hr"), {"file": "TOOL:*"}),
    ("the id of a tool", "open-webui", tool(name="TOOL:hr", id="hr-tool"), {"id": "hr-tool"}),
    ("a node's id", "llamaindex", llamaindex(NODE), {"id": "node-1"}),
    ("the id of a node's document", "llamaindex", llamaindex(NODE), {"id": "document-1"}),
    ("the same, where a store has it", "llamaindex",
     llamaindex(TextNode(text=f"{CANARY}.", metadata={"doc_id": "document-2"})), {"id": "document-2"}),
    ("the same, written beside the node", "llamaindex", llamaindex(NODE, ref_doc_id="document-3"), {"id": "document-3"}),
    ("file_name, where there is a title", "llamaindex", llamaindex(NODE), {"file": "gate.pdf"}),
    ("file_path", "llamaindex", llamaindex(NODE), {"file": "*/board/*"}),
    ("the title", "llamaindex", llamaindex(NODE), {"file": "the gate"}),
    ("an alias", "answer", neutral(aliases=["file-7", "board/gate.pdf"]), {"id": "file-7"}),
    ("a file in an alias", "answer", neutral(aliases=["file-7", "board/gate.pdf"]), {"file": "gate.*"}),
    ("an alias that is a URL", "answer", neutral(aliases=["https://Example.com:443/hr/a"]),
     {"url_prefix": "https://example.com/hr/"}),
]  # fmt: skip

# What no rule means: the number that we gave, and what was searched for.
NOT_REACHED: list[tuple[str, str, dict[str, Any], dict[str, str]]] = [
    ("our number", "open-webui", FILE, {"id": "1"}),
    ("our number as a file", "open-webui", FILE, {"file": "?"}),
    ("our number of a tool", "open-webui", tool(name="TOOL:hr"), {"id": "tool-1"}),
    ("our number of a tool as a file", "open-webui", tool(name="TOOL:hr"), {"file": "tool-*"}),
    ("the words of a web search", "open-webui", SEARCH, {"file": "salaries"}),
    ("our number of a node", "llamaindex", llamaindex(NODE), {"id": "1"}),
    ("half a file id", "writer", writer(fileId="f-1", cite="c-1"), {"id": "f"}),
    ("half an alias", "answer", neutral(aliases=["file-7"]), {"id": "file"}),
    ("a host that begins the same", "answer", neutral(aliases=["https://example.com.evil.example/"]),
     {"url_prefix": "https://example.com"}),
]  # fmt: skip


def ranking(rule: Mapping[str, Any], label: str = "secret", **more: Any) -> LabelRanking:
    return LabelRanking(labels=LABELS, rules=(LabelRule(label=label, **rule),), **more)


def given_labels(supplier: str, data: object, rule: Mapping[str, str]) -> list[str | None]:
    return [label_of(one, ranking(rule)) for one in FORMATS[supplier].read(data).references]


CASES = "supplier", "data", "rule"


@pytest.mark.parametrize(CASES, [case[1:] for case in REACHED], ids=[case[0] for case in REACHED])
def test_a_rule_reaches(supplier: str, data: dict[str, Any], rule: dict[str, str]) -> None:
    assert "secret" in given_labels(supplier, data, rule)


@pytest.mark.parametrize(CASES, [case[1:] for case in NOT_REACHED], ids=[case[0] for case in NOT_REACHED])
def test_a_rule_does_not_mean(supplier: str, data: dict[str, Any], rule: dict[str, str]) -> None:
    assert set(given_labels(supplier, data, rule)) == {None}


# Nothing of it leaves


def streamed(supplier: str, data: dict[str, Any]) -> bytes:
    """The same answer as its supplier streams it, the references as late as it sends them."""
    match supplier:
        case "writer":
            parts = [data | {"references": None}, data | {"answer": ""}]
        case "open-webui":
            content = data["choices"][0]["message"]["content"]
            parts = [
                {"sources": data["sources"]},
                {"choices": [{"delta": {"content": content}, "finish_reason": "stop"}]},
            ]
        case "llamaindex":
            parts = [{"source_nodes": data["source_nodes"]}, {"delta": data["response"]}]
        case _:
            parts = [{"delta": data["text"]}, {"references": data["references"], "complete": True}]
    form = "{}\n" if supplier in ("llamaindex", "answer") else "data: {}\n\n"
    return "".join(form.format(json.dumps(part)) for part in parts).encode()


def write_all(supplier: str, data: dict[str, Any], channel_id: str, labels: LabelRanking) -> Iterator[str]:
    """All that leaves for a channel: the whole answer, each interim of the stream, and its final."""
    whole = render(cite(FORMATS[supplier].read(data)), channel(channel_id), ranking=labels)
    yield f"{json.dumps(whole.to_activities())} {whole!r}"
    reading = FORMATS[supplier].stream()
    stream = RenderingStream(channel(channel_id), dialect=reading.dialect, ranking=labels)
    for events in (*reading.feed(streamed(supplier, data)), *reading.close()):
        for event in events:
            stream.feed(event)
            yield repr(stream.interim())
    final = stream.close()
    yield f"{json.dumps(final.to_activities())} {final!r}"


def named_by_sources(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"sources": [{"file_id": "f-1", "snippet": f"It is {CANARY}."}]}


KEPT = [
    *REACHED,
    ("the file id, which sources name as well", "writer",
     named_by_sources(writer(fileId="f-1", cite="c-1")), {"id": "f-1"}),
    ("the cite id of a file that sources name as well", "writer",
     named_by_sources(writer(fileId="f-1", cite="c-1")), {"id": "c-1"}),
]  # fmt: skip


@pytest.mark.parametrize(CASES, [case[1:] for case in KEPT], ids=[case[0] for case in KEPT])
def test_no_word_of_it_leaves(supplier: str, data: dict[str, Any], rule: dict[str, str]) -> None:
    """Neither above a ceiling nor where the label encrypts, on any channel, whole or streamed."""
    assert any(CANARY in one for one in write_all(supplier, data, "webchat", ranking(rule))), "it can be seen"
    kept = (ranking(rule, ceilings={"*": "general"}), ranking(rule, "sealed"))
    for channel_id in (*channel_ids(), "somewhere-else"):
        for labels in kept:
            assert not any(CANARY in one for one in write_all(supplier, data, channel_id, labels)), channel_id


# What an alias can do


def label_of(reference: Reference, labels: LabelRanking) -> str | None:
    label = labels.label_of(reference)
    return label.id if label else None


def test_the_id_of_a_file_lowers_the_default_and_its_name_does_not() -> None:
    """Who uploads a file chooses its name."""
    file = Reference(id="c-1", aliases=("f-1", "public/gate.pdf"))
    numbered = replace(file, id="1", ordinal=True)
    assert label_of(file, ranking({"id": "f-1"}, "general", default="secret")) == "general"
    assert label_of(file, ranking({"file": "public/*"}, "general", default="secret")) == "secret"
    for rule in ({"id": "f-1"}, {"file": "public/*"}, {"id": "public/gate.pdf"}):
        assert label_of(numbered, ranking(rule, "general", default="secret")) == "secret"
        assert label_of(numbered, ranking(rule, "secret", default="general")) == "secret"


def test_the_highest_of_all_that_fit_counts() -> None:
    reference = Reference(id="c-1", name="Gate", url="https://example.com/a", aliases=("f-1", "gate.pdf"))
    rules = [
        LabelRule(label="general", id="c-1"),
        LabelRule(label="sealed", file="gate.pdf"),
        LabelRule(label="secret", id="f-1"),
    ]
    assert label_of(reference, LabelRanking(labels=LABELS, rules=tuple(rules))) == "sealed"


def test_an_alias_that_is_a_number_is_no_marker() -> None:
    file = Reference(id="c-1", aliases=("1", "f-1"), text="One.")
    assert cite(Answer(text="[1] and [gate](1)", references=(file,))).citations == ()
    assert len(cite(Answer(text="[gate](f-1)", references=(file,))).citations) == 1


@pytest.mark.parametrize("aliases", [["a", 1], "a", {"a": 1}])
def test_aliases_are_texts(aliases: object) -> None:
    with pytest.raises(AnswerFormatError) as caught:
        read_answer(neutral(aliases=aliases))
    assert caught.value.path.startswith("$.references[0].aliases")


ODD: list[Mapping[str, Any]] = [
    {"id_": 7, "relationships": []},
    {"id_": None, "ref_doc_id": {"a": 1}, "relationships": {"1": None}},
    {"relationships": {"1": [{"node_id": "x"}], "2": {"node_id": "next"}}},
]


@pytest.mark.parametrize("more", ODD)
def test_ids_of_a_node_that_are_none_are_no_fault(more: Mapping[str, Any]) -> None:
    (reference,) = FORMATS["llamaindex"].read(llamaindex(NODE, **more)).references
    assert {"x", "next", "None"}.isdisjoint(reference.aliases)
    assert "/srv/docs/board/gate.pdf" in reference.aliases


names = st.sampled_from(("f-1", "f-2", "board/a.pdf", "a.pdf", "https://example.com/hr/a", "1", "100%", ""))
rules = st.one_of(
    st.builds(LabelRule, label=st.sampled_from(("general", "secret", "sealed")), id=names),
    st.builds(LabelRule, label=st.sampled_from(("general", "secret")), file=st.sampled_from(("*.pdf", "board/*", "?"))),
    st.just(LabelRule(label="secret", url_prefix="https://example.com/hr")),
)  # fmt: skip
rankings = st.builds(
    LabelRanking,
    labels=st.just(LABELS),
    default=st.sampled_from((None, "general", "secret")),
    rules=st.lists(rules, max_size=3).map(tuple),
)


@given(rankings, names, st.lists(names, max_size=3), st.lists(names, min_size=1, max_size=3))
def test_what_a_person_may_choose_never_lowers_a_label(
    labels: LabelRanking, name: str, aliases: Sequence[str], more: Sequence[str]
) -> None:
    before = Reference(id="1", ordinal=True, name=name, aliases=tuple(aliases))
    after = replace(before, aliases=(*aliases, *more))
    lower, higher = labels.label_of(before), labels.label_of(after)
    assert lower is None or labels.highest((lower, higher)) == higher
    assert labels.withholds(after, "sms") or not labels.withholds(before, "sms")
