"""Finds passages for a question, quotes their sentences, and decides what to show as an answer."""

from __future__ import annotations

from .composition import NumberedPassage, QuotedPassage, write_quotes
from .documents import Documents, Scope
from .found import Found
from .labels import FolderLabels
from .nearest import PASSAGES, find_nearest, write_excerpts
from .search_result import SearchResult, search, suggest

__all__ = [
    "PASSAGES", "Documents", "FolderLabels", "Found", "NumberedPassage", "QuotedPassage", "Scope",
    "SearchResult", "find_nearest", "search", "suggest", "write_excerpts", "write_quotes",
]  # fmt: skip
