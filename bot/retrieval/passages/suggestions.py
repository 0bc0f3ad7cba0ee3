"""Collects the questions that a document answers: its headings that ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from .passage import SourceDocument

ASKING: Final = 0
"""The rank of headings that ask. Indexes of earlier versions have others, of instructions and statements."""
_MOST: Final = 8
"""The most questions of one document."""
_LONGEST: Final = 90
"""The most characters of a question."""
_NUMBER: Final = re.compile(r"^[\d.]+\s+(?=\D)")


def find_questions(document: SourceDocument) -> tuple[tuple[int, str], ...]:
    """Pairs of rank and question for a document."""
    headings = dict.fromkeys(section.headings[-1] for section in document.sections if section.headings)
    asking = dict.fromkeys(_list_asking(headings))
    return tuple((ASKING, question) for question in islice(asking, _MOST))


def _list_asking(headings: Iterable[str]) -> Iterator[str]:
    for heading in (_NUMBER.sub("", one) for one in headings):
        if heading.endswith(("?", "？")) and len(heading) <= _LONGEST:
            yield heading
