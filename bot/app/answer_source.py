"""Which source answers, by the settings."""

from __future__ import annotations

from ..config.routes import DOCUMENTS
from ..sources import AnswerSource
from .settings import SAMPLES, Settings
from .source_table import SOURCES, SourceParts


def choose(settings: Settings, authority: str) -> AnswerSource:
    """The source that ``settings`` names; ``authority`` is where we serve the documents of a folder."""
    parts = SourceParts(
        docs=settings.docs,
        samples=settings.docs == SAMPLES,
        # Where the documents themselves can't be opened, nothing links to them.
        document_base=f"http://{authority}{DOCUMENTS}" if settings.serves_documents else "",
        llm=settings.llm,
        labels=settings.labels,
    )
    return SOURCES[settings.source].make(settings.source_options, parts)
