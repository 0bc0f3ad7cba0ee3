"""A cited answer in words alone, for a reader who sees no Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from .citation import CitedAnswer, Use
from .markdown import Signs, read_words
from .neutralise import Edit, apply

_PLACE: Final = re.compile("{\x02([0-9]+)}")
"""What stands for a marker while the answer is read: punctuation, as the marker is, and a control
character, of which an answer has none."""


def words_of(cited: CitedAnswer, signs: Signs, marker: Callable[[Use, str], str]) -> str:
    """The words of the answer in order, and in the place of each use what ``marker`` makes of it.

    It is told the character before that place, empty at the beginning.

    Where they can't be had (quotes and lists nested beyond measure), the answer as it was typed.
    """
    edits = [Edit(use.start, use.end, f"{{\x02{number}}}") for number, use in enumerate(cited.uses)]
    marked = apply(cited.text, edits)
    words = read_words(marked, signs)
    if words is None or [int(number) for number in _PLACE.findall(words)] != list(range(len(edits))):
        words = marked

    def written(place: re.Match[str]) -> str:
        return marker(cited.uses[int(place[1])], words[max(0, place.start() - 1) : place.start()])

    return _PLACE.sub(written, words).strip()
