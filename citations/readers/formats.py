"""The formats of providers. A format's module is loaded where the format is used first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..model.answer import Answer
    from .answer_stream import AnswerStream, EventReader
    from .json_stream import Framing


def _load(module: str, name: str, **options: Any) -> Any:
    return getattr(import_module(f".{module}", __package__), name)(**options)


_EVENTS_OR_JSON: Final = partial(_load, "event_framing", "EventsOrJson")
_EVENTS: Final = partial(_load, "json_stream", "JsonEvents")
_LINES: Final = partial(_load, "json_stream", "JsonLines")
_DOCUMENTS: Final = ("documents",)


@dataclass(frozen=True, slots=True)
class ProviderFormat:
    """The format of one provider: reads a whole response, or a stream.

    >>> FORMATS["cohere"].read({"message": {"content": [{"type": "text", "text": "It is."}]}}).text
    'It is.'
    """

    form: str
    """Its name on the command line; empty for one that no name has."""
    reader: Callable[..., EventReader]
    """Makes the reader of one answer."""
    title: str = ""
    """The provider's name above the sources of an answer without citations; empty if they aren't listed."""
    framing: Callable[[], Framing] = _EVENTS_OR_JSON
    """Makes what splits the bytes of a stream."""
    options: tuple[str, ...] = ()
    """What :meth:`where` takes."""
    searches: bool = False
    """Whether each question is searched for, whether its answer needs what is found or not."""
    strict: bool = False
    """Whether a chat completion with the sources of another format raises :class:`AnswerFormatError`."""

    def read(self, data: object) -> Answer:
        """The answer of a whole response: decoded JSON, an SDK's object, or a list of a stream's events.

        Raises :class:`~citations.AnswerFormatError` with the JSON path of the first fault.
        """
        from .answer_stream import whole_answer  # noqa: PLC0415 - to name a format loads no reader

        return whole_answer(self.reader(), data, strict=self.strict)

    def stream(self) -> AnswerStream:
        """The reader of one streamed answer: feed it bytes and close it."""
        from .answer_stream import AnswerStream  # noqa: PLC0415 - to name a format loads no reader

        return AnswerStream(self.framing(), self.reader(), strict=self.strict)

    def where(self, **options: Any) -> ProviderFormat:
        """The format with ``options`` of its reader; raises :class:`TypeError` for one that it doesn't have.

        ``documents`` are those of the request, as :class:`~citations.Reference` in its order, for answers
        that only number them.
        """
        if unknown := options.keys() - set(self.options):
            raise TypeError(f"the format {self.form} has no option {', '.join(sorted(unknown))}")
        return replace(self, reader=partial(self.reader, **options))


def _row(form: str, reader: str, title: str = "", **more: Any) -> ProviderFormat:
    """``reader`` is a class of the module that is named as the format."""
    return ProviderFormat(form, partial(_load, form.replace("-", "_"), reader), title, **more)


_ROWS: Final = (
    ProviderFormat("answer", partial(_load, "neutral", "NeutralLines"), framing=_LINES),
    _row("writer", "WriterChunks", "Writer", framing=_EVENTS),
    _row("llamaindex", "LlamaIndexLines", "The engine", framing=_LINES),
    _row("open-webui", "OpenWebUIEvents", "Open WebUI", framing=_EVENTS, options=("webui_url",)),
    _row("perplexity", "PerplexityEvents", "Perplexity", searches=True),
    _row("openai", "OpenAIEvents", "The model"),
    _row("anthropic", "AnthropicEvents", "Anthropic", options=_DOCUMENTS),
    _row("gemini", "GeminiEvents", "Google"),
    _row("bedrock", "BedrockEvents", "Amazon Bedrock"),
    _row("cohere", "CohereEvents", "Cohere"),
    _row("mistral", "MistralEvents", "Mistral", options=_DOCUMENTS),
    _row("langchain", "LangChainEvents", "The model", options=_DOCUMENTS),
    _row("azure-on-your-data", "AzureOnYourDataEvents", "Azure OpenAI"),
    _row("azure-search", "AzureSearchEvents", "Azure AI Search", options=("for_person",)),
    _row("copilot-chat", "CopilotChatEvents", "Microsoft 365 Copilot"),
    _row("ragflow", "RagflowEvents", "RAGFlow"),
    _row("ai-sdk", "AiSdkEvents", "The model"),
)
FORMATS: Final[Mapping[str, ProviderFormat]] = MappingProxyType({one.form: one for one in _ROWS})
"""All formats by their names. A new provider is a row here."""
