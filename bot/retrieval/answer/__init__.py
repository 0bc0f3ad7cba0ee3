"""This room finds passages for a question, quotes their sentences, and decides what to show as an answer."""

from __future__ import annotations

from .composition import (
    NumberedPassage,
    QuotedPassage,
    describe_unquotable,
    number_passages,
    number_quotes,
    write_quotes,
)
from .documents import Documents, Folder, Scope
from .labels import FolderLabels
from .nearest import PASSAGES, find_nearest, find_others, renumber, write_excerpts
from .search_result import SearchResult, search, suggest, suggest_near

__all__ = [
    "PASSAGES", "Documents", "Folder", "FolderLabels", "NumberedPassage", "QuotedPassage", "Scope",
    "SearchResult", "describe_unquotable", "find_nearest", "find_others", "number_passages", "number_quotes",
    "renumber", "search", "suggest", "suggest_near", "write_excerpts", "write_quotes",
]  # fmt: skip
