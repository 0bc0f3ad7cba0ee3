"""What is read of a saved response of LlamaIndex's, whole and streamed."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import Document, NodeWithScore, TextNode

from citations import AnswerFormatError, Reference, ReferencesFound, TextDelta
from citations.__main__ import main
from citations.model import Place, PlaceKind
from citations.readers import FORMATS
from citations.readers.folder_paths import Folders

from ..depth import examples


def node(text: str, **metadata: Any) -> dict[str, Any]:
    return NodeWithScore(node=TextNode(text=text, metadata=metadata), score=0.5).to_dict()


def read(response: str, *nodes: dict[str, Any]) -> tuple[str, tuple[Reference, ...]]:
    answer = FORMATS["llamaindex"].read({"response": response, "source_nodes": list(nodes)})
    return answer.text, answer.references


# One node, and the reference that it is.
NODES: dict[str, tuple[dict[str, Any], Reference]] = {
    "of a PDF, as SimpleDirectoryReader reads it": (
        node(
            "Text.",
            page_label="3",
            file_name="plan.pdf",
            file_path="/home/ana/plan.pdf",
            file_type="application/pdf",
            file_size=9,
            creation_date="2026-01-01",
            last_modified_date="2026-01-02",
        ),
        Reference(id="1", name="plan.pdf", text="Text.", page=3, media_type="application/pdf", modified="2026-01-02"),
    ),
    "with the number that the model saw": (node("Source 7:\nText.\n"), Reference(id="7", text="Text.")),
    "whose own words look like a number": (node("Source 0:\nText."), Reference(id="1", text="Source 0:\nText.")),
    "without metadata": (node("Text."), Reference(id="1", text="Text.")),
    "without text": (node("", file_name="a.md"), Reference(id="1", name="a.md")),
    "of a web page": (
        node("Text.", url="https://example.com/a", title="A page"),
        Reference(id="1", name="A page", url="https://example.com/a", text="Text."),
    ),
    "of a web page whose source is its URL": (
        node("Text.", source="https://example.com/a"),
        Reference(id="1", url="https://example.com/a", text="Text."),
    ),
    "whose title has a slash": (node("Text.", title="Profit/Loss", file_name="p.md"), Reference(id="1", name="Profit/Loss", text="Text.")),
    "whose title is a path": (node("Text.", title="/home/ana/p.md", file_name="p.md"), Reference(id="1", name="p.md", text="Text.")),
    "whose URL is none": (node("Text.", url="javascript:alert(1)", source="b.md"), Reference(id="1", name="b.md", text="Text.", url="javascript:alert(1)")),
    "with a path for its name": (node("Text.", file_name="C:\\Users\\ana\\plan.md"), Reference(id="1", name="plan.md", text="Text.")),
    "with only a path": (node("Text.", file_path="/home/ana/plan.md"), Reference(id="1", name="plan.md", text="Text.")),
    "with a path in its text": (
        node("See /home/ana/other.md, or /home/ana.", file_path="/home/ana/plan.md"),
        Reference(id="1", name="plan.md", text="See other.md, or ."),
    ),
    "whose page is a label": (node("Text.", page_label="iv"), Reference(id="1", text="Text.")),
    "whose page is a number": (node("Text.", page=12), Reference(id="1", text="Text.", page=12)),
    "whose place is a row": (
        node("Text.", row=12, sheet="Prices"),
        Reference(id="1", text="Text.", place=Place(kind=PlaceKind.ROW, first=12, sheet="Prices")),
    ),
    "whose metadata are odd": (
        node("Text.", file_name=["a"], page_label=True, file_type="no type", last_modified_date=7),
        Reference(id="1", text="Text."),
    ),
    "that says how sensitive it is, which is not its to say": (node("Text.", label="public"), Reference(id="1", text="Text.")),
    "of the newer kind": (
        NodeWithScore(node=Document(text="Text.", metadata={"file_name": "a.md"}), score=None).to_dict(),
        Reference(id="1", name="a.md", text="Text."),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("one", "reference"), NODES.values(), ids=NODES)
def test_a_node_is_a_reference(one: dict[str, Any], reference: Reference) -> None:
    text, (found,) = read("Said [1].", one)
    assert text == "Said [1]."
    assert replace(found, aliases=()) == replace(reference, ordinal=True, complete=True)


def test_numbers_are_places_unless_each_node_has_one() -> None:
    _, references = read("x", node("Source 4:\nFour."), node("Source 2:\nTwo."))
    assert [(one.id, one.text) for one in references] == [("4", "Four."), ("2", "Two.")]
    _, references = read("x", node("Source 4:\nFour."), node("Two."))
    assert [(one.id, one.text) for one in references] == [("1", "Source 4:\nFour."), ("2", "Two.")]


NOT_ANSWERS = {
    "a list": ([], "$"),
    "no response": ({"source_nodes": []}, "$"),
    "a response that is no text": ({"response": 7}, "$.response"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "path"), NOT_ANSWERS.values(), ids=NOT_ANSWERS)
def test_what_is_no_answer_has_a_place(data: object, path: str) -> None:
    with pytest.raises(AnswerFormatError) as caught:
        FORMATS["llamaindex"].read(data)
    assert caught.value.path == path


def test_what_is_no_node_keeps_its_number() -> None:
    sent = {"response": "x [3]", "source_nodes": [5, {"node": {"text": 1}}, {"node": {"text": "C."}}]}
    found = FORMATS["llamaindex"].read(sent).references
    assert [(one.id, one.text) for one in found] == [("1", None), ("2", None), ("3", "C.")]


SAVED = {
    "response": "It lies in /home/ana/docs/a.md [1].",
    "source_nodes": [node("A.", file_path="/home/ana/docs/a.md")],
}
SHOWN = 'It lies in a&#46;md [1].\n\n[1]: cite:1 "a.md"'


@pytest.mark.parametrize("stream", [False, True])
def test_the_command_line_reads_what_was_saved(
    stream: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [{"source_nodes": SAVED["source_nodes"]}, *({"delta": one} for one in SAVED["response"])]
    file = tmp_path / "saved"
    file.write_text("\n".join(map(json.dumps, lines)) if stream else json.dumps(SAVED))
    assert main(["render", "--from", "llamaindex", *(["--stream"] if stream else []), str(file)]) == 0
    *interims, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert last["text"] == SHOWN
    assert bool(interims) == stream
    assert "ana" not in str([interims, last])


def test_a_stream_may_bring_nodes_by_and_by() -> None:
    stream = FORMATS["llamaindex"].stream()
    lines = [
        {"source_nodes": [node("A.")]},
        {"delta": "a [1] "},
        {"source_nodes": [node("B.")]},
        {"delta": "b [2]"},
    ]
    said = [one for line in lines for some in stream.feed(json.dumps(line).encode() + b"\n") for one in some]
    found = [one.references[0].id for one in said if isinstance(one, ReferencesFound)]
    assert found == ["1", "2"]
    assert "".join(one.text for one in said if isinstance(one, TextDelta)) == "a [1] b [2]"
    with pytest.raises(AnswerFormatError, match="expected one of delta, source_nodes"):
        list(stream.feed(b'{"text": "x"}\n'))


# Folders

PIECES = st.sampled_from(
    [
        "/home/ana/docs",
        "/home",
        "/ana",
        "/docs",
        "/",
        "\\",
        "C:\\a b",
        "plan.md",
        ".",
        " ",
        "x",
        "https://h",
        "-",
        "\n",
    ]
)


@examples(100)
@given(st.lists(PIECES, max_size=12).map("".join), st.lists(st.integers(0, 60), max_size=8))
def test_however_a_text_is_cut_the_same_folders_are_taken_out(text: str, cuts: list[int]) -> None:
    def learned() -> Folders:
        folders = Folders()
        folders.learn(["/home/ana/docs/plan.md", "/x)/a", "/home/ana/docs/sub/x.md", "C:\\a b\\c.md"])
        return folders

    places = [0, *sorted(cut for cut in cuts if cut <= len(text)), len(text)]
    streamed = learned()
    pieces = [streamed.feed(text[start:end]) for start, end in itertools.pairwise(places)]
    assert "".join([*pieces, streamed.close()]) == learned().remove(text)
