"""Answers questions from a folder of documents.

``source`` has the answer source. ``generation`` lets a model write the answer over the best passages.
:mod:`bot.retrieval` finds the passages.
"""

from __future__ import annotations

from .source import FolderSource, IndexReport, ListedDocument

__all__ = ["FolderSource", "IndexReport", "ListedDocument"]
