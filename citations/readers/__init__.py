"""A provider's response becomes an :class:`~citations.Answer`, and its stream becomes events.

There is one module for each provider. :data:`READERS` read whole responses, :data:`STREAM_READERS`
streams.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from ..model.answer import Answer, answer_of, text_of
from ..model.reference import Reference
from .anchor import OffsetUnit, TextRange, anchor_words, not_placed, place_span
from .answer_stream import AnswerStream, whole_answer
from .anthropic import AnthropicStream, read_anthropic
from .azure_on_your_data import AzureOnYourDataStream, read_azure_on_your_data
from .bedrock import BedrockStream, read_bedrock
from .chat_completion import finish_reason_of
from .cohere import CohereStream, read_cohere
from .gemini import GeminiStream, read_gemini
from .json_stream import JsonEvents, JsonLines
from .langchain import LangChainStream, read_langchain
from .llamaindex import LlamaIndexLines, LlamaIndexStream, read_llamaindex
from .mistral import MistralStream, read_mistral
from .neutral import NeutralLines, read_answer, read_documents, write_answer
from .numbered_chat import ChatCompletionEvents
from .open_webui import OpenWebUIEvents, OpenWebUIStream, read_open_webui
from .openai import OpenAIStream, read_openai
from .perplexity import PerplexityStream, read_perplexity
from .sse import ServerSentEvent, ServerSentEvents
from .surrogates import SurrogatePairs
from .thoughts import VisibleText, hide_thoughts
from .writer import WriterChunks, read_writer


class ProviderFormat(NamedTuple):
    """The format of one provider: ``read`` reads a whole response, ``stream`` makes a reader of a stream.

    ``read`` takes decoded JSON. It raises :class:`~citations.AnswerFormatError` with the JSON path of the
    first fault. ``title`` is the provider's name above the sources of an answer without citations; empty
    if they aren't listed.
    """

    read: Callable[[object], Answer]
    stream: Callable[[], AnswerStream]
    title: str = ""

    def with_documents(self, documents: Sequence[Reference]) -> ProviderFormat | None:
        """The format, where ``documents`` are those of the request; None if its answers don't number them."""
        if self.read not in (read_anthropic, read_mistral, read_langchain):
            return None
        named = {"documents": documents}
        return self._replace(read=partial(self.read, **named), stream=partial(self.stream, **named))


FORMATS: Final[Mapping[str, ProviderFormat]] = {
    "answer": ProviderFormat(read_answer, lambda: AnswerStream(JsonLines(), NeutralLines())),
    "writer": ProviderFormat(read_writer, lambda: AnswerStream(JsonEvents(), WriterChunks()), "Writer"),
    "llamaindex": ProviderFormat(read_llamaindex, LlamaIndexStream, "The engine"),
    "open-webui": ProviderFormat(read_open_webui, OpenWebUIStream, "Open WebUI"),
    "perplexity": ProviderFormat(read_perplexity, PerplexityStream, "Perplexity"),
    "openai": ProviderFormat(read_openai, OpenAIStream, "The model"),
    "anthropic": ProviderFormat(read_anthropic, AnthropicStream, "Anthropic"),
    "gemini": ProviderFormat(read_gemini, GeminiStream, "Google"),
    "bedrock": ProviderFormat(read_bedrock, BedrockStream, "Amazon Bedrock"),
    "cohere": ProviderFormat(read_cohere, CohereStream, "Cohere"),
    "mistral": ProviderFormat(read_mistral, MistralStream, "Mistral"),
    "langchain": ProviderFormat(read_langchain, LangChainStream, "The model"),
    "azure-on-your-data": ProviderFormat(read_azure_on_your_data, AzureOnYourDataStream, "Azure OpenAI"),
}
"""All formats by their names on the command line. A new provider is a row here."""

READERS: Final = {name: one.read for name, one in FORMATS.items()}
"""The reader of each provider's decoded JSON."""

STREAM_READERS: Final = {name: one.stream for name, one in FORMATS.items()}
"""The maker of a reader for one streamed answer, by provider."""

__all__ = [
    "FORMATS",
    "READERS",
    "STREAM_READERS",
    "AnswerStream",
    "AnthropicStream",
    "AzureOnYourDataStream",
    "BedrockStream",
    "ChatCompletionEvents",
    "CohereStream",
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
    "read_answer",
    "read_anthropic",
    "read_azure_on_your_data",
    "read_bedrock",
    "read_cohere",
    "read_documents",
    "read_gemini",
    "read_langchain",
    "read_llamaindex",
    "read_mistral",
    "read_open_webui",
    "read_openai",
    "read_perplexity",
    "read_writer",
    "text_of",
    "whole_answer",
    "write_answer",
]
