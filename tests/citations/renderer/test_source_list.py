"""An answer that cites none of its sources has them listed below it, whole and streamed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerEvent,
    Cut,
    Dialect,
    LabelRanking,
    Reference,
    ReferencesFound,
    RenderingStream,
    SensitivityLabel,
    TextCut,
    TextDelta,
    channel,
    cite,
    render,
)
from citations.cli import main
from citations.markers import AnswerSoFar, list_uncited
from citations.readers import FORMATS
from tests.provider_captures import CAPTURES
from tests.strategies import answers

TOLD = "Writer did not say which source supports which statement. It answered from:"
ONE, TWO = Reference(id="1", name="One [a].pdf"), Reference(id="2", text="Two.")
LISTS: dict[str, tuple[Answer, str]] = {
    "numbers": (Answer(text="So.", references=(ONE, TWO), dialect=Dialect.NUMBERED), f"So.\n\n{TOLD}\n\n- One (a).pdf (1)\n- Document 2 (2)"),
    "names": (Answer(text="So.", references=(ONE, TWO), dialect=Dialect.NAMED_LINK), f"So.\n\n{TOLD}\n\n- One (a).pdf (1)\n- Document 2 (2)"),
    "both": (Answer(text="So.", references=(ONE, TWO)), f"So.\n\n{TOLD}\n\n- One (a).pdf (1)\n- Document 2 (2)"),
    "passages of one source": (Answer(text="So.", references=(ONE, ONE), dialect=Dialect.NUMBERED), f"So.\n\n{TOLD}\n\n- One (a).pdf (1)"),
    "an id that is no number": (
        Answer(text="So.", references=(Reference(id="tool", name="Tool"), TWO), dialect=Dialect.NUMBERED),
        f"So.\n\n{TOLD}\n\n- Tool\n- Document 2 (1)",
    ),
    "a marker of no source": (Answer(text="So [7].", references=(TWO,)), f"So [7].\n\n{TOLD}\n\n- Document 1 (1)"),
    "half a marker": (
        Answer(text="So [1", references=(TWO,), dialect=Dialect.NUMBERED, cut=Cut.LENGTH), f"So\n\n{TOLD}\n\n- Document 1 (1)"
    ),
    "half a wrapped marker": (
        Answer(text="So [[99]", references=(TWO,), cut=Cut.LENGTH), f"So [99]\n\n{TOLD}\n\n- Document 1 (1)"
    ),
    "at most twenty": (
        Answer(text="So.", references=tuple(Reference(id=str(number), name="A") for number in range(1, 30))),
        f"So.\n\n{TOLD}\n\n" + "\n".join(f"- A ({number})" for number in range(1, 21)),
    ),
    "pages of one host": (
        Answer(
            text="So.",
            references=tuple(
                Reference(id=url, url=f"https://{url}") for url in ("x.com/ann/my%20post", "x.com/bob/", "y.com/c")
            ),
            dialect=Dialect.NONE,
        ),
        f"So.\n\n{TOLD}\n\n- x.com/ann/my post (1)\n- x.com/bob (2)\n- y.com (3)",
    ),
    "no markers": (
        Answer(text="So [1].", references=(ONE, TWO), dialect=Dialect.NONE), f"So [1].\n\n{TOLD}\n\n- One (a).pdf (1)\n- Document 2 (2)"
    ),
    # Nothing to list.
    "cited": (Answer(text="So [2].", references=(ONE, TWO)), "So (1)."),
    "no sources": (Answer(text="So."), "So."),
    "no text": (Answer(text="", references=(ONE,)), ""),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "text"), LISTS.values(), ids=LISTS)
def test_sources_are_listed_where_none_is_cited(answer: Answer, text: str) -> None:
    shown = render(cite(list_uncited(answer, "Writer")), channel("some-text-channel"))
    assert shown.text.partition("\n\n(1) ")[0].replace("So \n", "So\n").replace("[a]", "(a)") == text
    assert "nothing-cited" not in [problem.code for problem in shown.problems]


def test_those_that_are_not_listed_are_a_problem() -> None:
    many = tuple(Reference(id=str(number), name="A") for number in range(1, 30))
    for dialect in (None, Dialect.NONE):
        listed = list_uncited(Answer(text="So.", references=many, dialect=dialect), "Writer")
        [problem] = listed.problems
        assert (problem.code, problem.path) == ("sources-not-listed", "$.references")
        assert problem.message.startswith("9 of the answer's sources")
        assert len(cite(listed).citations) == 20


def test_a_fence_that_is_open_is_closed_above_them() -> None:
    shown = render(cite(list_uncited(Answer(text="```\na", references=(TWO,)), "Writer")), channel("webchat"))
    assert f"```\na\n```\n\n{TOLD}" in shown.text


@given(answers, st.sampled_from([None, *Cut]), st.sampled_from(["webchat", "msteams", "sms"]))
def test_a_stream_has_the_same_list(answer: Answer, cut: Cut | None, channel_id: str) -> None:
    there = channel(channel_id)
    whole = Answer(text=answer.text, references=answer.references, dialect=answer.dialect, cut=cut)
    so_far, stream = AnswerSoFar(answer.dialect), RenderingStream(there, dialect=answer.dialect)
    told: list[AnswerEvent] = [
        ReferencesFound(answer.references),
        TextDelta(answer.text),
        *([TextCut(cut)] if cut else []),
    ]
    for event in told:
        so_far.note(event)
        stream.feed(event)
        stream.interim()
    if sources := so_far.uncited_sources():
        for event in so_far.list_events("Writer", sources):
            stream.feed(event)
    shown, expected = stream.close(), render(cite(list_uncited(whole, "Writer")), there)
    # Before half a marker there may be a space, which a whole text doesn't end with.
    assert re.sub(" +\n", "\n", shown.text) == re.sub(" +\n", "\n", expected.text)
    assert shown.entities == expected.entities


def test_labels_hold_for_what_is_listed() -> None:
    secret = SensitivityLabel(id="secret", name="Secret", priority=1)
    ranking = LabelRanking(
        labels=(SensitivityLabel(id="open", name="Open", priority=0), secret),
        default="open",
        ceilings={"sms": "open"},
    )
    answer = Answer(
        text="The budget is 7.",
        references=(Reference(id="1", name="Budget", text="7 million", label="secret"),),
    )
    shown = render(cite(list_uncited(answer, "Writer")), channel("sms"), ranking=ranking).text
    assert "7" not in shown
    assert "Budget" in shown


def test_a_problem_says_that_nothing_lists_them() -> None:
    answer = Answer(text="So.", references=(ONE,))
    stream = RenderingStream(channel("msteams"))
    for event in (ReferencesFound(answer.references), TextDelta(answer.text)):
        stream.feed(event)
    for shown in (render(cite(answer), channel("msteams")), stream.close()):
        assert [problem.code for problem in shown.problems] == ["nothing-cited"]


SEED: dict[str, Any] = {
    "question": "What is the generic name for the drug Bavencio?",
    "answer": "avelumab",
    "sources": [{"file_id": "1234", "snippet": "Bavencio is the brand name for avelumab."}],
}
"""Writer's own example, of its reference."""
SUPPLIERS: dict[str, tuple[str, Any, bytes]] = {
    "writer": ("Writer", SEED, f"data: {json.dumps(SEED)}\n\n".encode()),
    "open-webui": (
        "Open WebUI",
        {"sources": [{"source": {"name": "a"}, "document": ["b"]}], "choices": [{"message": {"content": "avelumab"}}]},
        b'data: {"sources": [{"source": {"name": "a"}, "document": ["b"]}]}\n\ndata: {"content": "avelumab"}\n\ndata: [DONE]\n\n',
    ),
    "llamaindex": (
        "The engine",
        {"response": "avelumab", "source_nodes": [{"node": {"text": "b"}}]},
        b'{"source_nodes": [{"node": {"text": "b"}}]}\n{"delta": "avelumab"}\n',
    ),
}  # fmt: skip


@pytest.mark.parametrize("supplier", SUPPLIERS)
def test_the_command_line_lists_them(
    supplier: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    who, whole, stream = SUPPLIERS[supplier]
    (tmp_path / "whole").write_text(json.dumps(whole))
    (tmp_path / "stream").write_bytes(stream)
    assert main(["render", "--from", supplier, str(tmp_path / "whole")]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["text"].startswith(f"avelumab\n\n{TOLD.replace('Writer', who)}\n\n- ")
    assert len(shown["entities"][0]["citation"]) == 1
    assert main(["render", "--from", supplier, "--stream", str(tmp_path / "stream")]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out.splitlines()[-1])["text"] == shown["text"]
    assert printed.err == ""


def test_the_command_line_says_that_a_neutral_answer_cites_nothing(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answer").write_text(json.dumps({"text": "avelumab", "references": [{"id": "1"}]}))
    assert main(["render", str(tmp_path / "answer")]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["text"] == "avelumab"
    assert printed.err.startswith("nothing-cited $.text ")


def test_pages_that_were_searched_are_no_pages_that_it_answered_from() -> None:
    nothing = json.loads((CAPTURES / "perplexity/nothing-cited.json").read_bytes())
    form = FORMATS["perplexity"]
    listed = list_uncited(form.read(nothing), form.title, searched=form.searches)
    assert "Perplexity searched these pages:\n\n- Ferries [1]" in listed.text
    picture = json.loads((CAPTURES / "gemini/picture.json").read_bytes())
    listed = list_uncited(FORMATS["gemini"].read(picture), "Google")
    assert listed.text.strip().startswith("Google searched these pages:")
    assert [one.message for one in listed.problems] == [
        "the answer has no words: it is a picture, which is not shown (STOP)"
    ]
