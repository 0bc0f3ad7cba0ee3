"""Turn an answer with markers into text and a Schema.org graph that agree with each other."""

from __future__ import annotations

from .answer import Answer, AnswerEvent, Origin, OriginKnown, ReferencesFound, TextDelta
from .citation import Citation, CitedAnswer, Use
from .errors import AnswerFormatError, CitationError, LabelFormatError, Problem
from .marker import Dialect
from .reference import Reference

__all__ = [
    "Answer",
    "AnswerEvent",
    "AnswerFormatError",
    "Citation",
    "CitationError",
    "CitedAnswer",
    "Dialect",
    "LabelFormatError",
    "Origin",
    "OriginKnown",
    "Problem",
    "Reference",
    "ReferencesFound",
    "TextDelta",
    "Use",
]
