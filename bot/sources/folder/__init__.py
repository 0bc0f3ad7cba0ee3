"""Answers questions from a folder of documents.

``source`` has the answer source. ``generation`` lets a model write the answer over the best passages.
:mod:`bot.retrieval` finds the passages.
"""

from __future__ import annotations

from .source import FORMATS, FolderSource, IndexReport, ListedDocument

__all__ = ["FORMATS", "FolderSource", "IndexReport", "ListedDocument"]
