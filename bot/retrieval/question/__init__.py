"""Reads a question: its terms, what is related to them, and its kind.

``completion`` completes a question that leans on the one before it.
"""

from __future__ import annotations

from .completion import CompleteQuestion, complete_question, may_lean, names_nothing
from .kind import QuestionKind, Task, find_task
from .query import SearchQuery, Term, read_question

__all__ = [
    "CompleteQuestion", "QuestionKind", "SearchQuery", "Task", "Term",
    "complete_question", "find_task", "may_lean", "names_nothing", "read_question",
]  # fmt: skip
