"""The sentences of an answer in the words that a reader sees, and what each of them cites."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from ..markdown import Badge, Heading, Inline, List, Table, TextPlace, inlines_of, shown_words
from ..model.citation import CitedAnswer
from ..text.languages import LANGUAGES, either

_MARK: Final = re.compile(r"""[.!?…。！？](?:(?<=[。！？])|["'”’»)\]_]*+\s++(?=(["'“„«(\[_¿¡]*+)(\S)))""")
"""The end of a sentence, and the signs that begin the next one. A full-width mark needs no space."""
_ABBREVIATED: Final = re.compile(r"\b\w{1,3}\.\Z")
"""Before a number, this may be an abbreviation such as ``ca.``."""


class Statement(NamedTuple):
    """A sentence of an answer, without markup and markers, and the positions that it cites.

    A marker belongs to the sentence before it, also where it stands behind the full stop. It stands for the
    sentences of its paragraph, list or table that lie between it and the last marker, too: those are not
    ``marked``. A list or a table without any is cited by the block below it.
    """

    text: str
    positions: tuple[int, ...]
    marked: bool
    inline: int
    end: int

    @property
    def place(self) -> TextPlace:
        """Where it ends."""
        return TextPlace(self.inline, self.end)


_Badge = tuple[int, tuple[int, ...]]
"""Behind how many characters of its inline text a marker stands, and what it cites."""
_Sentence = tuple[str, tuple[int, ...], int, int]
"""A sentence, the positions of its own markers, its inline text, and where it ends there."""


@cache
def _ordinal() -> re.Pattern[str]:
    """A day, an initial or an abbreviation before a name or a noun, whose full stop ends no sentence."""
    return re.compile(rf"\b(?:\d\d?|\w|{either(LANGUAGES.words_of('sentences', 'abbreviations'))})\.\Z")


def find_statements(cited: CitedAnswer, is_wanted: Callable[[str], bool] = bool) -> Iterator[Statement]:
    """The sentences of ``cited``, in order; those without a position cite nothing.

    A heading without a marker states nothing: "Step 5". A paragraph or a cell without a marker is left out
    unless its words are wanted.
    """
    number = 0
    waiting: list[_Sentence] = []
    for block in cited.document.blocks:
        own: list[_Sentence] = []
        first, width = number, len(block.header) if isinstance(block, Table) else 0
        for inline in inlines_of((block,)):
            words, badges = _read(inline)
            row, column = divmod(number - first, width or 1)
            # The first column of a table may count its rows.
            counts = width and not column and words.strip().lstrip("0") == str(row)
            if not counts and (badges or is_wanted(words)):
                own += _split(number, words, badges)
            number += 1
        if isinstance(block, Heading) and not any(positions for _, positions, *_ in own):
            own = []
        if not isinstance(block, List | Table):
            yield from _cite_together(waiting + own)
            waiting = []
        elif end := next((at for at in range(len(own), 0, -1) if own[at - 1][1]), 0):
            yield from _cite_together(waiting + own[:end])
            waiting = own[end:]
        else:
            waiting += own
    yield from _cite_together(waiting)


def _cite_together(sentences: Sequence[_Sentence]) -> list[Statement]:
    """The sentences; those without a marker cite what the next one with a marker cites."""
    found: list[Statement] = []
    positions: tuple[int, ...] = ()
    for text, own, inline, end in reversed(sentences):
        positions = own or positions
        found.append(Statement(text, positions, bool(own), inline, end))
    found.reverse()
    return found


def _read(inline: Inline) -> tuple[str, list[_Badge]]:
    """The words of an inline text, and the markers in it."""
    parts: list[str] = []
    badges: list[_Badge] = []
    length = solid = 0
    for node in inline:
        if isinstance(node, Badge) and node.positions:
            badges.append((solid, node.positions))
        elif shown := shown_words(node):
            parts.append(shown)
            if words := shown.rstrip():  # blanks before a marker belong to no sentence
                solid = length + len(words)
            length += len(shown)
    return "".join(parts), badges


def _split(number: int, words: str, badges: Sequence[_Badge]) -> list[_Sentence]:
    """The sentences of an inline text."""
    marks = _MARK.finditer(words) if _MARK.search(words) else ()  # the search is the faster of the two
    if not (marks or badges):
        return [(text, (), number, len(words))] if (text := words.strip()) else []
    ends = [one.end() for one in marks if _ends_sentence(words, one)]
    ends.append(len(words))
    cited: dict[int, tuple[int, ...]] = {}
    for offset, positions in badges:
        index = bisect_left(ends, offset)
        cited[index] = tuple(dict.fromkeys((*cited.get(index, ()), *positions)))
    found: list[_Sentence] = []
    start = 0
    for index, end in enumerate(ends):
        text, positions = words[start:end].strip(), cited.get(index, ())
        start = end
        if cited:
            text = text.replace(" .", ".").replace(" ,", ",")
        if text or positions:
            found.append((text, positions, number, end))
    return found


def _ends_sentence(words: str, mark: re.Match[str]) -> bool:
    """Whether a mark ends a sentence: the next one begins there, and no abbreviation is before it."""
    following = mark[2]
    if not following:
        return True
    stop = mark.start() + 1
    if words[stop - 6 : stop - 1].isalpha() and stop > 5:
        return not following.islower()  # no abbreviation has five letters
    short = _ABBREVIATED if following.isdigit() else _ordinal()
    return not (following.islower() or short.search(words, max(0, stop - 5), stop))
