"""Tells by its fields which provider's format a document has, for an error that says how to read it.

Only what cannot be another's decides. Several formats may fit: a chat completion without sources is any of
six. A document that no row knows is left to the reader that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from ..model.errors import AnswerFormatError
from .loose_json import Members, inner, items, members, objects, text

CHATS: Final = ("openai", "open-webui", "writer", "perplexity", "mistral", "azure-on-your-data", "ragflow")
"""The formats of chat completions. Servers and proxies add each other's fields to them."""
_RESPONSES: Final = ("openai", "perplexity", "mistral")
_NEUTRAL: Final = frozenset("text references spans dialect origin query kind delta complete".split())
_CLAUDE: Final = """
    message_start message_delta message_stop content_block_start content_block_delta content_block_stop
""".split()
_COHERE: Final = """
    message-start content-start content-delta content-end citation-start citation-end message-end
    tool-plan-delta tool-call-start tool-call-delta tool-call-end
""".split()
_CONVERSE: Final = """
    messageStart contentBlockStart contentBlockDelta contentBlockStop messageStop generatedResponsePart
    retrievedReferences guardrail sessionId ResponseMetadata
""".split()
_GOOGLE: Final = """
    candidates promptFeedback prompt_feedback answerText answer_text citedChunks invocationId invocation_id
""".split()
_LANGCHAIN: Final = ("response_metadata", "additional_kwargs", "content_blocks", "lc", "messages")
_UI_CHUNKS: Final = """
    start start-step finish-step finish abort text-start text-delta text-end source-url source-document
    reasoning-start reasoning-delta reasoning-end message-metadata
""".split()
_WEBUI_EVENTS: Final = """
    source citation message replace status chat:completion chat:message chat:message:delta chat:message:error
    response:completion
""".split()


class _Feature(NamedTuple):
    formats: tuple[str, ...]
    fits: Callable[[Members], object]


def _has(*names: str) -> Callable[[Members], bool]:
    return lambda data: any(name in data for name in names)


def _is(*kinds: str) -> Callable[[Members], bool]:
    return lambda data: text(data, "type", "event_type", "event") in kinds


def _has_part(message: Members, *kinds: str) -> bool:
    return any(text(one, "type") in kinds for one in objects(message.get("content")))


def _message(data: Members) -> Members:
    first = members(next(iter(items(data.get("choices"))), None))
    return {**inner(first, "message"), **inner(first, "delta")}


def _is_conversation(data: Members) -> bool:
    return text(data, "type", "object", "event").startswith(("conversation.", "message.output"))


def _writes_output(data: Members) -> bool:
    """Whether ``data`` is a response of the Responses API, an event of one, or an item of its output."""
    output = [text(one, "type") for one in objects(data.get("output"))]
    return (
        text(data, "object") == "response"
        or text(data, "type").startswith("response.")
        or any(kind in ("message", "reasoning") or kind.endswith("_call") for kind in output)
        or _has_part(data, "output_text", "refusal")
    )


def _is_claude(data: Members) -> bool:
    whole = text(data, "type") == "message" and isinstance(data.get("content"), list)
    return whole or text(data, "type") in _CLAUDE or "message" in inner(data, "result")


def _is_cohere(data: Members) -> bool:
    return text(data, "type", "event_type") in _COHERE or (
        "finish_reason" in data and isinstance(data.get("message"), Mapping)
    )


_CHAT_FEATURES: Final[tuple[_Feature, ...]] = (
    _Feature(("writer",), lambda data: "graph_data" in _message(data)),
    _Feature(("azure-on-your-data",), lambda data: inner(_message(data), "context")),
    _Feature(("ragflow",), lambda data: inner(_message(data), "reference")),
    _Feature(("openai",), lambda data: items(_message(data).get("annotations"))),
    _Feature(("openai",), lambda data: items(_message(data).get("executed_tools"))),
    _Feature(("mistral",), lambda data: _has_part(_message(data), "reference", "tool_reference")),
    _Feature(("open-webui",), lambda data: items(data.get("sources"))),
    _Feature(("perplexity",), lambda data: items(data.get("search_results"))),
    # xAI has URLs beside the choices, too.
    _Feature(("perplexity", "openai"), lambda data: items(data.get("citations"))),
    _Feature(CHATS, lambda _: True),
)
_FEATURES: Final[tuple[_Feature, ...]] = (
    _Feature(("azure-search",), _has("activitySource", "messageIndex", "knowledgeBaseName")),
    _Feature(("azure-search",), lambda data: "references" in data and isinstance(data.get("response"), list)),
    _Feature(("azure-search",), lambda data: isinstance(inner(data, "response").get("response"), list)),
    _Feature(("copilot-chat",), lambda data: "turnCount" in data and "messages" in data),
    _Feature(("ragflow",), lambda data: {"code", "data"} <= data.keys()),
    _Feature(("ai-sdk",), _is(*_UI_CHUNKS)),
    _Feature(("ai-sdk",), lambda data: "parts" in data and "role" in data and "id" in data),
    _Feature(("langchain",), _has(*_LANGCHAIN)),
    _Feature(("langchain",), lambda data: text(data, "event").startswith("on_")),
    _Feature(("langchain",), _is("ai", "AIMessage", "AIMessageChunk")),
    _Feature(("openai",), lambda data: text(data, "object", "event").startswith("thread.")),
    _Feature(("mistral",), _is_conversation),
    _Feature(_RESPONSES, _writes_output),
    _Feature(("gemini",), _has(*_GOOGLE)),
    _Feature(("gemini",), lambda data: inner(data, "answer") or inner(data, "summary")),
    _Feature(("gemini",), lambda data: text(data, "object") == "interaction" or "steps" in data),
    _Feature(("gemini",), lambda data: text(data, "event_type").startswith(("interaction.", "content."))),
    _Feature(("bedrock",), _has(*_CONVERSE)),
    _Feature(("bedrock",), lambda data: _has("message", "text")(inner(data, "output"))),
    _Feature(("bedrock",), lambda data: _has("bytes", "attribution")(inner(data, "chunk"))),
    _Feature(("anthropic",), _is_claude),
    _Feature(("cohere",), _is_cohere),
    _Feature(("cohere",), _has("generation_id")),
    _Feature(("llamaindex",), lambda data: "source_nodes" in data or isinstance(data.get("response"), str)),
    _Feature(("open-webui",), lambda data: "data" in data and text(data, "type") in _WEBUI_EVENTS),
    _Feature(("open-webui",), lambda data: "history" in inner(data, "chat") or "history" in data),
    _Feature(("open-webui",), lambda data: any("document" in one for one in objects(data.get("sources")))),
    _Feature(("writer",), lambda data: _has("files", "web")(inner(data, "references"))),
    _Feature(("writer", "gemini"), lambda data: isinstance(data.get("answer"), str)),
    _Feature(("answer", "llamaindex"), lambda data: data.keys() == {"delta"} and text(data, "delta")),
    _Feature(("answer",), lambda data: data.keys() <= _NEUTRAL and text(data, "text", "delta")),
    _Feature(("mistral", "gemini"), _has("outputs")),
)
"""The features in the order in which they are looked for, and the formats that have each."""


def likely_formats(data: object, *, strict: bool = True) -> tuple[str, ...]:
    """The formats that fit ``data``, a document or an array of them; none where no feature is known.

    Unless it is ``strict``, all chat completions have one format.

    >>> likely_formats({"candidates": []}), likely_formats([{"type": "message_start"}]), likely_formats({})
    (('gemini',), ('anthropic',), ())
    """
    if isinstance(data, list | tuple):
        return next((found for one in data if (found := likely_formats(one, strict=strict))), ())
    if not isinstance(data, Mapping) or not data:
        return ()
    features = _FEATURES
    if isinstance(data.get("choices"), list):
        features = _CHAT_FEATURES if strict else _CHAT_FEATURES[-1:]
    found = next((one.formats for one in features if one.fits(data)), ())
    # Envelopes, and server-sent events that were saved with their names.
    return found or likely_formats(data.get("data"), strict=strict)


def expect_format(form: str, data: object, *, strict: bool = False) -> bool:
    """Whether ``data`` has a feature of the format ``form``, which may be empty.

    Raises :class:`AnswerFormatError` if it has those of another format.
    """
    likely = likely_formats(data, strict=strict)
    if form and likely and form not in likely:
        raise AnswerFormatError(f"this has the format {' or '.join(likely)}, not {form}")
    return bool(likely)


def nothing_read(form: str) -> AnswerFormatError:
    """The error of documents of which a reader of ``form`` knows no field."""
    return AnswerFormatError(f"nothing in it has the format {form}, nor another that is known")
