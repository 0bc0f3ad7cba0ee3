"""Which source answers, by the settings."""

from __future__ import annotations

from ..config.routes import DOCUMENTS
from ..sources import AnswerSource
from ..sources.folder import FolderSource
from ..sources.open_ai import OpenAIWriter
from .settings import SAMPLES, Settings


class SampleSource(FolderSource):
    """The documents that come with the bot, under a name that says so."""

    @property
    def title(self) -> str:
        """What is being asked."""
        return "Sample documents"


def choose(settings: Settings, authority: str) -> AnswerSource:
    """The source that ``settings`` names; ``authority`` is where we serve the documents of a folder."""
    if settings.knowledge_graph:
        from ..sources.writer.source import WriterSource  # noqa: PLC0415 - its client takes its time to import

        return WriterSource(settings.knowledge_graph)
    if settings.llamaindex:
        from ..sources.llamaindex.load import load  # noqa: PLC0415 - it may not be installed
        from ..sources.llamaindex.source import LlamaIndexSource  # noqa: PLC0415

        found = load(settings.llamaindex)
        return LlamaIndexSource(found, settings.llamaindex, writer=_writer(settings), ranking=settings.labels)
    if settings.open_webui:
        from ..sources.open_webui.source import OpenWebUISource  # noqa: PLC0415 - as the others, only where it is asked

        return OpenWebUISource(settings.open_webui)
    source = SampleSource if settings.docs == SAMPLES else FolderSource
    # Where nobody gets the documents themselves, nothing links to them.
    base = f"http://{authority}{DOCUMENTS}" if settings.serves_documents else ""
    return source(settings.docs, document_base=base, writer=_writer(settings), ranking=settings.labels)


def _writer(settings: Settings) -> OpenAIWriter | None:
    wanted = settings.writer
    if wanted is None:
        return None
    return OpenAIWriter(base_url=wanted.base_url, api_key=wanted.api_key, model=wanted.model)
