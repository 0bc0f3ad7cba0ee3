"""The answer source that the settings name."""

from __future__ import annotations

from ..config.routes import DOCUMENTS
from ..sources import AnswerSource
from .settings import SAMPLES, Settings
from .source_table import SOURCES, SourceParts


def choose(settings: Settings, authority: str) -> AnswerSource:
    """Create the answer source. ``authority`` is the host and port that serve a folder's documents."""
    # Answers link to documents only if the bot serves them.
    return create_source(settings, f"http://{authority}{DOCUMENTS}" if settings.serves_documents else "")


def create_source(settings: Settings, document_base: str) -> AnswerSource:
    """Create the answer source, whose documents have URLs below ``document_base``, or none if it is empty."""
    parts = SourceParts(
        docs=settings.docs,
        samples=settings.docs == SAMPLES,
        may_add=settings.serves_documents,
        document_base=document_base,
        llm=settings.llm,
        embeddings=settings.embeddings,
        labels=settings.labels,
    )
    return SOURCES[settings.source].make(settings.source_options, parts)
