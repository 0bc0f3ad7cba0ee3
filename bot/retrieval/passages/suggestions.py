"""Collects the questions that a document answers: its headings that ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ...languages import LANGUAGES
from .passage import Passage, SourceDocument

HEADINGS: Final = 1
"""The last rank of questions. Indexes of earlier versions have others, of statements."""
_MOST: Final = 8
"""The most questions of one document."""
_LONGEST: Final = 90
"""The most characters of a question."""
_NUMBER: Final = re.compile(r"^[\d.]+\s+(?=\D)")


def find_questions(document: SourceDocument, language: str | None) -> tuple[tuple[int, str], ...]:
    """Pairs of rank and question for a document: headings that are questions, then instructions."""
    headings = dict.fromkeys(section.headings[-1] for section in document.sections if section.headings)
    ranked = dict.fromkeys(sorted(_ask_headings(headings, language), key=lambda one: one[0]))
    return tuple(ranked)[:_MOST]


def has_asking_heading(passage: Passage, question: str) -> bool:
    """Whether a question is that of a heading above a passage."""
    return any(asked == question for _, asked in _ask_headings(passage.headings, passage.language))


def _ask_instruction(heading: str, language: str | None) -> str | None:
    """The question of a heading such as *How to set a proxy*; None for others."""
    for tag, file in LANGUAGES.tables.items():
        if language == file.get("name", tag):
            for beginning, asked in file.get("questions", {}).get("instructions", {}).items():
                if heading.lower().startswith(f"{beginning} "):
                    return str(asked).format(" ".join(heading.split())[len(beginning) + 1 :])
    return None


def _ask_headings(headings: Iterable[str], language: str | None) -> Iterator[tuple[int, str]]:
    for heading in (_NUMBER.sub("", one) for one in headings):
        words = heading.split()
        if heading.endswith(("?", "？")):
            rank, question = 0, heading
        elif len(words) > 3 and (asked := _ask_instruction(heading, language)):
            rank, question = 1, asked
        else:
            continue
        if len(question) <= _LONGEST:
            yield rank, question
