"""Markers and spans: the places in a text that name a reference, and the positions that their sources get.

:func:`cite` reads a finished answer, :class:`CitationStream` one that is still being written. An answer may
cite none of its sources; :func:`list_uncited` and :class:`AnswerSoFar` list them below it.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
