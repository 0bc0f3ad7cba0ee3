"""Responses as the SDKs of providers, and LangChain, hand them on: they are read as the raw JSON is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any

import pytest

from citations import Answer
from citations.readers import FORMATS
from tests.provider_captures import WHOLE, documents_in, load
from tests.written_provider_answers import WRITTEN

ROOT = Path(__file__).parents[3]
OPENAI, ANTHROPIC, GEMINI = (
    [file for file in WHOLE if file.startswith(supplier)] for supplier in ("openai", "anthropic", "gemini")
)
RESPONSES = [file for file in OPENAI if "output" in load(file)]
GENERATED = [file for file in GEMINI if "candidates" in load(file)]


def fields(answer: Answer) -> tuple[object, ...]:
    """What two readings of one answer have in common: who is said to have sent it may differ."""
    return answer.text, answer.spans, answer.references, answer.cut


def assert_same(supplier: str, sent: object, *others: object) -> None:
    wanted = fields(FORMATS[supplier].read(sent))
    for other in others:
        assert fields(FORMATS[supplier].read(other)) == wanted


@pytest.mark.parametrize("file", RESPONSES)
def test_openai_responses(file: str) -> None:
    types = pytest.importorskip("openai.types.responses")
    response = types.Response.construct(**load(file))
    assert_same(
        "openai",
        load(file),
        response.model_dump(mode="json"),
        response.model_dump(),
        response.to_dict(),
        response,
    )


def test_what_is_newer_than_the_sdk_is_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    types, models = pytest.importorskip("openai.types.responses"), pytest.importorskip("openai._models")
    sent = load(RESPONSES[0])
    sent["output"].append({"type": "brand_new", "found": {"x": 1}})
    assert_same("openai", sent, models.construct_type(type_=types.Response, value=sent))
    assert not [str(one.message) for one in recwarn]


def test_a_model_that_knows_no_warnings() -> None:
    """OpenAI's and Anthropic's SDKs run on Pydantic 1, too, and raise ``ValueError`` for the argument."""

    class Model:
        def model_dump(self, *, mode: str) -> object:
            return load(RESPONSES[0]) if mode == "json" else None

    assert_same("openai", load(RESPONSES[0]), Model())


def test_openai_chat_completions() -> None:
    types = pytest.importorskip("openai.types.chat")
    sent = load("openai/openrouter.json")
    assert_same("openai", sent, types.ChatCompletion.construct(**sent).model_dump(mode="json"))


@pytest.mark.parametrize("file", ANTHROPIC)
def test_anthropic(file: str) -> None:
    types = pytest.importorskip("anthropic.types")
    message = types.Message.construct(**load(file))
    built = pytest.importorskip("anthropic._models").construct_type(type_=types.Message, value=load(file))
    turn = {"role": "assistant", "content": built.content}
    assert_same("anthropic", load(file), message.model_dump(mode="json"), message.to_dict(), message, turn)


def generated(file: str) -> Any:
    """A response of Gemini that its SDK takes: it refuses fields that it doesn't know."""
    types, sent = pytest.importorskip("google.genai.types"), load(file)
    for part in sent["candidates"][0]["content"]["parts"]:
        for name in ("thoughtSignature", "toolCall", "toolResponse"):
            part.pop(name, None)
    del sent["usageMetadata"]
    return types.GenerateContentResponse.model_validate(sent)


@pytest.mark.parametrize("file", GENERATED)
def test_google_genai(file: str) -> None:
    response = generated(file)
    short = response.model_dump(mode="json", exclude_none=True, by_alias=True)
    assert_same(
        "gemini", load(file), response.model_dump(mode="json"), response.model_dump(), short, response
    )


def test_google_genai_without_words() -> None:
    """A model says why an answer has no words, as its JSON does: it is no unknown format."""
    types = pytest.importorskip("google.genai.types")
    for sent in (
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]},
    ):
        response = types.GenerateContentResponse.model_validate(sent)
        wanted = FORMATS["gemini"].read(sent)
        assert [problem.code for problem in wanted.problems] == ["answer-empty"]
        for same in (response, response.model_dump()):
            assert FORMATS["gemini"].read(same).problems == wanted.problems


def test_cohere() -> None:
    sent = load("cohere/documents.json")
    response = pytest.importorskip("cohere").ChatResponse.model_validate(sent)
    assert_same("cohere", sent, response.model_dump(), response.dict(), response)


def test_mistral() -> None:
    models = pytest.importorskip("mistralai.client.models")
    sent = json.loads((ROOT / "examples/responses/mistral.json").read_text("utf-8"))
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    content = sent["choices"][0]["message"]["content"]
    referring = [{"type": "text", "text": "It is so 😀"}, {"type": "reference", "reference_ids": [0, "a"]}]
    for one in (content, referring):
        sent["choices"][0]["message"]["content"] = one
        response = models.ChatCompletionResponse.model_validate(sent | {"created": 1, "usage": usage})
        assert_same("mistral", sent, response.model_dump(mode="json"), response.model_dump(), response)
    entry = {"object": "entry", "type": "message.output", "role": "assistant", "content": content}
    talked = {"object": "conversation.response", "conversation_id": "c", "usage": {}, "outputs": [entry]}
    response = models.ConversationResponse.model_validate(talked)
    assert_same("mistral", talked, response.model_dump(mode="json"), response.model_dump(), response)


@pytest.mark.parametrize(
    "file", ["openai/url-citation.sse", "openai/azure-file-search.jsonl", "openai/xai.jsonl"]
)
def test_the_events_of_openai(file: str) -> None:
    adapter = pytest.importorskip("pydantic").TypeAdapter(
        pytest.importorskip("openai.types.responses").ResponseStreamEvent
    )
    models = pytest.importorskip("openai._models")
    sent = documents_in(file)
    found = [models.construct_type(type_=adapter._type, value=one) for one in sent]
    assert_same("openai", sent, [one.model_dump(mode="json") for one in found], found)


def test_an_item_of_the_agents_sdk() -> None:
    """Its items are dataclasses, with an agent that is no JSON, and a model of the other SDK."""
    models, types = pytest.importorskip("openai._models"), pytest.importorskip("openai.types.responses")
    sent = next(one for one in load("openai/url-citation.json")["output"] if one["type"] == "message")
    message = models.construct_type(type_=types.ResponseOutputMessage, value=sent)
    item = make_dataclass("MessageOutputItem", ("agent", "raw_item", "type"))
    assert_same("openai", [sent], [item(test_mistral, message, "message_output_item")])


def test_llamaindex() -> None:
    schema = pytest.importorskip("llama_index.core.schema")
    response = pytest.importorskip("llama_index.core.base.response.schema").Response
    node = schema.TextNode(text="Blue.", metadata={"file_name": "a.pdf", "page_label": "3"})
    found = [schema.NodeWithScore(node=node, score=0.5)]
    saved = {"response": "It is [1].", "source_nodes": [one.to_dict() for one in found]}
    by_hand = {"response": "It is [1].", "source_nodes": found}
    assert_same("llamaindex", saved, response("It is [1].", source_nodes=found), by_hand)


def test_writer() -> None:
    types = pytest.importorskip("openai.types.chat")
    message = {"content": "It is [1](f).", "graph_data": {"sources": [{"file_id": "f", "snippet": "Blue."}]}}
    sent = {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    assert_same("writer", sent, types.ChatCompletion.construct(**sent))


# LangChain


def forms_of(message: Any) -> Iterator[object]:
    """The JSON of a message, as LangChain's functions write it."""
    messages = pytest.importorskip("langchain_core.messages")
    yield message.model_dump(mode="json")
    yield messages.message_to_dict(message)
    yield pytest.importorskip("langchain_core.load").dumpd(message)
    yield {
        "type": "ai",
        "content_blocks": message.content_blocks,
        "response_metadata": message.response_metadata,
    }
    yield [{"type": "human", "content": "What?"}, message.model_dump(mode="json")]
    yield {
        "messages": [
            messages.message_to_dict(messages.HumanMessage("What?")),
            messages.message_to_dict(message),
        ]
    }
    yield {"messages": [messages.HumanMessage("What?"), message]}


def assert_langchain_same(supplier: str, sent: object, message: Any, *more: object) -> None:
    wanted = fields(FORMATS[supplier].read(sent))
    for form in (*forms_of(message), *more):
        assert fields(FORMATS["langchain"].read(form)) == wanted


@pytest.mark.parametrize("version", [None, "v1"])
@pytest.mark.parametrize("file", RESPONSES)
def test_langchain_openai(file: str, version: str | None) -> None:
    base = pytest.importorskip("langchain_openai.chat_models.base")
    models, types = pytest.importorskip("openai._models"), pytest.importorskip("openai.types.responses")
    response = models.construct_type(type_=types.Response, value=load(file))
    result = base._construct_lc_result_from_responses_api(response, output_version=version)
    message = result.generations[0].message
    assert_langchain_same("openai", load(file), message, message.content_blocks)


@pytest.mark.parametrize("file", ANTHROPIC)
def test_langchain_anthropic(file: str) -> None:
    model = pytest.importorskip("langchain_anthropic").ChatAnthropic(model="claude", api_key="none")
    types = pytest.importorskip("anthropic.types")
    message = model._format_output(types.Message.construct(**load(file))).generations[0].message
    assert_langchain_same("anthropic", load(file), message, message.content_blocks)


@pytest.mark.parametrize("file", [file for file in GENERATED if file != "gemini/picture.json"])
def test_langchain_google(file: str) -> None:
    """What ``langchain-google-genai`` 4.4 makes of a response, which wants an older ``google-genai``."""
    response = generated(file)
    candidate = response.model_dump(mode="json")["candidates"][0]
    metadata = {"grounding_metadata": candidate["grounding_metadata"], "model_provider": "google_genai"}
    message = pytest.importorskip("langchain_core.messages").AIMessage(
        response.text, response_metadata=metadata
    )
    assert_langchain_same("gemini", load(file), message)


def test_chunks_of_langchain() -> None:
    """Chunks are read one by one, and as LangChain joins them."""
    chunk = pytest.importorskip("langchain_core.messages").AIMessageChunk
    sent = next(case for case in WRITTEN if case[0] == "langchain: chunks of a stream")[2]
    chunks = [chunk(content=one["content"]) for one in sent]
    joined = chunks[0] + chunks[1] + chunks[2]
    assert_same(
        "langchain", sent, [one.model_dump(mode="json") for one in chunks], joined.model_dump(mode="json")
    )


def test_what_langgraph_streams() -> None:
    messages = pytest.importorskip("langchain_core.messages")
    whole = {"type": "ai", "content": "It is."}
    pairs = [(messages.AIMessageChunk(one), {"langgraph_node": "agent"}) for one in ("It ", "is.")]
    updates = [
        {"agent": {"messages": [messages.AIMessage("I look.")]}},
        {"tools": {"messages": [messages.ToolMessage("It is so.", tool_call_id="1")]}},
        {"agent": {"messages": [messages.AIMessage("It is.")]}},
    ]
    assert_same("langchain", whole, pairs, updates)
