"""Which source answers, by the settings."""

from __future__ import annotations

from ..documents import PREFIX
from ..settings import Settings
from . import AnswerSource
from .folder import FolderSource
from .open_ai import OpenAIWriter


def choose(settings: Settings, authority: str) -> AnswerSource:
    """The source that ``settings`` names; ``authority`` is where we serve its documents."""
    wanted = settings.writer
    writer = (
        OpenAIWriter(base_url=wanted.base_url, api_key=wanted.api_key, model=wanted.model) if wanted else None
    )
    return FolderSource(settings.docs, document_base=f"http://{authority}{PREFIX}", writer=writer)
