"""This module collects the questions that a document probably answers: of its headings and its statements."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from .passage import Passage, SourceDocument
from .quote import write_sentence
from .sentence_questions import ask_sentence
from .sentences import Unit

HEADINGS: Final = 1
"""Questions of this rank and better ones are headings."""
_MOST: Final = 8
"""The most questions of one document."""
_PASSAGES: Final = 40
"""The statements of so many passages at the start of a document are looked at."""
_LONGEST: Final = 90
"""The most characters of a question."""
_NUMBER: Final = re.compile(r"^[\d.]+\s+(?=\D)")


def find_questions(
    document: SourceDocument, passages: Sequence[Passage], language: str | None
) -> tuple[tuple[int, str], ...]:
    """Return pairs of rank and question for a document, the most natural ones first.

    Rank 0 has headings that are questions, and rank 1 instructions. Rank 2 has questions about a statement
    with which a paragraph begins, and rank 3 those about other statements.
    """
    best: dict[str, int] = {}
    ranked = (*_ask_headings(document, language), *_ask_statements(passages))
    for rank, question in sorted(ranked, key=lambda one: one[0]):
        if len(question) <= _LONGEST:
            best.setdefault(question, rank)
    return tuple((rank, question) for question, rank in list(best.items())[:_MOST])


def is_from(question: str, passage: Passage, unit: Unit) -> bool:
    """Return whether a question was made from a unit, or from a heading above it."""
    headings = (_ask_heading(heading, passage.language) for heading in passage.headings)
    return ask_unit(passage, unit) == question or any(asked and asked[1] == question for asked in headings)


def ask_unit(passage: Passage, unit: Unit) -> str | None:
    """Return the question that a unit of a passage answers, if it is a statement of a known form."""
    if unit.kind != "sentence":
        return None
    return ask_sentence(html.unescape(write_sentence(passage, unit)), passage.language)


def _ask_headings(document: SourceDocument, language: str | None) -> Iterator[tuple[int, str]]:
    headings = dict.fromkeys(section.headings[-1] for section in document.sections if section.headings)
    for heading in headings:
        if asked := _ask_heading(heading, language):
            yield asked


def _ask_heading(heading: str, language: str | None) -> tuple[int, str] | None:
    heading = _NUMBER.sub("", heading)
    words = heading.split()
    if heading.endswith(("?", "？")):
        return 0, heading
    if language == "english" and len(words) > 3 and heading.lower().startswith("how to "):
        return 1, f"How do I {' '.join(words[2:])}?"
    return None


def _ask_statements(passages: Sequence[Passage]) -> Iterator[tuple[int, str]]:
    for passage in passages[:_PASSAGES]:
        for unit in passage.units:
            if question := ask_unit(passage, unit):
                yield 2 if unit.opens else 3, question
