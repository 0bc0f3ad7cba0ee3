"""A folder of documents as an answer source.

::

    scan → read/ → split → record → index          files into passages, kept on disk
    labels, part → search                          what one person may search, quote and name
    query → rank → extract → compose               a question into sentences and references

``passage`` has the nouns, ``engine`` meets tantivy, ``own_labels`` reads what a file says of itself,
``source`` is what the bot asks.
"""

from __future__ import annotations

from ...retrieval.part import IndexReport
from ...retrieval.scan import Skipped
from .source import FolderSource

__all__ = ["FolderSource", "IndexReport", "Skipped"]
