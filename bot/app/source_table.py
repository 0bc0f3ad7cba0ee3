"""The table of answer sources: for each its settings, and how it is made. A new one is a row here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from citations import LabelRanking

from ..config import llamaindex, open_webui, writer
from ..config.language_model import LanguageModel
from ..config.llamaindex import LlamaIndexOptions
from ..messages import Sentence, say
from ..sources import AnswerSource, perplexity
from ..sources.folder import FolderSource
from ..sources.open_ai import OpenAIWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceParts:
    """What a source is made with besides its own settings.

    ``samples`` says that ``docs`` are the documents that come with the bot. ``document_base`` is the URL
    at which documents are served, empty where they are not.
    """

    docs: Path
    samples: bool = False
    document_base: str = ""
    llm: LanguageModel | None = None
    labels: LabelRanking | None = None

    def writer(self) -> OpenAIWriter | None:
        """What words the answers over passages, if there is a model for it."""
        if self.llm is None:
            return None
        return OpenAIWriter(base_url=self.llm.base_url, api_key=self.llm.api_key, model=self.llm.model)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """``read`` reads a source's settings from the environment, and ``make`` makes the source of them.

    ``read`` adds what is wrong to the list that it is given.
    """

    read: Callable[[Mapping[str, str], list[str]], Any]
    make: Callable[[Any, SourceParts], AnswerSource]


class SampleSource(FolderSource):
    """The documents that come with the bot, under a name that says so."""

    @property
    def title(self) -> str:
        """What is being asked."""
        return say(Sentence.SAMPLE_DOCUMENTS)


def _make_folder(_: None, parts: SourceParts) -> AnswerSource:
    kind = SampleSource if parts.samples else FolderSource
    return kind(parts.docs, document_base=parts.document_base, writer=parts.writer(), ranking=parts.labels)


def _make_llamaindex(options: LlamaIndexOptions, parts: SourceParts) -> AnswerSource:
    from ..sources.llamaindex.load import load  # noqa: PLC0415 - it may not be installed
    from ..sources.llamaindex.source import LlamaIndexSource  # noqa: PLC0415

    return LlamaIndexSource(load(options), options, writer=parts.writer(), ranking=parts.labels)


def _named(module: str, name: str) -> Callable[[Any, SourceParts], AnswerSource]:
    """Makes the class ``name`` of a module in :mod:`..sources`, which is imported only where it is asked."""

    def make(options: Any, _: SourceParts) -> AnswerSource:
        made: AnswerSource = getattr(import_module(f"..sources.{module}", __package__), name)(options)
        return made

    return make


SOURCES: Final[Mapping[str, SourceRow]] = {
    "folder": SourceRow(lambda given, faults: None, _make_folder),  # noqa: ARG005 - it has DOCS_DIR alone
    "writer": SourceRow(writer.read_options, _named("writer.source", "WriterSource")),
    "llamaindex": SourceRow(llamaindex.read_options, _make_llamaindex),
    "open-webui": SourceRow(open_webui.read_options, _named("open_webui.source", "OpenWebUISource")),
    "perplexity": SourceRow(perplexity.read_options, lambda options, _: perplexity.PerplexitySource(options)),
}
"""What ``ANSWER_SOURCE`` can name."""
