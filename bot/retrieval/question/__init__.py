"""Reads a question: its terms and what is related to them, its kind, a section that it names.

``completion`` completes a question that leans on the one before it.
"""

from __future__ import annotations

from .completion import CompleteQuestion, complete_question, may_lean, names_nothing
from .kind import QuestionKind
from .query import SearchQuery, Term, read_question
from .section import SectionNumber, begins_section, find_section
from .smalltalk import find_smalltalk_language, is_smalltalk, is_thanks

__all__ = [
    "CompleteQuestion", "QuestionKind", "SearchQuery", "SectionNumber", "Term", "begins_section",
    "complete_question", "find_section", "find_smalltalk_language", "is_smalltalk", "is_thanks",
    "may_lean", "names_nothing", "read_question",
]  # fmt: skip
