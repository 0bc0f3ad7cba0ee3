"""A response that is read as another provider's: the answer is right, or an error says how to read it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from citations import AnswerFormatError
from citations.__main__ import main
from citations.model.wording import ENGLISH
from citations.readers import FORMATS
from tests.provider_streams import read

CORPUS = Path(__file__).parents[2] / "corpus"
FOLDERS = {**{name: name for name in ("anthropic", "cohere", "gemini", "openai")}, "open_webui": "open-webui"}
RECORDED = sorted(
    path.relative_to(CORPUS).as_posix()
    for pattern in ("suppliers/*/*.*", "open_webui/*.*", "perplexity/*.*")
    for path in CORPUS.glob(pattern)
)
PLACED = re.compile(r"(?:(?:line|event) \d+: )?\$\S*: |expected ", re.ASCII)
"""How an error begins that names the place, or that says what the bytes are."""


def rendered(file: str, form: str, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """The last message that the command line prints of a recorded response, and its errors."""
    arguments = ["render", "--from", form, str(CORPUS / file)]
    code = main([*arguments, *([] if file.endswith(".json") else ["--stream"])])
    out, err = capsys.readouterr()
    if code:
        last = err.splitlines()[-1]
        assert code == 2
        assert PLACED.match(last), last
        return "", last
    text = json.loads(out.splitlines()[-1])["text"]
    # The list of uncited sources says whose answer it is.
    above = ENGLISH.searched if FORMATS[form].searches else ENGLISH.uncited
    return text.replace(above.format(provider=FORMATS[form].title), "Its sources:"), ""


@pytest.mark.parametrize("file", RECORDED)
def test_each_pair_of_a_format_and_a_response(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = file.split("/")[-2]
    own = FOLDERS.get(folder, folder)
    right, fault = rendered(file, own, capsys)
    for form in FORMATS:
        text, error = rendered(file, form, capsys)
        if not error:
            assert text == right, form
        elif not fault:
            assert form != own
            assert "the format" in error, (form, error)


@pytest.mark.parametrize("form", ["cohere", "bedrock", "mistral", "langchain", "gemini", "ragflow"])
@pytest.mark.parametrize(
    "body",
    [{"message": "No such key."}, {"code": 401, "message": "No such key."}, {"detail": "No such key."}],
)
def test_a_report_of_an_error_in_any_form_is_passed_on(form: str, body: Any) -> None:
    """Cohere's and AWS's bodies, Mistral's, and those of gateways have a message and no ``error``."""
    with pytest.raises(AnswerFormatError, match=r"the provider reported an error: No such key\."):
        FORMATS[form].read(body)
    assert read(form, [json.dumps(body).encode()])[1].endswith("an error: No such key.")


WORDLESS: list[tuple[str, Any, str]] = [
    ("gemini", {"candidates": [{"finishReason": "SAFETY"}]}, "a content filter blocked it (SAFETY)"),
    ("gemini", {"promptFeedback": {"blockReason": "OTHER"}}, "a content filter blocked it (content_filter)"),
    (
        "openai",
        {"choices": [{"message": {"content": None, "tool_calls": [{}]}, "finish_reason": "tool_calls"}]},
        "the model asks for a tool first, and answers once it has the tool's result (tool_calls)",
    ),
    (
        "anthropic",
        {"type": "message", "role": "assistant", "content": [{"type": "tool_use"}], "stop_reason": "tool_use"},
        "the model asks for a tool first, and answers once it has the tool's result (tool_use)",
    ),
    (
        "openai",
        {"object": "response", "output": [{"type": "reasoning"}, {"type": "function_call", "name": "look_up"}]},
        "the model asks for a tool first, and answers once it has the tool's result (function_call)",
    ),
    (
        "gemini",
        {"candidates": [{"content": {"parts": [{"functionCall": {"name": "look_up"}}]}, "finishReason": "STOP"}]},
        "the model asks for a tool first, and answers once it has the tool's result (function_call)",
    ),
    (
        "gemini",
        {"object": "interaction", "status": "requires_action", "steps": [{"type": "function_call"}]},
        "the model asks for a tool first, and answers once it has the tool's result (requires_action)",
    ),
    (
        "langchain",
        {"type": "ai", "content": "", "tool_calls": [{"name": "look_up", "args": {}, "id": "1"}]},
        "the model asks for a tool first, and answers once it has the tool's result (tool_calls)",
    ),
    (
        "openai",
        {"object": "response", "incomplete_details": {"reason": "max_output_tokens"}, "output": []},
        "the model reached its limit of tokens before the first word (max_output_tokens)",
    ),
    ("bedrock", {"output": {"text": ""}, "guardrailAction": "INTERVENED"}, "a content filter blocked it (guardrail_intervened)"),
    ("answer", {"text": " \n"}, "its provider gives no reason"),
    ("writer", {"answer": ""}, "its provider gives no reason"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "sent", "reason"), WORDLESS)
def test_an_answer_without_words_is_a_problem_with_its_reason(form: str, sent: Any, reason: str) -> None:
    [empty] = [one for one in FORMATS[form].read(sent).problems if one.code == "answer-empty"]
    assert empty.message == f"the answer has no words: {reason}"
    stream = FORMATS[form].stream()
    if form not in ("answer", "writer"):
        items = [*stream.feed(json.dumps(sent).encode()), *stream.close()]
        assert empty in [getattr(event, "problem", None) for item in items for event in item]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("sent", [{"weather": "fine"}, {"detail": "Not authenticated"}, [{"a": 1}], {}])
def test_what_no_format_has_is_an_error(form: str, sent: Any) -> None:
    with pytest.raises(AnswerFormatError):
        FORMATS[form].read(sent)


def test_an_event_of_googles_agent_development_kit_is_read() -> None:
    about: dict[str, Any] = {"invocationId": "e-1", "author": "agent"}
    pieces: list[dict[str, Any]] = [
        {"content": {"role": "model", "parts": [{"text": one}]}, "partial": True} for one in ("It ", "is.")
    ]
    whole: dict[str, Any] = {
        "content": {"role": "model", "parts": [{"text": "It is."}]},
        "finishReason": "STOP",
    }
    asked: dict[str, Any] = {"content": {"role": "user", "parts": [{"text": "Is it?"}]}}
    assert FORMATS["gemini"].read(about | whole).text == "It is."
    assert FORMATS["gemini"].read([about | one for one in (asked, *pieces, whole)]).text == "It is."


def test_a_proxy_may_add_another_providers_fields() -> None:
    """Open WebUI passes on what its model's server sends: a bot that asks it loses no answer by that."""
    choice = {"message": {"content": "It is.", "annotations": [{"type": "url_citation"}]}}
    assert FORMATS["open-webui"].read({"choices": [choice]}).text == "It is."


def test_a_binary_event_stream_of_aws_is_refused_with_what_to_do() -> None:
    message = b"\x00\x00\x00\x5e\x00\x00\x00\x4a\x2c\x15\x0c\x0f\x0b:event-type\x07\x00\x0cmessageStart"
    for size in (1, len(message)):
        pieces = [message[place : place + size] for place in range(0, len(message), size)]
        assert "hand over each event as a line of JSON" in read("bedrock", pieces)[1]


def test_a_format_has_the_options_of_its_reader_alone() -> None:
    with pytest.raises(TypeError, match="the format cohere has no option documents"):
        FORMATS["cohere"].where(documents=())
    assert (
        FORMATS["anthropic"].where(documents=()).read({"type": "message", "content": "Yes."}).text == "Yes."
    )
