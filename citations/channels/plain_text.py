"""A cited answer as plain text, for a reader without Markdown."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

from ..markdown import Signs, read_words
from ..markdown.edit import Edit, apply
from ..model.citation import CitedAnswer, Use

_PLACE: Final = re.compile("{\x02([0-9]+)}")
"""The placeholder of a marker while the answer is read. Like a marker it is punctuation, and its control
character occurs in no answer."""
_OPENS: Final = re.compile(r"\[")
_BRACKET: Final = "{\x03}"
"""The placeholder of a bracket that opens no link. markdown-it would try each of thousands of brackets as
one."""


def words_of(cited: CitedAnswer, signs: Signs, marker: Callable[[Use, str], str]) -> str:
    """The words of the answer, in which ``marker`` gives the text of each use.

    ``marker`` also gets the character before the use, empty at the beginning. Where quotes and lists are
    nested too deep to be read, the result is the answer as it was typed.
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
    """The brackets that open no link, outside code, images and markers."""
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
