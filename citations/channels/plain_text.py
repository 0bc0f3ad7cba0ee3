"""A cited answer in words alone, for a reader who sees no Markdown."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

from ..markdown import Signs, read_words
from ..markdown.sanitizer import Edit, apply
from ..model.citation import CitedAnswer, Use

_PLACE: Final = re.compile("{\x02([0-9]+)}")
"""What stands for a marker while the answer is read: punctuation, as the marker is, and a control
character, of which an answer has none."""
_OPENS: Final = re.compile(r"\[")
_BRACKET: Final = "{\x03}"
"""The same for a bracket that opens no link: of thousands of them each would be tried as one."""


def words_of(cited: CitedAnswer, signs: Signs, marker: Callable[[Use, str], str]) -> str:
    """The words of the answer in order, and in the place of each use what ``marker`` makes of it.

    ``marker`` is told the character before that place, empty at the beginning. Where the words can't
    be had (quotes and lists are nested beyond measure), they are the answer as it was typed.
    """
    edits = [
        Edit(use.start, use.end, f"{use.formula}{{\x02{number}}}") for number, use in enumerate(cited.uses)
    ]
    marked = apply(cited.text, sorted((*edits, *_brackets(cited))))
    words = read_words(marked, signs)
    if words is None or [int(number) for number in _PLACE.findall(words)] != list(range(len(edits))):
        words = marked
    words = words.replace(_BRACKET, "[")

    def write_place(place: re.Match[str]) -> str:
        return marker(cited.uses[int(place[1])], words[max(0, place.start() - 1) : place.start()])

    return _PLACE.sub(write_place, words).strip()


def _brackets(cited: CitedAnswer) -> Iterator[Edit]:
    """The brackets outside code, images and markers that open no link."""
    for inline in cited.layout.inlines:
        links = {bracket.start for bracket in inline.brackets if bracket.link}
        for found in _OPENS.finditer(inline.content):
            offset, place = found.start(), inline.place(found.start())
            span = bisect_right(inline.spans, offset, key=lambda span: span.start) - 1
            use = bisect_right(cited.uses, place, key=lambda use: use.start) - 1
            if (
                offset not in links
                and (span < 0 or offset >= inline.spans[span].end)
                and (use < 0 or place >= cited.uses[use].end)
            ):
                yield Edit(place, place + 1, _BRACKET)
