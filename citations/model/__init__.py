"""The values of the library: an answer, its references and citations, a rendering, problems and errors."""

from __future__ import annotations

from .answer import (
    Answer,
    AnswerEvent,
    AnswerKind,
    Cut,
    KindKnown,
    Origin,
    OriginKnown,
    QueryKnown,
    QuestionsSuggested,
    ReferencesFound,
    SourceCode,
    SubqueriesKnown,
    Subquery,
    TextCut,
    TextDelta,
    TextReplaced,
)
from .citation import Citation, CitedAnswer, Use
from .dialect import Dialect
from .errors import AnswerFormatError, CitationError, EventStreamError, LabelFormatError, Problem
from .reference import Reference
from .rendering import Rendering
from .wording import Wording

__all__ = [
    "Answer",
    "AnswerEvent",
    "AnswerFormatError",
    "AnswerKind",
    "Citation",
    "CitationError",
    "CitedAnswer",
    "Cut",
    "Dialect",
    "EventStreamError",
    "KindKnown",
    "LabelFormatError",
    "Origin",
    "OriginKnown",
    "Problem",
    "QueryKnown",
    "QuestionsSuggested",
    "Reference",
    "ReferencesFound",
    "Rendering",
    "SourceCode",
    "SubqueriesKnown",
    "Subquery",
    "TextCut",
    "TextDelta",
    "TextReplaced",
    "Use",
    "Wording",
]
