"""The answer source that the settings name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from ..config.language_model import LanguageModel
from ..config.routes import DOCUMENTS
from ..languages import Sentence
from ..sources import AnswerSource
from .settings import SAMPLES, Settings

if TYPE_CHECKING:
    from ..sources.folder import FolderSource
    from ..sources.model_writer import ModelWriter

_PROVIDERS: Final[Mapping[str, tuple[str, str]]] = {
    "writer": ("writer", "WriterSource"),
    "open-webui": ("open_webui.source", "OpenWebUISource"),
    "perplexity": ("perplexity", "PerplexitySource"),
    "azure-search": ("azure_search", "AzureSearchSource"),
    "openai": ("open_ai_source", "OpenAISource"),
}
"""The module and the class of each source that needs its own settings alone; loaded where it is chosen."""


def choose(settings: Settings, authority: str) -> AnswerSource:
    """Create the answer source. ``authority`` is the host and port that serve a folder's documents."""
    return create_source(settings, _find_base(settings, authority))


def choose_folder(settings: Settings, authority: str) -> FolderSource | None:
    """Create the answer source where it is a folder, whose files and models the page may change."""
    return create_folder(settings, _find_base(settings, authority)) if settings.source == "folder" else None


def create_source(settings: Settings, document_base: str) -> AnswerSource:
    """Create the answer source, whose documents have URLs below ``document_base``, or none if it is empty."""
    match settings.source:
        case "folder":
            return create_folder(settings, document_base)
        case "llamaindex":
            from ..sources.llamaindex.load import load  # noqa: PLC0415 - it may not be installed
            from ..sources.llamaindex.source import LlamaIndexSource  # noqa: PLC0415

            return LlamaIndexSource(
                load(settings.source_options),
                settings.source_options,
                document_base=document_base,
                writer=_create_writer(settings.llm),
                ranking=settings.labels,
            )
        case "microsoft365":
            from ..sources.microsoft365 import Microsoft365Source  # noqa: PLC0415 - loaded where it is chosen

            return Microsoft365Source(
                settings.source_options,
                graph=settings.cloud.graph,
                writer=_create_writer(settings.llm),
                ranking=settings.labels,
            )
    module, name = _PROVIDERS[settings.source]
    kind = getattr(import_module(f"..sources.{module}", __package__), name)
    source: AnswerSource = kind(settings.source_options)
    return source


def create_folder(settings: Settings, document_base: str) -> FolderSource:
    """Create the source of the folder that the settings name, whatever else would answer."""
    from ..sources.embedders import create_embedder  # noqa: PLC0415 - loaded where it is chosen
    from ..sources.folder import FolderSource  # noqa: PLC0415

    return FolderSource(
        settings.docs,
        named=Sentence.SAMPLE_DOCUMENTS if settings.docs == SAMPLES else None,
        document_base=document_base,
        writer=_create_writer(settings.llm),
        ranking=settings.labels,
        embedder=create_embedder(settings.embeddings) if settings.embeddings else None,
        may_add=settings.serves_documents,
    )


def _find_base(settings: Settings, authority: str) -> str:
    # Answers link to documents only if the bot serves them.
    return f"http://{authority}{DOCUMENTS}" if settings.serves_documents else ""


def _create_writer(model: LanguageModel | None) -> ModelWriter | None:
    """Create the writer of answers from passages; None without a language model."""
    if model is None:
        return None
    from ..sources.anthropic_writer import AnthropicWriter  # noqa: PLC0415 - loaded where a model is named
    from ..sources.open_ai import OpenAIWriter  # noqa: PLC0415

    kind = AnthropicWriter if model.api == AnthropicWriter.api else OpenAIWriter
    return kind(base_url=model.base_url, api_key=model.api_key, model=model.model)
