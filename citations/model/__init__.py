"""The values of the library: an answer, its references and citations, a rendering, problems and errors."""

from __future__ import annotations

from .answer import (
    Answer,
    AnswerEvent,
    AnswerKind,
    Cut,
    DialectKnown,
    KindKnown,
    Origin,
    OriginKnown,
    ProblemFound,
    QueryKnown,
    QuestionsSuggested,
    ReferencesFound,
    SourceCode,
    Span,
    SpanFound,
    SubqueriesKnown,
    Subquery,
    TextCut,
    TextDelta,
    TextReplaced,
)
from .citation import Citation, CitedAnswer
from .dialect import Dialect
from .errors import AnswerFormatError, CitationError, EventStreamError, LabelFormatError, Problem
from .reference import Place, PlaceKind, Reference
from .rendering import Rendering
from .sensitivity_label import SensitivityLabel
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
    "DialectKnown",
    "EventStreamError",
    "KindKnown",
    "LabelFormatError",
    "Origin",
    "OriginKnown",
    "Place",
    "PlaceKind",
    "Problem",
    "ProblemFound",
    "QueryKnown",
    "QuestionsSuggested",
    "Reference",
    "ReferencesFound",
    "Rendering",
    "SensitivityLabel",
    "SourceCode",
    "Span",
    "SpanFound",
    "SubqueriesKnown",
    "Subquery",
    "TextCut",
    "TextDelta",
    "TextReplaced",
    "Wording",
]
