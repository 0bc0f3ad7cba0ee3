"""Markers and spans: the places in a text that name a reference, and the positions that their sources get.

:func:`cite` reads a finished answer, :class:`CitationStream` one that is still being written. An answer may
cite none of its sources; :func:`list_uncited` and :class:`AnswerSoFar` list them below it.
"""

from __future__ import annotations

from .citation_stream import CitationStream, cite
from .source_identity import distinct_sources
from .source_list import AnswerSoFar, list_uncited

__all__ = ["AnswerSoFar", "CitationStream", "cite", "distinct_sources", "list_uncited"]
