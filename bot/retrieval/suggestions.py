"""This module turns the headings of a document into questions that it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .passage import SourceDocument

_MOST: Final = 8
"""The most questions of one document."""
_LONGEST: Final = 90
_NUMBER: Final = re.compile(r"^[\d.]+\s+(?=\D)")
_ABOUT: Final = {
    # These forms have stop words only, so that the heading alone finds its passage.
    "english": "What about “{}”?",
    "german": "Was ist mit „{}“?",
    "french": "Qu’en est-il de « {} » ?",
    "spanish": "¿Qué hay de «{}»?",
    "italian": "Che cosa c’è su «{}»?",
    "dutch": "Hoe zit het met “{}”?",
}


def ask_headings(document: SourceDocument, language: str | None) -> tuple[tuple[int, str], ...]:
    """Return pairs of rank and question for a document, the most natural ones first.

    Rank 0 has headings that are questions, rank 1 instructions, rank 2 other headings of several words.
    """
    headings = list(dict.fromkeys(section.headings[-1] for section in document.sections if section.headings))
    fitting = [heading for heading in headings if len(heading) <= _LONGEST]
    return tuple(sorted(_rank_questions(fitting, language), key=lambda ranked: ranked[0])[:_MOST])


def _rank_questions(headings: list[str], language: str | None) -> Iterator[tuple[int, str]]:
    for heading in (_NUMBER.sub("", heading) for heading in headings):
        words = heading.split()
        if heading.endswith(("?", "？")):
            yield 0, heading
        elif language == "english" and len(words) > 3 and heading.lower().startswith("how to "):
            yield 1, f"How do I {' '.join(words[2:])}?"
        elif len(words) > 1 and language in _ABOUT:
            yield 2, _ABOUT[language].format(heading)
