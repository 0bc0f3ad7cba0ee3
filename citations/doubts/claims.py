"""The sentences of an answer in the words that a reader sees, and what each of them cites."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from ..markdown import Badge, Inline, List, Table, TextPlace, inlines_of, shown_words
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
    place: TextPlace


_Cited = tuple[int, tuple[int, ...]]
"""An offset in a text, and the positions that are cited there."""


@cache
def _ordinal() -> re.Pattern[str]:
    """A day, an initial or an abbreviation before a name or a noun, whose full stop ends no sentence."""
    return re.compile(rf"\b(?:\d\d?|\w|{either(LANGUAGES.words_of('sentences', 'abbreviations'))})\.\Z")


def find_statements(cited: CitedAnswer) -> Iterator[Statement]:
    """The sentences of ``cited``, in order; those without a position cite nothing."""
    number, waiting = 0, list[Statement]()
    for block in cited.document.blocks:
        found = waiting
        for inline in inlines_of((block,)):
            found += _split(number, *_strip(inline))
            number += 1
        waiting = []
        if isinstance(block, List | Table):
            while found and not found[-1].marked:
                waiting.insert(0, found.pop())
        yield from _cite_together(found)
    yield from waiting


def _cite_together(sentences: Sequence[Statement]) -> Iterable[Statement]:
    """The sentences, of which those without a marker belong to the next one."""
    positions: tuple[int, ...] = ()
    together = []
    for one in reversed(sentences):
        positions = one.positions or positions
        text, own, marked, place = one
        together.append(one if own else Statement(text, positions, marked, place))
    return reversed(together)


def _strip(inline: Inline) -> tuple[str, list[_Cited]]:
    """The words of an inline text, and the places in them of what is cited."""
    parts: list[str] = []
    length, places = 0, []
    for node in inline:
        if isinstance(node, Badge) and node.positions:
            places.append((length, node.positions))
        shown = shown_words(node)
        parts.append(shown)
        length += len(shown)
    return "".join(parts), places


def _split(inline: int, words: str, places: Sequence[_Cited]) -> Iterator[Statement]:
    edges = [0, *_ends(words), len(words)]
    cited: dict[int, tuple[int, ...]] = {}
    for offset, positions in places:
        number = bisect_left(edges, len(words[:offset].rstrip()), 1) - 1
        cited[number] = (*cited.get(number, ()), *positions)
    for number, (start, end) in enumerate(pairwise(edges)):
        text = words[start:end].strip()
        if places:
            text = text.replace(" .", ".").replace(" ,", ",")
        positions = tuple(dict.fromkeys(cited.get(number, ())))
        if text or positions:
            yield Statement(text, positions, number in cited, TextPlace(inline, end))


def _ends(words: str) -> Iterator[int]:
    """The offsets behind the sentences of a text, but for the last one."""
    for match in _MARK.finditer(words):
        following = match[2]
        if following:
            short = _ABBREVIATED if following.isdigit() else _ordinal()
            stop = match.start() + 1
            if following.islower() or short.search(words, max(0, stop - 5), stop):
                continue
        yield match.end()
