"""The formats of providers. A format's module is loaded where the format is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from ..model.answer import Answer
    from ..model.reference import Reference
    from .answer_stream import AnswerStream

_T = TypeVar("_T")


class ProviderFormat(NamedTuple):
    """The format of one provider: ``read`` reads a whole response, ``stream`` makes a reader of a stream.

    ``read`` takes decoded JSON. It raises :class:`~citations.AnswerFormatError` with the JSON path of the
    first fault. ``title`` is the provider's name above the sources of an answer without citations; empty
    if they aren't listed. ``numbers_documents`` says that answers only number the documents of the request,
    ``searches`` that each question is searched for, whether its answer needs what is found or not.
    """

    read: Callable[[object], Answer]
    stream: Callable[[], AnswerStream]
    title: str = ""
    numbers_documents: bool = False
    searches: bool = False

    def with_documents(self, documents: Sequence[Reference]) -> ProviderFormat | None:
        """The format, where ``documents`` are those of the request; None if its answers don't number them."""
        if not self.numbers_documents:
            return None
        named = {"documents": documents}
        return self._replace(read=partial(self.read, **named), stream=partial(self.stream, **named))


class _Row(NamedTuple):
    """``module`` has the function ``read`` and the class ``stream``."""

    module: str
    read: str
    stream: str
    title: str = ""
    numbers_documents: bool = False
    searches: bool = False


_ROWS: Final = {
    "answer": _Row("neutral", "read_answer", "NeutralStream"),
    "writer": _Row("writer", "read_writer", "WriterStream", "Writer"),
    "llamaindex": _Row("llamaindex", "read_llamaindex", "LlamaIndexStream", "The engine"),
    "open-webui": _Row("open_webui", "read_open_webui", "OpenWebUIStream", "Open WebUI"),
    "perplexity": _Row("perplexity", "read_perplexity", "PerplexityStream", "Perplexity", searches=True),
    "openai": _Row("openai", "read_openai", "OpenAIStream", "The model"),
    "anthropic": _Row("anthropic", "read_anthropic", "AnthropicStream", "Anthropic", numbers_documents=True),
    "gemini": _Row("gemini", "read_gemini", "GeminiStream", "Google"),
    "bedrock": _Row("bedrock", "read_bedrock", "BedrockStream", "Amazon Bedrock"),
    "cohere": _Row("cohere", "read_cohere", "CohereStream", "Cohere"),
    "mistral": _Row("mistral", "read_mistral", "MistralStream", "Mistral", numbers_documents=True),
    "langchain": _Row("langchain", "read_langchain", "LangChainStream", "The model", numbers_documents=True),
    "azure-on-your-data": _Row(
        "azure_on_your_data", "read_azure_on_your_data", "AzureOnYourDataStream", "Azure OpenAI"
    ),
    "azure-search": _Row("azure_search", "read_azure_search", "AzureSearchStream", "Azure AI Search"),
    "copilot-chat": _Row("copilot_chat", "read_copilot_chat", "CopilotChatStream", "Microsoft 365 Copilot"),
    "ragflow": _Row("ragflow", "read_ragflow", "RagflowStream", "RAGFlow"),
    "ai-sdk": _Row("ai_sdk", "read_ai_sdk", "AiSdkStream", "The model"),
}


@cache
def _load(name: str) -> ProviderFormat:
    row = _ROWS[name]
    module = import_module(f".{row.module}", __package__)
    read, stream = getattr(module, row.read), getattr(module, row.stream)
    return ProviderFormat(read, stream, *row[3:])


class _ByName(Mapping[str, _T]):
    """What ``choose`` takes from each format, by the format's name."""

    def __init__(self, choose: Callable[[ProviderFormat], _T]) -> None:
        self._choose = choose

    def __getitem__(self, name: str) -> _T:
        return self._choose(_load(name))

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __len__(self) -> int:
        return len(_ROWS)

    def __contains__(self, name: object) -> bool:
        return name in _ROWS


FORMATS: Final[Mapping[str, ProviderFormat]] = _ByName(lambda one: one)
"""All formats by their names on the command line. A new provider is a row here."""
READERS: Final[Mapping[str, Callable[[object], Answer]]] = _ByName(lambda one: one.read)
"""The reader of each provider's decoded JSON."""
STREAM_READERS: Final[Mapping[str, Callable[[], AnswerStream]]] = _ByName(lambda one: one.stream)
"""The maker of a reader for one streamed answer, by provider."""
