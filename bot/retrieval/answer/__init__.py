"""Finds passages for a question, decides how far they answer, and shows what matches best."""

from __future__ import annotations

from .excerpts import NumberedPassage, find_place
from .found import Found
from .scope import Scope
from .search_result import SearchResult, search, suggest

__all__ = [
    "Found", "NumberedPassage", "Scope", "SearchResult", "find_place", "search", "suggest",
]  # fmt: skip
