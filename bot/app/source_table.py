"""The table of answer sources. Each row reads the settings of one source, and creates it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from citations import LabelRanking

from ..config.azure_search import AzureSearchOptions
from ..config.cloud import PUBLIC, Cloud
from ..config.embeddings import EmbeddingOptions
from ..config.env import Variables
from ..config.language_model import LanguageModel
from ..config.llamaindex import LlamaIndexOptions
from ..config.microsoft365 import Microsoft365Options
from ..config.open_ai import OpenAIOptions
from ..config.open_webui import OpenWebUIOptions
from ..config.perplexity import PerplexityOptions
from ..config.writer import WriterOptions
from ..languages import Sentence, say
from ..sources import AnswerSource
from ..sources.anthropic_writer import AnthropicWriter
from ..sources.embedders import create_embedder
from ..sources.folder import FolderSource
from ..sources.model_writer import ModelWriter
from ..sources.open_ai import OpenAIWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceParts:
    """The settings that answer sources share.

    ``samples`` tells whether ``docs`` are the documents that come with the bot. ``may_add`` tells whether
    the page adds files to them. ``document_base`` is the URL of served documents, or empty.
    """

    docs: Path
    samples: bool = False
    may_add: bool = False
    document_base: str = ""
    llm: LanguageModel | None = None
    embeddings: EmbeddingOptions | None = None
    labels: LabelRanking | None = None
    cloud: Cloud = PUBLIC

    def create_writer(self) -> ModelWriter | None:
        """Create the writer of answers from passages; None without a language model."""
        if self.llm is None:
            return None
        writer = AnthropicWriter if self.llm.api == AnthropicWriter.api else OpenAIWriter
        return writer(base_url=self.llm.base_url, api_key=self.llm.api_key, model=self.llm.model)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """``options`` are the variables of a source, if it has any, and ``make`` creates the source from them."""

    options: type[Variables] | None
    make: Callable[[Any, SourceParts], AnswerSource]


class SampleSource(FolderSource):
    """The documents that come with the bot, under a title of their own."""

    @property
    def title(self) -> str:
        """The title of the answer source."""
        return say(Sentence.SAMPLE_DOCUMENTS)


def make_folder(parts: SourceParts) -> FolderSource:
    """Create the source of a folder."""
    kind = SampleSource if parts.samples else FolderSource
    writer = parts.create_writer()
    return kind(
        parts.docs,
        document_base=parts.document_base,
        writer=writer,
        ranking=parts.labels,
        embedder=create_embedder(parts.embeddings) if parts.embeddings else None,
        may_add=parts.may_add,
    )


def _make_llamaindex(options: LlamaIndexOptions, parts: SourceParts) -> AnswerSource:
    from ..sources.llamaindex.load import load  # noqa: PLC0415 - it may not be installed
    from ..sources.llamaindex.source import LlamaIndexSource  # noqa: PLC0415

    return LlamaIndexSource(
        load(options),
        options,
        document_base=parts.document_base,
        writer=parts.create_writer(),
        ranking=parts.labels,
    )


def _make_microsoft365(options: Microsoft365Options, parts: SourceParts) -> AnswerSource:
    from ..sources.microsoft365 import Microsoft365Source  # noqa: PLC0415 - loaded where it is chosen

    return Microsoft365Source(
        options, graph=parts.cloud.graph, writer=parts.create_writer(), ranking=parts.labels
    )


def _importing(module: str, name: str) -> Callable[[Any, SourceParts], AnswerSource]:
    """A function that imports a module of :mod:`..sources` and creates its class ``name``."""

    def make(options: Any, _: SourceParts) -> AnswerSource:
        source: AnswerSource = getattr(import_module(f"..sources.{module}", __package__), name)(options)
        return source

    return make


SOURCES: Final[Mapping[str, SourceRow]] = {
    "folder": SourceRow(None, lambda _, parts: make_folder(parts)),
    "writer": SourceRow(WriterOptions, _importing("writer.source", "WriterSource")),
    "llamaindex": SourceRow(LlamaIndexOptions, _make_llamaindex),
    "open-webui": SourceRow(OpenWebUIOptions, _importing("open_webui.source", "OpenWebUISource")),
    "perplexity": SourceRow(PerplexityOptions, _importing("perplexity", "PerplexitySource")),
    "microsoft365": SourceRow(Microsoft365Options, _make_microsoft365),
    "azure-search": SourceRow(AzureSearchOptions, _importing("azure_search", "AzureSearchSource")),
    "openai": SourceRow(OpenAIOptions, _importing("open_ai_source", "OpenAISource")),
}
"""The rows by the value of ``ANSWER_SOURCE``."""
