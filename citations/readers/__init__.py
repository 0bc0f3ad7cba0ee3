"""A provider's response becomes an :class:`~citations.Answer`, and its stream becomes events.

There is one module for each provider. :data:`READERS` read whole responses, :data:`STREAM_READERS`
streams. A module is loaded with the first of its names that is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..loading import load_on_use
from .formats import FORMATS, READERS, STREAM_READERS, ProviderFormat

if TYPE_CHECKING:
    from ..model.answer import answer_of, text_of
    from .ai_sdk import AiSdkStream, read_ai_sdk
    from .anchor import OffsetUnit, TextRange, anchor_words, not_placed, place_span
    from .answer_stream import AnswerStream, whole_answer
    from .anthropic import AnthropicStream, read_anthropic
    from .azure_on_your_data import AzureOnYourDataStream, read_azure_on_your_data
    from .azure_search import AzureSearchStream, read_azure_search
    from .bedrock import BedrockStream, read_bedrock
    from .chat_completion import finish_reason_of
    from .cohere import CohereStream, read_cohere
    from .contextual import ContextualStream, read_contextual
    from .copilot_chat import CopilotChatStream, read_copilot_chat
    from .gemini import GeminiStream, read_gemini
    from .json_stream import JsonEvents
    from .langchain import LangChainStream, read_langchain
    from .llamaindex import LlamaIndexLines, LlamaIndexStream, read_llamaindex
    from .mistral import MistralStream, read_mistral
    from .neutral import read_answer, read_documents, write_answer
    from .numbered_chat import ChatCompletionEvents
    from .open_webui import OpenWebUIEvents, OpenWebUIStream, read_open_webui
    from .openai import OpenAIStream, read_openai
    from .perplexity import PerplexityStream, read_perplexity
    from .ragflow import RagflowStream, read_ragflow
    from .sse import ServerSentEvent, ServerSentEvents
    from .surrogates import SurrogatePairs
    from .thoughts import VisibleText, hide_thoughts
    from .writer import read_writer

__all__ = [
    "FORMATS",
    "READERS",
    "STREAM_READERS",
    "AiSdkStream",
    "AnswerStream",
    "AnthropicStream",
    "AzureOnYourDataStream",
    "AzureSearchStream",
    "BedrockStream",
    "ChatCompletionEvents",
    "CohereStream",
    "ContextualStream",
    "CopilotChatStream",
    "GeminiStream",
    "JsonEvents",
    "LangChainStream",
    "LlamaIndexLines",
    "LlamaIndexStream",
    "MistralStream",
    "OffsetUnit",
    "OpenAIStream",
    "OpenWebUIEvents",
    "OpenWebUIStream",
    "PerplexityStream",
    "ProviderFormat",
    "RagflowStream",
    "ServerSentEvent",
    "ServerSentEvents",
    "SurrogatePairs",
    "TextRange",
    "VisibleText",
    "anchor_words",
    "answer_of",
    "finish_reason_of",
    "hide_thoughts",
    "not_placed",
    "place_span",
    "read_ai_sdk",
    "read_answer",
    "read_anthropic",
    "read_azure_on_your_data",
    "read_azure_search",
    "read_bedrock",
    "read_cohere",
    "read_contextual",
    "read_copilot_chat",
    "read_documents",
    "read_gemini",
    "read_langchain",
    "read_llamaindex",
    "read_mistral",
    "read_open_webui",
    "read_openai",
    "read_perplexity",
    "read_ragflow",
    "read_writer",
    "text_of",
    "whole_answer",
    "write_answer",
]

_NAMES: Final = {
    ".model.answer": "answer_of text_of",
    "ai_sdk": "AiSdkStream read_ai_sdk",
    "anchor": "OffsetUnit TextRange anchor_words not_placed place_span",
    "answer_stream": "AnswerStream whole_answer",
    "anthropic": "AnthropicStream read_anthropic",
    "azure_on_your_data": "AzureOnYourDataStream read_azure_on_your_data",
    "azure_search": "AzureSearchStream read_azure_search",
    "bedrock": "BedrockStream read_bedrock",
    "chat_completion": "finish_reason_of",
    "cohere": "CohereStream read_cohere",
    "contextual": "ContextualStream read_contextual",
    "copilot_chat": "CopilotChatStream read_copilot_chat",
    "gemini": "GeminiStream read_gemini",
    "json_stream": "JsonEvents",
    "langchain": "LangChainStream read_langchain",
    "llamaindex": "LlamaIndexLines LlamaIndexStream read_llamaindex",
    "mistral": "MistralStream read_mistral",
    "neutral": "read_answer read_documents write_answer",
    "numbered_chat": "ChatCompletionEvents",
    "open_webui": "OpenWebUIEvents OpenWebUIStream read_open_webui",
    "openai": "OpenAIStream read_openai",
    "perplexity": "PerplexityStream read_perplexity",
    "ragflow": "RagflowStream read_ragflow",
    "sse": "ServerSentEvent ServerSentEvents",
    "surrogates": "SurrogatePairs",
    "thoughts": "VisibleText hide_thoughts",
    "writer": "read_writer",
}
"""The names that this package has of each of its modules."""

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = load_on_use(__name__, _NAMES)
