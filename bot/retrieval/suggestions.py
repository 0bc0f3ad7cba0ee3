"""A document's headings into questions that it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .passage import SourceDocument

_MOST: Final = 8
"""Questions that are kept of one document."""
_LONGEST: Final = 90
_NUMBER: Final = re.compile(r"^[\d.]+\s+(?=\D)")
_ABOUT: Final = {
    # Words of no weight in a search, so that the heading alone finds its passage.
    "english": "What about “{}”?",
    "german": "Was ist mit „{}“?",
    "french": "Qu’en est-il de « {} » ?",
    "spanish": "¿Qué hay de «{}»?",
    "italian": "Che cosa c’è su «{}»?",
    "dutch": "Hoe zit het met “{}”?",
}


def ask_headings(document: SourceDocument, language: str | None) -> tuple[tuple[int, str], ...]:
    """Questions for a document, each with its rank, the most natural first.

    0: headings that are questions; 1: instructions; 2: any heading of two words and more.
    """
    headings = list(dict.fromkeys(section.headings[-1] for section in document.sections if section.headings))
    fitting = [heading for heading in headings if len(heading) <= _LONGEST]
    return tuple(sorted(_ask_headings(fitting, language), key=lambda rated: rated[0])[:_MOST])


def _ask_headings(headings: list[str], language: str | None) -> Iterator[tuple[int, str]]:
    for heading in (_NUMBER.sub("", heading) for heading in headings):
        words = heading.split()
        if heading.endswith(("?", "？")):
            yield 0, heading
        elif language == "english" and len(words) > 3 and heading.lower().startswith("how to "):
            yield 1, f"How do I {' '.join(words[2:])}?"
        elif len(words) > 1 and language in _ABOUT:
            yield 2, _ABOUT[language].format(heading)
