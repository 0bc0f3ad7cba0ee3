"""The answer source that the settings name."""

from __future__ import annotations

from ..config.routes import DOCUMENTS
from ..sources import AnswerSource
from ..sources.folder import FolderSource
from .settings import SAMPLES, Settings
from .source_table import SOURCES, SourceParts, make_folder


def choose(settings: Settings, authority: str) -> AnswerSource:
    """Create the answer source. ``authority`` is the host and port that serve a folder's documents."""
    return create_source(settings, _find_base(settings, authority))


def choose_folder(settings: Settings, authority: str) -> FolderSource | None:
    """Create the answer source where it is a folder, whose files and models the page may change."""
    return create_folder(settings, _find_base(settings, authority)) if settings.source == "folder" else None


def create_source(settings: Settings, document_base: str) -> AnswerSource:
    """Create the answer source, whose documents have URLs below ``document_base``, or none if it is empty."""
    return SOURCES[settings.source].make(settings.source_options, _collect_parts(settings, document_base))


def create_folder(settings: Settings, document_base: str) -> FolderSource:
    """Create the source of the folder that the settings name, whatever else would answer."""
    return make_folder(_collect_parts(settings, document_base))


def _find_base(settings: Settings, authority: str) -> str:
    # Answers link to documents only if the bot serves them.
    return f"http://{authority}{DOCUMENTS}" if settings.serves_documents else ""


def _collect_parts(settings: Settings, document_base: str) -> SourceParts:
    return SourceParts(
        docs=settings.docs,
        samples=settings.docs == SAMPLES,
        may_add=settings.serves_documents,
        document_base=document_base,
        llm=settings.llm,
        embeddings=settings.embeddings,
        labels=settings.labels,
        cloud=settings.cloud,
    )
