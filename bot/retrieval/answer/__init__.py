"""Finds passages for a question, decides how far they answer, and shows what matches best."""

from __future__ import annotations

from .documents import Documents
from .found import Found
from .labels import FolderLabels
from .references import NumberedPassage
from .scope import Scope
from .search_result import SearchResult, search, suggest

__all__ = [
    "Documents", "FolderLabels", "Found", "NumberedPassage", "Scope", "SearchResult", "search", "suggest",
]  # fmt: skip
